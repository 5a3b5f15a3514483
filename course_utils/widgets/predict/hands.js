// The form of a Predict in a slide deck: the presenter counts the hands of an audience, choice by choice.

import { make } from "../shared/elements.js";
import { clamp, sum } from "../shared/numbers.js";
import { say } from "../shared/words.js";
import { SO } from "./judged.js";

const isPlain = ({ ctrlKey, metaKey, altKey }) => !(ctrlKey || metaKey || altKey);
const isDigit = (event) => isPlain(event) && /^\d$/.test(event.key);

// Create the row of a choice whose hands the presenter counts by mouse, by touch or with the keys, all with one hand.
// Its property `hands` is their number. goDown(by): goes to another choice.
function countedChoice(name, onCount, goDown, commit) {
  const id = `av${Math.random()}`; // unique in every copy of the view
  const title = say("→ or +: one more. ← or −: one less. Or type how many. ↑ ↓: another choice. Enter: show");
  const typed = { inputmode: "numeric", maxlength: 3, autocomplete: "off" };
  const input = make("input", { id, title, role: "spinbutton", "aria-valuemin": 0, ...typed });
  const choose = () => {
    input.focus();
    input.select(); // so that a typed number replaces the present one
  };
  const write = () => {
    input.value = row.hands;
  };
  const set = (hands) => {
    row.hands = clamp(hands, 1000);
    onCount();
  };
  const add = (by) => {
    set(row.hands + by);
    write();
  };
  const adding = (by, textContent, label) => {
    const onclick = ({ pointerType }) => {
      add(by);
      if (pointerType !== "touch") choose(); // on a touch screen, focus would open the keyboard
    };
    return make("button", { type: "button", tabindex: -1, textContent, "aria-label": label, onclick });
  };
  input.onfocus = input.onclick = choose;
  input.onblur = write;
  input.oninput = () => {
    if (/\D/.test(input.value)) write();
    else set(Number(input.value));
  };
  const onkeydown = (event) => {
    if (!isPlain(event)) return;
    const { key } = event;
    const by = { ArrowRight: 1, "+": 1, "=": 1, ArrowLeft: -1, "-": -1 }[key]; // = is the + key without Shift
    const down = { ArrowUp: -1, ArrowDown: 1 }[key];
    if (by || down || key === "Enter") event.preventDefault();
    if (by) add(by);
    if (by || (isDigit(event) && document.activeElement !== input)) choose();
    if (down) goDown(down);
    if (key === "Enter") commit();
  };
  const less = adding(-1, "−", say("one hand less for {name}", { name }));
  const more = adding(1, "+", say("one more hand for {name}", { name }));
  const counter = make("span", {}, less, input, more);
  const fill = make("div");
  const mark = make("strong");
  const share = make("div", { class: "av-share" }, fill);
  const row = make("div", { onkeydown }, make("label", { for: id, textContent: name }), counter, share, mark);
  row.hands = 0;
  write();
  return Object.assign(row, { choose, input, fill, mark });
}

// Create a form as predict.js describes it. commit(): shows the truth.
export function handsForm({ labels }, onGuess, commit) {
  const labelAndTitle = [say("Show"), say("Then the truth appears beside the hands")];
  const form = { legend: "", isOptional: true, button: labelAndTitle };
  const onCount = () => {
    show();
    onGuess();
  };
  const rows = labels.map((name, index) => {
    const goDown = (by) => rows[clamp(index + by, rows.length)].choose();
    return countedChoice(name, onCount, goDown, commit);
  });
  const total = () => sum(rows.map(({ hands }) => hands));
  const inWords = () => (total() === 1 ? say("1 hand") : say("{number} hands", { number: total() }));
  const show = () => {
    form.guess = rows.map(({ hands }) => hands);
    for (const { hands, fill, input } of rows) {
      fill.style.width = `${(100 * hands) / Math.max(1, total())}%`;
      input.setAttribute("aria-valuenow", hands);
    }
  };
  // A number that is typed with no element in focus goes to the first choice of the present slide.
  document.addEventListener("keydown", (event) => {
    const isHere = document.activeElement === document.body && !form.element.closest("section:not(.present)");
    if (isHere && isDigit(event)) rows[0].choose();
  });
  form.element = make("div", { class: "av-hands" }, ...rows);
  form.open = () => (total() ? `${inWords()}.` : say("No hands counted yet."));
  form.result = (truth) => {
    const places = { truth: labels[truth], right: rows[truth].hands, hands: inWords() };
    return total() ? say("{right} of {hands} said so: it is {truth}.", places) : say("It is {truth}.", places);
  };
  form.reveal = (truth) => {
    document.activeElement.blur(); // so that the keys control the slides again
    for (const { input } of rows) input.disabled = true;
    form.element.classList.add("av-done");
    rows[truth].classList.add("av-so");
    rows[truth].mark.textContent = SO;
  };
  show();
  return form;
}
