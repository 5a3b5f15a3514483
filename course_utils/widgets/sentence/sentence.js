// SentenceView: a sentence, with arcs from the chosen word to the words that it looks at.

import { arc, between, summary } from "../arcs/arcs.js";
import { laidOut, wordBeside } from "../arcs/word_lines.js";
import { shared } from "../shared/choice.js";
import { make, select, toggle } from "../shared/elements.js";
import { decode, rounded, sizeOf } from "../shared/numbers.js";
import { MARK } from "../shared/svg.js";
import { guarded } from "../shared/view.js";
import { axisName, say } from "../shared/words.js";
import { Guess } from "./sentence_guess.js";
import { Opening } from "./sentence_opening.js";

const THICKEST = 16; // px: the width of the arc for a weight of 1
const SHOWN_FROM = 0.05; // a smaller share has an arc, but no number
const MOVING = 450; // ms: the duration of the animation from one sentence to the other

class Sentence {
  // choice: layer, head and query; second, whether the second sentence is shown; asked, whether the chosen word is a
  // key, so that the arcs lead to the queries that look at it. onPick(choice): called when the reader chooses.
  constructor(model, choice, onPick) {
    const get = (name) => model.get(name);
    this.shape = get("shape");
    const packed = [get("weights"), get("other")].filter(({ byteLength }) => byteLength);
    this.runs = packed.map((weights) => decode(weights, sizeOf(this.shape), get("high")));
    this.full = Math.max(1, get("high"));
    this.isPair = get("two_lines");
    this.names = {
      queries: [get("tokens"), get("compare_tokens")],
      keys: [get("key_tokens"), this.isPair ? get("key_tokens") : get("compare_tokens")],
    };
    Object.assign(this, { choice, onPick, hover: null });
    this.opening = new Opening(model, this);
    this.guess = new Guess(model, this);
    this.build(get("axis"), get("positions"), get("names"));
  }

  build(axis, positions, names) {
    const [layers, heads] = this.shape;
    const pick = (name) => (index) => this.pick({ [name]: index });
    const turn = (name) => (index) => this.pick({ [name]: index === 1 });
    this.controls = {
      second: this.runs.length < 2 ? null : toggle(say("sentence"), names, turn("second")),
      asked: toggle(say("direction"), [say("looks at"), say("is looked at by")], turn("asked")),
      layer: layers < 2 ? null : select(axisName(axis), positions, pick("layer")),
      head: heads < 2 ? null : select(say("head"), [...Array(heads).keys()], pick("head")),
    };
    this.arcs = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    this.arcs.setAttribute("aria-hidden", "true");
    this.queries = this.line("queries");
    this.keys = this.isPair ? this.line("keys") : this.queries;
    const lines = this.isPair ? [this.queries.element, this.keys.element] : [this.queries.element];
    this.text = make("div", { class: this.isPair ? "av-text av-pair" : "av-text" }, this.arcs, ...lines);
    this.status = make("p", { class: "av-status", role: "status" });
    const bar = make("div", { class: "av-bar" }, ...Object.values(this.controls).filter(Boolean));
    const { button, panel, isThere } = this.opening;
    this.element = make("div", { class: "av-sentence" }, bar, this.text, this.status, button, panel.element);
    this.element.classList.toggle("av-opens", isThere);
    this.arcs.onclick = ({ target }) => this.opening.open(Number(target.dataset.to));
    this.text.onpointerleave = () => this.point(null);
  }

  // Create the line of the queries or of the keys. Each word contains its names in both sentences, so that the line is
  // as wide in either.
  line(which) {
    const [first, second] = this.names[which];
    const words = first.map((name, i) => {
      const other = second[i] ?? name;
      const texts = [name, ...(other === name ? [] : [other])].map((textContent) => make("span", { textContent }));
      const number = make("small", { "aria-hidden": "true" });
      const word = make("span", { class: "av-word" }, make("span", { class: "av-names" }, ...texts), number);
      word.onpointerenter = () => this.asks(which) && this.point(i);
      if (texts.length > 1) this.makeSwitch(word, texts);
      word.onclick = () => {
        if (texts.length > 1) this.turn();
        else if (this.asks(which)) this.pick({ query: i });
        else return;
        word.focus();
      };
      word.onkeydown = (event) => this.onKey(event, i);
      return Object.assign(word, { texts, number });
    });
    return { words, element: make("div", { class: "av-words" }, ...words) };
  }

  // A word that differs between the sentences is the switch between them: a click, Enter or the space bar turns it.
  makeSwitch(word, texts) {
    word.classList.add("av-turns");
    const [first, second] = texts.map((text) => text.textContent);
    word.title = say("Turn: {first} or {second}", { first, second });
    word.setAttribute("aria-description", say("Enter turns it into the other word"));
  }

  turn() {
    this.pick({ second: !this.choice.second });
  }

  // Whether the words of this line can be chosen in the present direction.
  asks(which) {
    return !this.isPair || which === (this.choice.asked ? "keys" : "queries");
  }

  get asker() {
    return this.choice.asked ? this.keys : this.queries;
  }

  get others() {
    return this.choice.asked ? this.queries : this.keys;
  }

  get word() {
    return Math.min(this.hover ?? this.choice.query, this.asker.words.length - 1);
  }

  name(which, i) {
    const [first, second] = this.names[which];
    return (this.choice.second ? second[i] : first[i]) ?? first[i];
  }

  // Return the weights of the chosen word: a row of the matrix for a query, a column for a key.
  weights(run = this.choice.second) {
    if (!this.choice.asked) return this.rowOf(this.word, run);
    return Array.from({ length: this.shape[2] }, (_, row) => this.rowOf(row, run)[this.word]);
  }

  // Return the weights of a query, one for each key.
  rowOf(query, run = this.choice.second) {
    const [, heads, rows, columns] = this.shape;
    const start = ((this.choice.layer * heads + this.choice.head) * rows + query) * columns;
    return Array.from(this.runs[Number(run)].subarray(start, start + columns));
  }

  point(word) {
    if (word === this.hover) return;
    this.hover = word;
    this.show();
  }

  pick(choice) {
    this.choose(choice);
    this.onPick(choice);
  }

  choose(choice) {
    const isSwitch = "second" in choice && choice.second !== this.choice.second;
    const before = isSwitch && this.weights();
    const { asked: direction, query } = this.choice;
    Object.assign(this.choice, choice);
    this.hover = null;
    if (direction !== this.choice.asked) this.markRoles();
    this.show(direction !== this.choice.asked || query !== this.choice.query);
    if (isSwitch) this.move(before, this.weights());
  }

  // Animate the change from one sentence to the other, so that the eye follows which arcs grow and which shrink.
  move(before, after) {
    cancelAnimationFrame(this.frame);
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    const began = performance.now();
    const step = (now) => {
      const share = Math.min(1, Math.max(0, now - began) / MOVING);
      this.paint(between(before, after, share * share * (3 - 2 * share)));
      if (share < 1) this.frame = requestAnimationFrame(step);
    };
    this.paint(before);
    this.frame = requestAnimationFrame(step);
  }

  onKey(event, i) {
    const { words, places } = this.asker;
    const next = { ArrowLeft: i - 1, ArrowRight: i + 1, Home: 0, End: words.length - 1, Enter: i, " ": i }[event.key];
    const down = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    const to = down ? wordBeside(places, i, down) : next;
    if (to == null) return;
    event.preventDefault();
    if (!words[to]) return;
    if ((event.key === "Enter" || event.key === " ") && words[i].texts.length > 1) return this.turn();
    const isAgain = to === this.choice.query && to === i && event.key !== "Home" && event.key !== "End";
    if (isAgain && this.opening.isThere) return this.opening.open(this.opening.strongest());
    this.pick({ query: to });
    words[to].focus();
  }

  markRoles() {
    for (const line of new Set([this.queries, this.keys])) {
      const isAsker = line === this.asker;
      const label = this.choice.asked ? say("Word that is looked at") : say("Word that looks");
      line.element.setAttribute("role", isAsker ? "radiogroup" : "group");
      line.element.setAttribute("aria-label", isAsker ? label : say("The other words"));
      for (const word of line.words) {
        if (isAsker) word.setAttribute("role", "radio");
        else ["role", "tabindex", "aria-checked"].forEach((name) => word.removeAttribute(name));
      }
    }
  }

  layOut() {
    const width = this.text.clientWidth;
    if (!width) return;
    this.room = laidOut(this.text, [...new Set([this.queries, this.keys])]);
    this.arcs.setAttribute("width", width);
    this.arcs.setAttribute("height", this.text.clientHeight);
    this.show();
  }

  // isAnother: whether another word has been chosen.
  show(isAnother) {
    cancelAnimationFrame(this.frame);
    const { choice, controls, asker, word } = this;
    asker.words.forEach((element, i) => {
      element.setAttribute("aria-checked", i === choice.query);
      element.tabIndex = i === choice.query ? 0 : -1;
      element.classList.toggle("av-asking", i === word);
    });
    if (this.others !== asker) this.others.words.forEach((element) => element.classList.remove("av-asking"));
    for (const line of [this.queries, this.keys]) {
      for (const { texts } of line.words) {
        if (texts[1]) texts.forEach((text, i) => text.classList.toggle("av-away", i !== Number(choice.second)));
      }
    }
    for (const name in controls) controls[name]?.put(Number(choice[name]));
    if (this.hover == null) this.opening.show(isAnother);
    if (this.guess.isOpen) {
      this.paint(this.weights().map(() => 0));
      return this.guess.show();
    }
    const weights = this.weights();
    this.paint(weights);
    const [mine, theirs] = choice.asked ? ["keys", "queries"] : ["queries", "keys"];
    const pairs = weights.map((weight, i) => [this.name(theirs, i), weight]);
    this.status.textContent = this.guess.reply ?? summary(this.name(mine, word), pairs, choice.asked, rounded);
  }

  paint(weights) {
    const { asker, others, word } = this;
    if (!asker.places || !this.text.clientWidth) return; // not in sight
    const from = asker.places[word];
    const drawn = weights.map((weight, i) => {
      const share = Math.min(1, Math.abs(weight) / this.full) || 0; // 0 for nan
      others.words[i].style.setProperty("--weight", share.toFixed(3));
      others.words[i].number.textContent = Number.isNaN(weight) ? "nan" : share < SHOWN_FROM ? "" : rounded(weight);
      if (share < 0.005) return "";
      const look = `stroke-width="${Math.max(0.8, THICKEST * share).toFixed(1)}"`;
      const way = arc(from, others.places[i], this.room - 8, this.text.clientWidth);
      const opacity = i === this.opening.other ? 1 : (0.35 + 0.5 * share).toFixed(2);
      return `<path d="${way}" ${look} opacity="${opacity}" data-to="${i}"/>`;
    });
    if (others !== asker) {
      for (const { style, number } of asker.words) {
        style.setProperty("--weight", 0);
        number.textContent = "";
      }
    }
    this.arcs.innerHTML = `<g fill="none" stroke="${MARK}" stroke-linecap="round">${drawn.join("")}</g>`;
  }
}

export const render = guarded((model, root) => {
  const [layer, head, rows, columns] = model.get("shape");
  const query = model.get("two_lines") ? Math.max(rows, columns) : rows;
  const limits = { layer, head, query, second: 2, asked: 2 };
  const choice = Object.fromEntries(Object.keys(limits).map((name) => [name, model.get(name)]));
  const sentence = new Sentence(model, choice, (chosen) => together.tell(chosen));
  const shown = (name) => sentence.choice[name];
  const together = shared(model, limits, shown, (chosen) => sentence.choose(chosen));
  root.append(sentence.element);
  sentence.markRoles();
  sentence.guess.begin();
  const watcher = new ResizeObserver(() => sentence.layOut());
  watcher.observe(sentence.text);
  return () => {
    watcher.disconnect();
    together.leave();
    sentence.opening.panel.leave();
  };
});
