// Where the numbers of a head come from: stored with the view, sent by the kernel on request, or computed by a page.

import { patience } from "../shared/requests.js";
import { say } from "../shared/words.js";
import { unpacked } from "./head_numbers.js";

const ASKING = say("Asking the kernel for the numbers of this head …");
const NOT_STORED = say(
  "This page has the numbers of the head with which the view began. In JupyterLab, the model gives those of all heads.",
);

export class ArcSource {
  // model: as anywidget gives it, or a page's substitute for it. Where the page computes the weights, the substitute
  // has a function headNumbers(layer, head), which returns a promise of what `unpacked` returns. onNews(): called when
  // numbers, or a note, have come.
  constructor(model, onNews) {
    Object.assign(this, { model, onNews, known: new Map(), asked: 0, note: "" });
    const [, , rows, columns] = model.get("shape");
    this.sizes = { rows, columns };
    this.sentences = model.get("other").byteLength ? 2 : 1;
    this.waiting = patience((words) => this.tell(words));
    this.hear = () => {
      this.waiting.end();
      this.read();
      this.tell(model.get("numbers").note);
    };
    this.read();
    model.on("change:numbers", this.hear);
  }

  // Whether the view has any numbers, so that its weights can be opened.
  get isThere() {
    return Boolean(this.model.headNumbers) || this.known.size > 0 || this.isLive;
  }

  get isLive() {
    return Boolean(this.model.get("numbers")?.live);
  }

  read() {
    for (const [layer, head, width, dim, start] of this.model.get("numbers")?.heads ?? []) {
      const sizes = { ...this.sizes, width, dim };
      this.known.set(`${layer}.${head}`, unpacked(this.model.get("numbers_data"), start, sizes, this.sentences));
    }
  }

  tell(note) {
    this.note = note;
    this.onNews();
  }

  // Return the numbers of a head for a sentence, or null if they are not here (yet): then `note` says why.
  of(layer, head, sentence) {
    const name = `${layer}.${head}`;
    const numbers = this.known.get(name);
    if (numbers) return numbers[sentence];
    if (this.model.headNumbers) this.compute(layer, head, name);
    else if (!this.isLive) this.note = NOT_STORED;
    else if (this.wanted !== name) this.ask(layer, head, name);
    return null;
  }

  compute(layer, head, name) {
    this.note = "";
    this.model.headNumbers(layer, head).then(
      (numbers) => {
        this.known.set(name, numbers);
        this.onNews();
      },
      (error) => {
        this.known.set(name, []); // it is not tried again
        this.tell(say("The numbers of this head could not be computed: {error}", { error: error.message }));
      },
    );
  }

  ask(layer, head, name) {
    this.wanted = name;
    this.note = ASKING;
    this.waiting.ask(() => {
      this.model.set("wanted", [layer, head, ++this.asked]);
      this.model.save_changes();
    });
  }

  leave() {
    this.waiting.end();
    this.model.off("change:numbers", this.hear);
  }
}
