// Predict: a guess, made in one of three forms and committed; then the truth over it.

import { button, make } from "./elements.js";
import { arrow } from "./keys.js";
import { cellState, judged, withBar } from "./judged.js";
import { clamp, rounded } from "./numbers.js";
import { NO_ANSWER, patience } from "./patience.js";
import { guarded } from "./view.js";

const SIGNS = { right: "✓", wrong: "✗", missed: "○", "": "" };
const IN_WORDS = { right: "marked, and so", wrong: "marked, not so", missed: "not marked, but so", "": "not marked" };

// Each form makes an element, keeps the guess, and shows the truth over it. onGuess() is called at every move.

function choiceForm({ labels }, onGuess) {
  const group = `av${Math.random()}`; // what ties radio buttons together must be the only one in the page
  const form = { guess: null };
  const choices = labels.map((textContent, index) => {
    const input = make("input", { type: "radio", name: group });
    input.onchange = () => {
      form.guess = index;
      onGuess();
    };
    const mark = make("strong");
    return Object.assign(make("label", {}, input, make("span", { textContent }), mark), { input, mark });
  });
  form.element = make("div", { class: "av-choices" }, ...choices);
  form.legend = "";
  form.reveal = (truth) => {
    choices.forEach(({ input, mark, classList }, index) => {
      input.disabled = true;
      input.checked = index === form.guess;
      if (index === truth) mark.textContent = "✓ so it is";
      else if (index === form.guess) mark.textContent = "✗ your guess";
      if (index === truth) classList.add("av-so");
    });
  };
  return form;
}

function barsForm({ labels }, onGuess) {
  const form = { guess: labels.map(() => 1 / labels.length) };
  const bars = labels.map((label, index) => {
    const fill = make("div", { class: "av-guess" });
    const number = make("small");
    const track = make("div", { class: "av-track", role: "slider", tabindex: 0, "aria-label": label }, fill);
    Object.entries({ orientation: "vertical", valuemin: 0, valuemax: 1 }).forEach(([name, value]) => {
      track.setAttribute(`aria-${name}`, value);
    });
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
    const tabindex = i || j ? -1 : 0; // one stop for the whole table
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
    const told = truth ? IN_WORDS[state] : marked ? "marked" : "not marked";
    cells[i][j].className = `av-cell ${marked ? "av-marked" : ""} ${state ? `av-${state}` : ""}`;
    cells[i][j].textContent = truth ? SIGNS[state] : "";
    cells[i][j].setAttribute("aria-pressed", marked);
    cells[i][j].setAttribute("aria-label", `${labels[i]}, ${columns[j]}: ${told}`);
  };
  const all = (truth) => cells.forEach((row, i) => row.forEach((_, j) => show(i, j, truth)));
  const head = make("tr", {}, make("td"), ...columns.map((textContent) => make("th", { scope: "col", textContent })));
  const lines = cells.map((row, i) => {
    const name = make("th", { scope: "row", textContent: labels[i] });
    return make("tr", {}, name, ...row.map((element) => make("td", {}, element)));
  });
  form.element = make("table", { class: "av-cells" }, head, ...lines);
  form.legend = Object.keys(SIGNS).filter(Boolean).map((state) => `${SIGNS[state]} ${IN_WORDS[state]}`).join(" · ");
  form.reveal = (truth) => {
    form.isDone = true;
    all(truth);
  };
  all();
  return form;
}

const FORMS = { choice: choiceForm, bars: barsForm, cells: cellsForm };

export const render = guarded((model, root) => {
  const kind = model.get("form");
  const labels = model.get("labels");
  const status = make("p", { class: "av-status", role: "status" });
  const open = "Not committed yet. You can also go on without.";
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
  const commitButton = button("Commit", "Then the truth appears over your guess", commit);
  commitButton.disabled = true;
  const form = FORMS[kind]({ labels, columns: model.get("columns") }, () => {
    commitButton.disabled = false;
  });
  const show = () => {
    const { truth, note } = model.get("result");
    if (truth === undefined) return;
    waiting.end();
    form.guess = model.get("guess");
    form.reveal(truth);
    legend.textContent = form.legend;
    commitButton.hidden = true;
    status.textContent = [judged(kind, form.guess, truth, labels), note].filter(Boolean).join(" ");
  };

  const question = make("legend", {}, make("strong", { textContent: "Predict. " }), model.get("question"));
  const legend = make("small");
  const bar = make("div", { class: "av-bar" }, commitButton, status);
  const body = make("fieldset", {}, question, form.element, legend, bar);
  root.classList.add("av-predict");
  root.append(body);
  status.textContent = open;
  show();
  model.on("change:result", show);
  return () => model.off("change:result", show);
});
