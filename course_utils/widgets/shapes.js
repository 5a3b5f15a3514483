// ShapeTracer: follow a number through split and merge.
// Python draws each way; this script marks the chosen number in every stage.

import { make, select } from "./elements.js";
import { arrow } from "./keys.js";
import { following, guarded } from "./view.js";
import { say } from "./words.js";

export const render = guarded((model, root) => {
  const ways = model.get("ways");
  const names = model.get("names");
  const mixed = make("p", { role: "status" });
  const chosen = make("b");
  const body = make("div", { class: "av-body" });
  const { set, leave } = following(model, draw);
  const wayNames = ways.map(({ name }) => name);
  const waySelect = select(say("way"), wayNames, (way) => set({ way }));
  const pick = (cell) => {
    if (cell?.dataset.n) set({ number: Number(cell.dataset.n) });
  };

  body.onpointerdown = ({ target }) => pick(target); // not on hover, which also happens on the way to something else
  body.onkeydown = (event) => {
    const step = arrow(event);
    if (!step) return;
    const stage = event.target;
    const next = Number(stage.ariaValueNow) + step[0] * stage.dataset.columns + step[1];
    pick(stage.querySelectorAll("rect")[next]);
  };

  let current = null; // the index of the way in the page
  function draw() {
    const way = model.get("way");
    const number = model.get("number");
    if (current !== way) {
      current = way;
      waySelect.put(way);
      body.innerHTML = ways[way].html;
    }
    mixed.textContent = ways[way].summary;
    chosen.textContent = names[number];
    for (const cell of body.querySelectorAll("rect")) mark(cell, number);
  }
  function mark(cell, number) {
    const { n, i, at } = cell.dataset;
    const isChosen = Number(n) === number;
    cell.classList.toggle("av-here", isChosen);
    if (!isChosen) return;
    const stage = cell.closest("div");
    stage.lastChild.textContent = at;
    stage.ariaValueNow = i;
    stage.ariaValueText = `${names[number]}: ${at}`;
  }

  draw();
  root.append(make("div", { class: "av-bar" }, waySelect, chosen), mixed, body);
  return leave;
});
