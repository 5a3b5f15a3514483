// The panel into which a weight opens, step by step, down to the numbers that it is made of.

import { palette } from "../shared/colours.js";
import { button, make } from "../shared/elements.js";
import { clamp } from "../shared/numbers.js";
import { theme } from "../shared/theme.js";
import { say } from "../shared/words.js";
import { PICTURES } from "./arc_pictures.js";
import { ArcSource } from "./arc_source.js";
import { addressOf, STEPS, written } from "./arc_steps.js";
import { largestOf, products } from "./head_numbers.js";

export class ArcPanel {
  // model: of the view. look(): returns what the view shows, { layer, head, sentence, query, key, weights, names }, as
  // in arc_steps.js. pick(key): makes the view choose a key. closed(): called after the panel has been closed.
  constructor(model, { look, pick, closed }) {
    Object.assign(this, { look, pick, closed, step: 0, feature: null, isOpen: false });
    this.source = new ArcSource(model, () => this.show());
    this.colours = palette(model.get("diverging"));
    this.theme = theme(() => this.show());
    this.build();
  }

  build() {
    const id = `av${Math.random()}`; // an id must be unique in the page
    const tab = { type: "button", role: "tab", "aria-controls": id };
    this.tabs = STEPS.map((_, i) => make("button", { ...tab, onclick: () => this.go(i) }));
    const name = say("Steps from the weight to its numbers");
    const list = make("div", { role: "tablist", "aria-label": name }, ...this.tabs);
    const close = button("×", say("Close"), () => this.close());
    close.setAttribute("aria-label", say("Close the numbers"));
    this.words = make("p", { "aria-live": "polite" });
    this.picture = make("div");
    this.more = make("p", { class: "av-arc-more" });
    this.body = make("div", { role: "tabpanel", id }, this.words, this.picture, this.more);
    this.element = make("div", { class: "av-arc", role: "group", hidden: "" }, list, close, this.body);
    this.element.hidden = true;
    this.element.onkeydown = (event) => this.onKey(event);
    this.picture.onclick = ({ target }) => this.onClick(target.closest("[data-key],[data-feature]"));
  }

  open(step = 0) {
    this.isOpen = true;
    this.feature = null;
    this.element.hidden = false;
    this.go(step);
    this.element.scrollIntoView({ block: "nearest" });
  }

  close() {
    this.isOpen = false;
    this.element.hidden = true;
    this.closed();
    this.tell();
  }

  // Let a slide make room for what is open.
  tell() {
    this.element.dispatchEvent(new Event("change", { bubbles: true }));
  }

  go(step) {
    this.step = clamp(step, STEPS.length);
    this.show();
    this.tabs[this.step].focus({ preventScroll: true });
    this.tell();
  }

  onKey(event) {
    const { key, ctrlKey, metaKey, altKey } = event;
    if (ctrlKey || metaKey || altKey) return;
    const to = { ArrowLeft: this.step - 1, ArrowRight: this.step + 1, Home: 0, End: STEPS.length - 1 }[key];
    const down = { ArrowUp: -1, ArrowDown: 1 }[key];
    if (key === "Escape") this.close();
    else if (to != null) this.go(to);
    else if (down) this.move(down);
    else return;
    event.preventDefault();
    event.stopPropagation(); // JupyterLab and a deck have uses of their own for these keys
  }

  // Choose the next key or feature.
  move(down) {
    const { arc } = this;
    if (!arc) return;
    if (STEPS[this.step].moves === "key") this.pick(clamp(arc.key + down, arc.weights.length));
    else this.choose(clamp(arc.feature + down, arc.numbers.dim));
  }

  choose(feature) {
    this.feature = feature;
    this.show();
  }

  onClick(target) {
    if (target?.dataset.key != null) this.pick(Number(target.dataset.key));
    else if (target?.dataset.feature != null) this.choose(Number(target.dataset.feature));
  }

  show() {
    if (!this.isOpen) return;
    const seen = this.look();
    const numbers = this.source.of(seen.layer, seen.head, seen.sentence);
    const where = JSON.stringify([seen.layer, seen.head, seen.sentence, seen.query, seen.key]);
    if (where !== this.where) this.feature = null; // another arc: its own largest product
    this.where = where;
    this.arc = numbers && {
      ...seen,
      numbers,
      feature: this.feature ?? largestOf(products(numbers, seen.query, seen.key)),
      colours: this.colours,
      dark: this.theme.dark,
      width: this.body.clientWidth,
    };
    const { arc, step } = this;
    const ends = { query: seen.names.query, key: seen.names.keys[seen.key] };
    this.element.setAttribute("aria-label", say("The numbers behind {query} to {key}", ends));
    this.tabs.forEach((tab, i) => {
      const { caption, value, sign = "" } = STEPS[i];
      const textContent = arc ? written(value(arc)) + sign : "?";
      tab.setAttribute("aria-selected", i === step);
      tab.tabIndex = i === step ? 0 : -1;
      tab.replaceChildren(make("b", { textContent }), make("small", { textContent: caption }));
    });
    this.words.innerHTML = arc ? STEPS[step].says(arc) : "";
    if (!arc) this.words.textContent = this.source.note;
    this.picture.replaceChildren(...(arc ? [PICTURES[STEPS[step].name](arc)] : []));
    this.more.replaceChildren(...(arc ? this.lesson() : []));
  }

  // Return what stands at the end of a step: the notebook that builds it, and the keys.
  lesson() {
    const { file, title, moves } = STEPS[this.step];
    const href = addressOf(file, location.pathname, Boolean(globalThis.courseViews));
    const name = say("notebook {number}, {title}", { number: parseInt(file, 10), title });
    const link = href ? make("a", { href, textContent: name }) : name;
    if (href?.endsWith(".ipynb")) link.target = "_blank"; // the reader's kernel goes on in this tab
    const another = moves === "key" ? say("another word") : say("another number");
    const keys = say("← → steps · ↑ ↓ {another} · Esc closes", { another });
    const [before, after] = say("You build this in {notebook}.").split("{notebook}");
    return [make("span", {}, before, link, after), make("small", { class: "av-arc-keys", textContent: keys })];
  }

  leave() {
    this.source.leave();
    this.theme.leave();
  }
}
