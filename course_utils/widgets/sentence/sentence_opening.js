// What opens an arc of a SentenceView: a click on the arc, a button, or Enter on the chosen word.

import { ArcPanel } from "../arcs/arc_panel.js";
import { button } from "../shared/elements.js";
import { largest, rounded } from "../shared/numbers.js";
import { say } from "../shared/words.js";

export class Opening {
  // model: of the view. sentence: a Sentence of sentence.js, which shows the parts of an Opening.
  constructor(model, sentence) {
    Object.assign(this, { sentence, other: null }); // other: the index of the word at the other end of the open arc
    this.panel = new ArcPanel(model, {
      look: () => this.arc(),
      pick: (key) => this.pick(key),
      closed: () => this.closed(),
    });
    this.button = button("", "", () => this.open(this.strongest()));
    this.button.className = "av-arc-opener";
    this.button.hidden = !this.isThere;
  }

  get isThere() {
    return this.panel.source.isThere;
  }

  // Open the arc between the word whose arcs are shown and another one, i.
  open(i) {
    const { sentence } = this;
    if (sentence.word !== sentence.choice.query) sentence.pick({ query: sentence.word });
    this.other = i;
    sentence.paint(sentence.weights());
    this.panel.open();
  }

  closed() {
    this.other = null;
    this.sentence.show();
    this.sentence.asker.words[this.sentence.choice.query].focus();
  }

  strongest() {
    return largest(this.sentence.weights().map((weight) => weight || 0)); // 0 for nan
  }

  // Open the arc to another key of the same query.
  pick(key) {
    const { choice } = this.sentence;
    if (choice.asked) this.sentence.pick({ query: key });
    else this.other = key;
    this.sentence.show();
  }

  // Return what the panel shows, as ArcPanel takes it: the open arc.
  arc() {
    const { sentence } = this;
    const { layer, head, second, asked } = sentence.choice;
    const ends = [sentence.word, this.other ?? this.strongest()];
    const [query, key] = asked ? ends.toReversed() : ends;
    const weights = sentence.rowOf(query);
    const names = { query: sentence.name("queries", query), keys: weights.map((_, i) => sentence.name("keys", i)) };
    return { layer, head, sentence: Number(second), query, key, weights, names };
  }

  // Show what the sentence has chosen; if another word was chosen, its strongest arc is open then.
  show(isAnother) {
    if (isAnother && this.panel.isOpen) this.other = this.strongest();
    this.panel.show();
    const weight = rounded(this.sentence.weights()[this.strongest()]);
    this.button.textContent = say("Where does {weight} come from?", { weight });
  }
}
