// Predict: the reader guesses in one of three forms and commits, then the truth appears over the guess. In a slide
// deck, the presenter counts the hands of an audience instead.

import { button, make, radios } from "../shared/elements.js";
import { arrow } from "../shared/keys.js";
import { keep, kept } from "../shared/memory.js";
import { clamp, rounded } from "../shared/numbers.js";
import { NO_ANSWER, patience } from "../shared/requests.js";
import { guarded } from "../shared/view.js";
import { say } from "../shared/words.js";
import { handsForm } from "./hands.js";
import { asShares, cellState, isGuess, judged, onSum, SO } from "./judged.js";

const OPEN = say("Not committed yet. You can also go on without.");
const SIGNS = { right: "✓", wrong: "✗", missed: "○", "": "" };
const IN_WORDS = {
  right: say("marked, and so"),
  wrong: say("marked, not so"),
  missed: say("not marked, but so"),
  "": say("not marked"),
};

// A form is an object with: element; guess, the present guess; legend; reveal(truth), which shows the truth over the
// guess. Optional are: open(), which returns the status before the commit; committed(), which returns the guess that is
// committed; result(truth), which returns the result;
// button, the label and title of the commit button; isOptional, whether it is enabled without a guess.
// A form calls onGuess() whenever the guess changes.

function choiceForm({ labels }, onGuess) {
  const form = { guess: null };
  const pick = (index) => {
    form.guess = index;
    onGuess();
  };
  const choices = radios(labels, pick);
  form.element = make("div", { class: "av-choices" }, ...choices);
  form.legend = "";
  form.reveal = (truth) => {
    choices.forEach((label, index) => {
      label.input.disabled = true;
      label.input.checked = index === form.guess;
      label.classList.toggle("av-so", index === truth);
      const textContent = index === truth ? SO : index === form.guess ? say("✗ your guess") : "";
      label.append(make("strong", { textContent }));
    });
  };
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
      form.guess = form.guess.map((old, i) => (i === index ? Math.max(0, Math.min(1, height)) : old));
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
  form.open = () => onSum(form.guess) || OPEN;
  form.committed = () => asShares(form.guess);
  form.legend = say("Wide and orange, and above: your guess. Narrow and green, and below it: how it is.");
  form.reveal = (truth) => {
    form.isDone = true;
    show();
    bars.forEach(({ track, number }, i) => {
      const fill = make("div", { class: "av-truth" });
      fill.style.height = `${100 * truth[i]}%`;
      track.append(fill);
      track.setAttribute("aria-disabled", true);
      const places = { guess: rounded(form.guess[i]), truth: rounded(truth[i]) };
      track.setAttribute("aria-valuetext", say("you drew {guess}, it is {truth}", places));
      const both = { "av-drawn": places.guess, "av-is": places.truth };
      number.replaceChildren(
        ...Object.entries(both).map(([name, textContent]) => make("span", { class: name, textContent })),
      );
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
    const stateWords = truth ? IN_WORDS[state] : marked ? say("marked") : say("not marked");
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
  form.element = make("div", { class: "av-wide" }, make("table", { class: "av-cells" }, head, ...lines));
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
const PREDICTED = "course-predicted"; // dispatched on the view, and bubbles, when the truth appears

// In JupyterLab, open the first fold below a view that tells the outcome of its prediction. On pages of the web
// edition, their own script does so.
function openOutcome(view) {
  const cells = [...(view.closest(".jp-Notebook")?.querySelectorAll(".jp-Cell") ?? [])];
  const below = cells.slice(cells.indexOf(view.closest(".jp-Cell")) + 1);
  const next = below.findIndex((cell) => cell.querySelector(".av-predict"));
  const folds = below.slice(0, next < 0 ? below.length : next).flatMap((cell) => [...cell.querySelectorAll("details")]);
  const fold = folds.find(({ firstElementChild }) => firstElementChild?.textContent === say("What it shows"));
  if (fold) fold.open = true;
}

export const render = guarded((model, root) => {
  const kind = model.get("form");
  const labels = model.get("labels");
  const asked = JSON.stringify([labels, model.get("columns")]); // a guess that is kept belongs to these
  const status = make("p", { class: "av-status", role: "status" });
  const waiting = patience(() => {
    status.textContent = say("{reason}, and commit once more.", { reason: NO_ANSWER });
    commitButton.disabled = false;
  });

  const commit = () => {
    if (form.committed) form.guess = form.committed();
    model.set("guess", form.guess);
    keep("predictions", model.get("name"), { guess: form.guess, asked });
    commitButton.disabled = true;
    status.textContent = "…";
    waiting.ask(() => model.save_changes());
  };
  const guessed = () => {
    commitButton.disabled = false;
    if (form.open) status.textContent = form.open();
  };
  const makeForm = (root.closest(".deck") && OF_A_ROOM[kind]) || FORMS[kind];
  const form = makeForm({ labels, columns: model.get("columns") }, guessed, commit);
  const labelAndTitle = form.button ?? [say("Commit"), say("Then the truth appears over your guess")];
  const commitButton = button(...labelAndTitle, commit);
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
    root.dispatchEvent(new Event(PREDICTED, { bubbles: true }));
    openOutcome(root);
  };

  const question = make("legend", {}, make("strong", { textContent: say("Predict. ") }), model.get("question"));
  const legend = make("small");
  const bar = make("div", { class: "av-bar" }, commitButton, status);
  const body = make("fieldset", {}, question, form.element, legend, bar);
  root.classList.add("av-predict");
  root.append(body);
  status.textContent = form.open ? form.open() : OPEN;
  show();
  model.on("change:result", show);
  const before = kept("predictions", model.get("name"));
  if (before?.asked === asked && isGuess(kind, before.guess, labels, model.get("columns"))) {
    form.guess = before.guess;
    commit();
  }
  return () => model.off("change:result", show);
});
