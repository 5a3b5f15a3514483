// The tables of a Writer, its buttons, its menus, and its notes.

import { button, make, select } from "../shared/elements.js";
import { rounded } from "../shared/numbers.js";
import { say } from "../shared/words.js";
import { headName, plain, strongest, takenOf } from "./writing.js";

const TEMPERATURES = [0, 0.3, 0.7, 1, 1.5, 2];
const MOST_HEADS = 6; // how many heads are listed that looked most at a token

// Create a row. first: what the first cell contains. share: a number from 0 to 1, shown with a bar.
function row(first, share, isMarked, mark = "") {
  const bar = make("i", { style: `width:${(100 * Math.min(1, share)).toFixed(1)}%` });
  const cells = [make("td", { textContent: rounded(share) + mark }), make("td", { "aria-hidden": "true" }, bar)];
  return make("tr", { class: isMarked ? "av-taken" : "" }, make("th", { scope: "row" }, first), ...cells);
}

const table = (textContent, rows) => {
  return make("table", {}, make("caption", { textContent }), make("tbody", {}, ...rows));
};

// Return what shows a candidate: a space at its start has a sign, since the same word without one is another token.
function spaced(name) {
  const sign = make("small", { textContent: "␣", title: say("a space"), "aria-hidden": "true" });
  return make("span", {}, ...(/^ +\S/.test(name) ? [sign] : []), plain(name));
}

// Create the table of the candidates of a step.
export function candidatesTable(step) {
  const taken = takenOf(step);
  const rows = step.candidates.map(([name, share], i) => {
    return row(spaced(name), share, i === taken, i === taken ? " ✓" : "");
  });
  return table(say("Candidates and their shares"), rows);
}

// Create the table of the heads that looked most at a token, its number being key, and its name, name.
// rows, pairs: as `strongest` takes them. head: the index of the chosen pair. pick(head): called for another one.
export function headsTable(rows, pairs, key, name, head, pick) {
  const lines = strongest(rows, pairs, key, MOST_HEADS).map(([each, weight]) => {
    return row(
      button(headName(pairs[each]), say("Choose this head"), () => pick(each)),
      weight,
      each === head,
    );
  });
  return table(say("Heads that looked most at {name}", { name: plain(name) }), lines);
}

// Create the buttons and the menu of temperatures. actions: the functions play, on, back and anew, which the buttons
// call. live: whether anything new can be written. first: the temperature at first. more: a further element.
// The element has the methods put(isPlaying) and degrees(), which returns the chosen temperature.
export function buttons(actions, live, first, more) {
  const temperatures = [...new Set([...TEMPERATURES, first])].sort((a, b) => a - b);
  const menu = select(say("temperature"), temperatures, () => {});
  menu.put(temperatures.indexOf(first));
  const player = button(say("Play"), "", actions.play);
  const on = button(say("One on"), say("Show or write one more token"), actions.on);
  const back = button(say("Back"), say("Hide the last token"), actions.back);
  const words = say("Keep this text, and write another one from the chosen token on");
  const alone = live
    ? [menu, button(say("Write anew from here"), words, actions.anew)]
    : [make("em", { textContent: say("a recording") })];
  return Object.assign(make("div", { class: "av-bar" }, player, on, back, ...alone, more), {
    put: (isPlaying) => (player.textContent = isPlaying ? say("Stop") : say("Play")),
    degrees: () => temperatures[menu.input.selectedIndex],
  });
}

// Create the menus in which a pair (layer, head) is chosen, with the method put(index), which shows a chosen one.
// pick(index): called when the reader chooses.
export function headMenus(pairs, pick) {
  const layers = [...new Set(pairs.map(([layer]) => layer))];
  const indices = (layer) => pairs.flatMap((pair, i) => (pair[0] === layer ? [i] : []));
  let now = [];
  const layer = select(say("layer"), layers, (at) => pick(indices(layers[at])[0]));
  const head = select(say("head"), [], (at) => pick(now[at]));
  const put = (index) => {
    now = indices(pairs[index][0]);
    layer.put(layers.indexOf(pairs[index][0]));
    head.input.replaceChildren(...now.map((i) => make("option", { textContent: pairs[i][1] })));
    head.put(now.indexOf(index));
  };
  return Object.assign(make("span", { class: "av-bar" }, layer, head), { put });
}

// Create a place for a note and for an error message, with the method put(note, error), which shows them, or hides "".
export function notes() {
  const note = make("p", { class: "av-note", role: "status" });
  const problem = make("p", { class: "av-error", role: "alert" });
  const put = (words, error = "") => {
    [note.textContent, problem.textContent] = [words, error];
    [note.hidden, problem.hidden] = [!words, !error];
  };
  put("");
  return Object.assign(make("div", {}, note, problem), { put });
}
