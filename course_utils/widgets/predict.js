// Predict: the reader guesses in one of three forms and commits, then the truth appears over the guess. In a slide
// deck, the presenter counts the hands of an audience instead.

import { button, make, radios } from "./elements.js";
import { arrow } from "./keys.js";
import { cellState, judged, withBar } from "./judged.js";
import { clamp, rounded, sum } from "./numbers.js";
import { NO_ANSWER, patience } from "./patience.js";
import { guarded } from "./view.js";

const SIGNS = { right: "✓", wrong: "✗", missed: "○", "": "" };
const IN_WORDS = { right: "marked, and so", wrong: "marked, not so", missed: "not marked, but so", "": "not marked" };

const isPlain = ({ ctrlKey, metaKey, altKey }) => !(ctrlKey || metaKey || altKey);
const isDigit = (event) => isPlain(event) && /^\d$/.test(event.key);
const SO = "✓ so it is";

// A form is an object with: element; guess, the present guess; legend; reveal(truth), which shows the truth over the
// guess. Optional are: open(), which returns the status before the commit; result(truth), which returns the result;
// button, the label and title of the commit button; isOptional, whether it is enabled without a guess.
// A form calls onGuess() whenever the guess changes.

function choiceForm({ labels }, onGuess) {
  const form = { guess: null };
  const pick = (index) => {
    form.guess = index;
    onGuess();
  };
  const choices = radios(
    labels.map((label) => [label]),
    pick,
  );
  form.element = make("div", { class: "av-choices" }, ...choices);
  form.legend = "";
  form.reveal = (truth) => {
    choices.forEach((label, index) => {
      label.input.disabled = true;
      label.input.checked = index === form.guess;
      label.classList.toggle("av-so", index === truth);
      const textContent = index === truth ? SO : index === form.guess ? "✗ your guess" : "";
      label.append(make("strong", { textContent }));
    });
  };
  return form;
}

// Create the row of a choice whose hands the presenter counts by mouse, by touch or with the keys, all with one hand.
// Its property `hands` is their number. goDown(by): goes to another choice.
function countedChoice(name, onCount, goDown, commit) {
  const id = `av${Math.random()}`; // unique in every copy of the view
  const title = "→ or +: one more. ← or −: one less. Or type how many. ↑ ↓: another choice. Enter: show";
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
  const adding = (by, textContent, words) => {
    const onclick = ({ pointerType }) => {
      add(by);
      if (pointerType !== "touch") choose(); // on a touch screen, focus would open the keyboard
    };
    return make("button", { type: "button", tabindex: -1, textContent, "aria-label": `${words} for ${name}`, onclick });
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
  const counter = make("span", {}, adding(-1, "−", "one hand less"), input, adding(1, "+", "one more hand"));
  const fill = make("div");
  const mark = make("strong");
  const share = make("div", { class: "av-share" }, fill);
  const row = make("div", { onkeydown }, make("label", { for: id, textContent: name }), counter, share, mark);
  row.hands = 0;
  write();
  return Object.assign(row, { choose, input, fill, mark });
}

function handsForm({ labels }, onGuess, commit) {
  const form = { legend: "", isOptional: true, button: ["Show", "Then the truth appears beside the hands"] };
  const onCount = () => {
    show();
    onGuess();
  };
  const rows = labels.map((name, index) => {
    const goDown = (by) => rows[clamp(index + by, rows.length)].choose();
    return countedChoice(name, onCount, goDown, commit);
  });
  const total = () => sum(rows.map(({ hands }) => hands));
  const inWords = () => `${total()} ${total() === 1 ? "hand" : "hands"}`;
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
  form.open = () => (total() ? `${inWords()}.` : "No hands counted yet.");
  form.result = (truth) => {
    const verdict = `it is ${labels[truth]}.`;
    return total() ? `${rows[truth].hands} of ${inWords()} said so: ${verdict}` : verdict.replace("it", "It");
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

function barsForm({ labels }, onGuess) {
  const form = { guess: labels.map(() => 1 / labels.length) };
  const bars = labels.map((label, index) => {
    const fill = make("div", { class: "av-guess" });
    const number = make("small");
    const range = { "aria-orientation": "vertical", "aria-valuemin": 0, "aria-valuemax": 1 };
    const track = make("div", { class: "av-track", role: "slider", tabindex: 0, "aria-label": label, ...range }, fill);
    const set = (height) => {
      if (form.isDone) return;
      form.guess = withBar(form.guess, index, Math.max(0, Math.min(1, height)));
      show();
      onGuess();
    };
    const drag = ({ clientY }) => {
      const { bottom, height } = track.getBoundingClientRect();
      set((bottom - clientY) / height);
    };
    track.onpointerdown = (event) => {
      track.setPointerCapture(event.pointerId);
      drag(event);
    };
    track.onpointermove = (event) => event.buttons && drag(event);
    track.onkeydown = (event) => {
      const [down, right] = arrow(event) ?? [0, 0];
      const by = { PageUp: 0.2, PageDown: -0.2 }[event.key] ?? 0.05 * (right - down);
      if (event.key.startsWith("Page")) event.preventDefault();
      if (by) set(Math.round(100 * (form.guess[index] + by)) / 100);
    };
    const bar = make("div", { class: "av-bar-of" }, number, track, make("span", { textContent: label }));
    return Object.assign(bar, { fill, track, number });
  });
  const show = () => {
    bars.forEach(({ fill, track, number }, i) => {
      fill.style.height = `${100 * form.guess[i]}%`;
      number.textContent = rounded(form.guess[i]);
      track.setAttribute("aria-valuenow", rounded(form.guess[i]));
    });
  };
  form.element = make("div", { class: labels.length > 8 ? "av-bars av-many" : "av-bars" }, ...bars);
  form.legend = "Wide and orange: your guess. Narrow and green: how it is.";
  form.reveal = (truth) => {
    form.isDone = true;
    show();
    bars.forEach(({ track, number }, i) => {
      const fill = make("div", { class: "av-truth" });
      fill.style.height = `${100 * truth[i]}%`;
      track.append(fill);
      track.setAttribute("aria-disabled", true);
      track.setAttribute("aria-valuetext", `you drew ${rounded(form.guess[i])}, it is ${rounded(truth[i])}`);
      number.textContent = rounded(truth[i]);
    });
  };
  show();
  return form;
}

function cellsForm({ labels, columns }, onGuess) {
  const form = { guess: labels.map(() => columns.map(() => false)) };
  const cells = labels.map((row, i) => columns.map((column, j) => cell(i, j)));
  function cell(i, j) {
    const tabindex = i || j ? -1 : 0; // one tab stop for the whole table
    const element = make("button", { type: "button", tabindex });
    element.onclick = () => {
      if (form.isDone) return;
      form.guess[i][j] = !form.guess[i][j];
      show(i, j);
      onGuess();
    };
    element.onkeydown = (event) => {
      const step = event.key.startsWith("Arrow") && arrow(event);
      if (!step) return;
      const next = cells[clamp(i + step[0], labels.length)][clamp(j + step[1], columns.length)];
      element.tabIndex = -1;
      next.tabIndex = 0;
      next.focus();
    };
    return element;
  }
  const show = (i, j, truth) => {
    const marked = form.guess[i][j];
    const state = truth ? cellState(marked, truth[i][j]) : null;
    const stateWords = truth ? IN_WORDS[state] : marked ? "marked" : "not marked";
    cells[i][j].className = `av-cell ${marked ? "av-marked" : ""} ${state ? `av-${state}` : ""}`;
    cells[i][j].textContent = truth ? SIGNS[state] : "";
    cells[i][j].setAttribute("aria-pressed", marked);
    cells[i][j].setAttribute("aria-label", `${labels[i]}, ${columns[j]}: ${stateWords}`);
  };
  const all = (truth) => cells.forEach((row, i) => row.forEach((_, j) => show(i, j, truth)));
  const head = make("tr", {}, make("td"), ...columns.map((textContent) => make("th", { scope: "col", textContent })));
  const lines = cells.map((row, i) => {
    const name = make("th", { scope: "row", textContent: labels[i] });
    return make("tr", {}, name, ...row.map((element) => make("td", {}, element)));
  });
  form.element = make("table", { class: "av-cells" }, head, ...lines);
  form.legend = Object.keys(SIGNS)
    .filter(Boolean)
    .map((state) => `${SIGNS[state]} ${IN_WORDS[state]}`)
    .join(" · ");
  form.reveal = (truth) => {
    form.isDone = true;
    all(truth);
  };
  all();
  return form;
}

const FORMS = { choice: choiceForm, bars: barsForm, cells: cellsForm };
const OF_A_ROOM = { choice: handsForm };

export const render = guarded((model, root) => {
  const kind = model.get("form");
  const labels = model.get("labels");
  const status = make("p", { class: "av-status", role: "status" });
  const waiting = patience(() => {
    status.textContent = `${NO_ANSWER}, and commit once more.`;
    commitButton.disabled = false;
  });

  const commit = () => {
    model.set("guess", form.guess);
    waiting.start();
    commitButton.disabled = true;
    status.textContent = "…";
    model.save_changes();
  };
  const guessed = () => {
    commitButton.disabled = false;
    if (form.open) status.textContent = form.open();
  };
  const makeForm = (root.closest(".deck") && OF_A_ROOM[kind]) || FORMS[kind];
  const form = makeForm({ labels, columns: model.get("columns") }, guessed, commit);
  const commitButton = button(...(form.button ?? ["Commit", "Then the truth appears over your guess"]), commit);
  commitButton.disabled = !form.isOptional;
  const show = () => {
    const { truth, note } = model.get("result");
    if (truth === undefined) return;
    waiting.end();
    form.guess = model.get("guess");
    form.reveal(truth);
    legend.textContent = form.legend;
    commitButton.hidden = true;
    const verdict = form.result ? form.result(truth) : judged(kind, form.guess, truth, labels);
    status.textContent = [verdict, note].filter(Boolean).join(" ");
  };

  const question = make("legend", {}, make("strong", { textContent: "Predict. " }), model.get("question"));
  const legend = make("small");
  const bar = make("div", { class: "av-bar" }, commitButton, status);
  const body = make("fieldset", {}, question, form.element, legend, bar);
  root.classList.add("av-predict");
  root.append(body);
  status.textContent = form.open ? form.open() : "Not committed yet. You can also go on without.";
  show();
  model.on("change:result", show);
  return () => model.off("change:result", show);
});
