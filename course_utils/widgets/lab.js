// AttentionLab: controls of the reader's function, and the heads that it returns.

import { shared } from "./choice.js";
import { palette } from "./colours.js";
import { button, labelled, make, select, slider } from "./elements.js";
import { HeadsPanel } from "./heads_panel.js";
import { clamp, decode } from "./numbers.js";
import { NO_ANSWER, patience } from "./patience.js";
import { guarded } from "./view.js";

// Where a control holds its setting: the text or the tick itself, or a position among its values.
const PROPERTIES = {
  text: "value",
  fixed: "value",
  checkbox: "checked",
  choice: "selectedIndex",
  slider: "valueAsNumber",
};

function inputFor({ name, kind, values }, move) {
  if (kind === "choice") return select(name, values, 0, move);
  if (kind === "slider") return slider(name, 0, values.length - 1, 1, 0, move);
  if (kind === "checkbox") return labelled(name, make("input", { type: kind, oninput: move }));
  return textBox(name, kind === "fixed", move);
}

// A box of several lines where the sentence is longer than the view is wide; the sentence itself is one line.
function textBox(name, isFixed, move) {
  const input = make("textarea", { rows: 2, spellcheck: "false" });
  input.readOnly = isFixed;
  input.onbeforeinput = (event) => {
    if (event.inputType === "insertLineBreak") event.preventDefault();
  };
  input.oninput = () => {
    if (input.value.includes("\n")) input.value = input.value.replace(/\s*\n\s*/g, " "); // pasted
    move();
  };
  return labelled(name, input);
}

// control: name, kind, values; put(value) shows a setting.
function labControl(control, onMove) {
  const property = PROPERTIES[control.kind];
  const label = inputFor(control, () => {
    const value = label.input[property];
    put(value);
    onMove(value);
  });
  const put = (value) => {
    label.input[property] = value;
    if (!label.shown) return;
    label.shown.textContent = control.values[value];
    label.input.ariaValueText = control.values[value];
  };
  return Object.assign(label, { put });
}

// What lab.py does in a kernel, for an exported page. The chosen query stays at its word, of several alike at the one
// that was chosen; where the word is gone, at its place.
export function placeOfWord(before, place, now) {
  const word = before[place];
  const nth = before.slice(0, place).filter((token) => token === word).length;
  const places = now.flatMap((token, i) => (token === word ? [i] : []));
  return places.length ? places[Math.min(nth, places.length - 1)] : place;
}

function stateOf(model) {
  const { shape, tokens, high } = model.get("answer");
  const count = shape.reduce((a, b) => a * b);
  const values = decode(model.get("weights"), count, high);
  return { shape, tokens, keyTokens: tokens, values, high, colours: palette(model.get("palette")) };
}

export const render = guarded((model, root) => {
  const prints = make("pre", { class: "av-prints" });
  const error = make("p", { class: "av-error", role: "alert" });
  const unanswered = make("p", { class: "av-unanswered", role: "status" });
  const settings = {};
  const controls = {};
  let panel = null;
  let asked = 0; // the number of the question that has no answer yet
  let hasMoved = false; // since it was asked

  const waiting = patience(() => {
    unanswered.textContent = `${NO_ANSWER}.`;
  });

  // While an answer is outstanding, moves are only noted: the last wins.
  const ask = () => {
    hasMoved = Boolean(asked);
    if (asked) return;
    root.ariaBusy = true;
    asked = Math.random();
    waiting.start();
    try {
      model.send({ rev: asked, settings });
    } catch {
      // JupyterLab sends nothing to a kernel that is gone, so no answer will come
    }
  };
  const show = () => {
    const answer = model.get("answer");
    if (answer.rev === asked) asked = 0;
    if (!asked) waiting.end();
    unanswered.textContent = "";
    root.ariaBusy = Boolean(asked);
    if (hasMoved) ask();
    if (!asked) follow(answer.settings);
    prints.textContent = answer.prints;
    error.textContent = answer.error;
    if (answer.shape.length) paint(); // else the old picture stays
  };
  const follow = (answered) => {
    for (const name in controls) {
      settings[name] = answered[name];
      controls[name].put(answered[name]);
    }
  };
  const paint = () => {
    const state = stateOf(model);
    if (!panel) {
      const choice = { layer: 0, head: model.get("head"), query: model.get("query") };
      panel = new HeadsPanel(state, choice, (picked) => together.tell(picked));
      root.append(panel.element);
    }
    panel.query = model.get("query"); // which came with the answer: it stays at its word
    panel.load(state);
  };
  const choose = ({ head, query }) => {
    if (!panel) return;
    const [, heads, queries] = panel.state.shape;
    panel.choose({ head: clamp(head, heads), query: clamp(query, queries) });
  };
  // It has no group, whose views may have fewer heads: so the limits that shared() wants never matter.
  const together = shared(model, { head: Infinity, query: Infinity }, (name) => panel?.[name], choose);

  for (const control of model.get("controls")) {
    controls[control.name] = labControl(control, (value) => {
      settings[control.name] = value;
      ask();
    });
  }
  const runAgain = button("Run again", "New random draw", ask);
  root.append(make("div", { class: "av-bar av-lab" }, ...Object.values(controls), runAgain), unanswered, prints, error);
  show();
  model.on("change:answer", show);
  return () => {
    waiting.end();
    together.leave();
    panel?.leave();
  };
});
