// ShapeTracer: follow a number through split and merge.
// Python draws each way; this script marks the chosen number in every stage.

import { make, select } from "../shared/elements.js";
import { arrow } from "../shared/keys.js";
import { heightLeft, watchRoom } from "../shared/room.js";
import { following, guarded } from "../shared/view.js";
import { say } from "../shared/words.js";

const LEAST = 0.7; // the smallest scale of the cells
const LETTER = 13; // px: the size of the letters, which stay as large as they are

// Return the scale at which all stages of a way fit the height that JupyterLab's panel has left for them, at most 1.
function scaleFor(stages, left) {
  const ofOne = (stage) => {
    const picture = stage.querySelector("svg");
    const words = stage.offsetHeight - picture.getBoundingClientRect().height;
    return (left - words) / picture.viewBox.baseVal.height;
  };
  return left == null ? 1 : Math.max(LEAST, Math.min(1, ...stages.map(ofOne)));
}

export const render = guarded((model, root) => {
  const ways = model.get("ways");
  const names = model.get("names");
  const mixed = make("p", { class: "av-mixed", role: "status" });
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
      for (const picture of body.querySelectorAll("svg")) {
        picture.setAttribute("viewBox", `0 0 ${picture.getAttribute("width")} ${picture.getAttribute("height")}`);
      }
      fit();
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

  function fit() {
    const scale = scaleFor([...body.children], heightLeft(body));
    if (scale < 1) body.style.setProperty("--letter", `${LETTER / scale}px`);
    else body.style.removeProperty("--letter");
    for (const picture of body.querySelectorAll("svg")) {
      const { width, height } = picture.viewBox.baseVal;
      picture.setAttribute("width", width * scale);
      picture.setAttribute("height", height * scale);
    }
  }

  draw();
  root.append(make("div", { class: "av-bar" }, waySelect, chosen), mixed, body);
  const unwatch = watchRoom(root, fit);
  return () => {
    leave();
    unwatch();
  };
});
