// AttentionLab: controls of the reader's function, and the heads that it returns.

import { palette } from "./colours.js";
import { button, labelled, make, select, slider } from "./elements.js";
import { HeadsPanel } from "./heads_panel.js";
import { decode } from "./numbers.js";
import { guarded } from "./view.js";

// Where a control holds its setting: the text or the tick itself, or a position among its values.
const PROPERTIES = { text: "value", checkbox: "checked", choice: "selectedIndex", slider: "valueAsNumber" };

function inputFor({ name, kind, values }, move) {
  if (kind === "choice") return select(name, values, 0, move);
  if (kind === "slider") return slider(name, 0, values.length - 1, 1, 0, move);
  return labelled(name, make("input", { type: kind, oninput: move }));
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

function stateOf(model) {
  const { shape, tokens, high } = model.get("answer");
  const count = shape.reduce((a, b) => a * b);
  const values = decode(model.get("weights"), count, high);
  return { shape, tokens, keyTokens: tokens, values, high, colours: palette(model.get("palette")) };
}

export const render = guarded((model, root) => {
  const prints = make("pre", { class: "av-prints" });
  const error = make("p", { class: "av-error", role: "alert" });
  const settings = {};
  const controls = {};
  let panel = null;
  let asked = 0; // the number of the question that has no answer yet
  let hasMoved = false; // since it was asked

  // While an answer is outstanding, moves are only noted: the last wins.
  const ask = () => {
    hasMoved = Boolean(asked);
    if (asked) return;
    root.ariaBusy = true;
    asked = Math.random();
    model.send({ rev: asked, settings });
  };
  const show = () => {
    const answer = model.get("answer");
    if (answer.rev === asked) asked = 0;
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
      panel = new HeadsPanel(state, { layer: 0, head: 0, query: 0 });
      root.append(panel.element);
    }
    panel.load(state);
  };

  for (const control of model.get("controls")) {
    controls[control.name] = labControl(control, (value) => {
      settings[control.name] = value;
      ask();
    });
  }
  const runAgain = button("Run again", "New random draw", ask);
  root.append(make("div", { class: "av-bar av-lab" }, ...Object.values(controls), runAgain), prints, error);
  show();
  model.on("change:answer", show);
  return () => panel?.leave();
});
