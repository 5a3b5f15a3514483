// AttentionLab: controls of the reader's function, and the heads that it returns.

import { HeadsPanel } from "../maps/heads_panel.js";
import { shared } from "../shared/choice.js";
import { palette } from "../shared/colours.js";
import { button, checkbox, labelled, make, select, slider } from "../shared/elements.js";
import { clamp, decode, sizeOf } from "../shared/numbers.js";
import { Requests } from "../shared/requests.js";
import { isBeside, watchRoom } from "../shared/room.js";
import { guarded } from "../shared/view.js";
import { say } from "../shared/words.js";

// Create a control from its description. move(setting): called when the reader moves it.
function labControl({ name, kind, values }, move) {
  if (kind === "choice") return select(name, values, move);
  if (kind === "slider") return slider(name, values.length - 1, (at) => values[at], move);
  if (kind === "checkbox") return checkbox(name, move);
  return textBox(name, kind === "fixed", move);
}

// Create a text box that wraps a long sentence over several lines, but allows no line breaks in it.
function textBox(name, isFixed, move) {
  const input = make("textarea", { rows: 2, spellcheck: "false" });
  input.readOnly = isFixed;
  input.onbeforeinput = (event) => {
    if (event.inputType === "insertLineBreak") event.preventDefault();
  };
  input.oninput = () => {
    if (input.value.includes("\n")) input.value = input.value.replace(/\s*\n\s*/g, " "); // from pasted text
    move(input.value);
  };
  return labelled(name, input, (words) => (input.value = words));
}

// Return the index in the tokens `now` of the word that stands at `place` in the tokens `before`: if it occurs several
// times, the same occurrence; if it is gone, `place`. An exported page needs it, because there lab.py does not run.
export function placeOfWord(before, place, now) {
  const word = before[place];
  const nth = before.slice(0, place).filter((token) => token === word).length;
  const places = now.flatMap((token, i) => (token === word ? [i] : []));
  return places.length ? places[Math.min(nth, places.length - 1)] : place;
}

// Return the state that a HeadsPanel takes, from the last answer of the kernel.
function stateOf(model) {
  const { shape, tokens, high } = model.get("answer");
  const values = decode(model.get("weights"), sizeOf(shape), high);
  return { shape, tokens, keyTokens: tokens, values, high, colours: palette(model.get("palette")) };
}

export const render = guarded((model, root) => {
  const prints = make("pre", { class: "av-prints" });
  const error = make("p", { class: "av-error", role: "alert" });
  const unanswered = make("p", { class: "av-unanswered", role: "status" });
  const settings = {};
  const controls = {};
  let panel = null;
  const requests = new Requests(model, (words) => (unanswered.textContent = words));
  let hasMoved = false; // whether a control moved after the request that has no answer yet

  // Ask the kernel for the weights at the present settings. While an answer is outstanding, a move is only noted; the
  // settings of the last move are sent when the answer comes.
  const ask = () => {
    hasMoved = requests.isOpen;
    if (hasMoved) return;
    root.ariaBusy = true;
    requests.ask({ settings });
  };
  const show = () => {
    const answer = model.get("answer");
    requests.isAnsweredBy(answer);
    unanswered.textContent = "";
    root.ariaBusy = requests.isOpen;
    if (hasMoved) ask();
    if (!requests.isOpen) follow(answer.settings);
    prints.textContent = answer.prints;
    error.textContent = answer.error;
    if (answer.shape.length) paint(); // otherwise the old picture stays
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
      root.append(panel.bar, panel.line, panel.element);
    }
    panel.query = model.get("query"); // the kernel sends it with the answer, to keep it at its word
    panel.load(state);
  };
  const choose = ({ head, query }) => {
    if (!panel) return;
    const [, heads, queries] = panel.state.shape;
    panel.choose({ head: clamp(head, heads), query: clamp(query, queries) });
  };
  // shared() uses limits only for views in a group, and a lab has no group, so the limits never matter here.
  const together = shared(model, { head: Infinity, query: Infinity }, (name) => panel?.[name], choose);

  for (const control of model.get("controls")) {
    controls[control.name] = labControl(control, (value) => {
      settings[control.name] = value;
      ask();
    });
  }
  const runAgain = button(say("Run again"), say("New random draw"), ask);
  root.append(make("div", { class: "av-bar av-lab" }, ...Object.values(controls), runAgain), unanswered, prints, error);
  root.classList.add("av-of-lab");
  show();
  const unwatch = watchRoom(root, () => root.classList.toggle("av-beside", isBeside(root)));
  model.on("change:answer", show);
  return () => {
    requests.end();
    unwatch();
    together.leave();
    panel?.leave();
  };
});
