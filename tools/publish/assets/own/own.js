// The part of a page in which a visitor types a sentence and the model reads it, here in the page.

import { lastWords } from "./last_words.js";
import { ownModel } from "./model_of.js";
import { LoadError, Reader } from "./reader.js";

const { make, button } = courseViews["elements.js"];
const { say } = courseViews["words.js"];

const POINTING = ["it", "they", "them", "she", "he", "her", "him", "its", "their"]; // the word to begin with
const NAMES = [say("Your sentence"), say("A second sentence")];
const HELD = say("The address of this page holds what stands here: press Read. ");

const saves = () => navigator.connection?.saveData; // whether the browser asks pages to load little
const megabytes = (bytes) => `${Math.round(bytes / 1e6)} MB`;

const SIGNS = {
  "##": say(" ## begins a piece that goes on with the word before it."),
  "[UNK]": say(" [UNK] stands for what the model has no piece for: it has read English alone."),
};

// What stands for the signs among the pieces that were read.
const signs = (read) => {
  const pieces = read.flatMap(({ tokens }) => tokens);
  const met = Object.keys(SIGNS).filter((sign) => pieces.some((piece) => piece.startsWith(sign)));
  return met.map((sign) => SIGNS[sign]).join("");
};

// The sentences that the address holds, after #s=.
const held = () => new URLSearchParams(location.hash.slice(1)).getAll("s").slice(0, 2);

class Own {
  // root: the element of own.html. given: what tools/publish/own.py has stored: sizes, worker, palettes, example, last
  // (as lastWords takes it), layer and head.
  constructor(root, given) {
    Object.assign(this, { root, given, choice: { layer: given.layer, head: given.head }, models: [] });
    this.status = make("p", { class: "own-status", role: "status" });
    this.bar = make("progress", { max: 1, "aria-label": say("Loading the model") });
    this.bar.hidden = true;
    this.out = make("div", { class: "own-out" });
    const count = given.last.words.length;
    this.lastWords = make(
      "details",
      { class: "own-last" },
      make("summary", { textContent: say("{count} last words: at which does it change its mind?", { count }) }),
      lastWords(given.last, given.palettes),
    );
    try {
      this.reader = new Reader(
        given.sizes,
        given.worker,
        (loaded, needed) => this.showProgress(loaded, needed),
        `${document.documentElement.dataset.root}model/`,
      );
    } catch {
      const words = say(
        "This browser lets no page have a worker, and the model runs in one. The words below need none.",
      );
      this.lastWords.open = true; // elsewhere it is closed: its arcs are not those of the sentence above it
      root.append(make("p", { class: "own-status", textContent: words }), this.lastWords);
      return;
    }
    this.build();
  }

  build() {
    this.lines = NAMES.map((name) => this.line(name));
    this.more = button(say("Put a second sentence beside it"), "", () => this.showSecond());
    this.go = make("button", { class: "own-go", textContent: say("Read") });
    const buttons = make("div", { class: "own-bar" }, this.go, this.more);
    this.form = make("form", {}, ...this.lines, buttons);
    this.form.onsubmit = (event) => {
      event.preventDefault();
      this.read();
    };
    this.root.append(this.form, this.bar, this.status, this.out, this.lastWords);
    const sentences = held();
    this.fill(sentences.length ? sentences : [this.given.example]);
    this.tell(sentences.length ? HELD + this.cost() : this.cost());
    // Another address of this page may come later, when a reader opens a second link in the same tab.
    addEventListener("hashchange", () => {
      const sentences = held();
      if (!sentences.length) return; // it leads to a part of the page
      this.fill(sentences);
      this.tell(this.began ? HELD : HELD + this.cost());
    });
  }

  fill(sentences) {
    this.lines.forEach(({ input }, i) => (input.value = sentences[i] ?? ""));
    this.lines[1].hidden = sentences.length < 2;
    this.more.hidden = !this.lines[1].hidden;
  }

  cost() {
    const first = this.reader.bytes(this.reader.needed());
    const all = this.reader.bytes(Object.keys(this.given.sizes));
    const sizes = { common: megabytes(first), all: megabytes(all) };
    return saves()
      ? say("The model comes when you press Read: {common} for common words, {all} for all words.", sizes)
      : say("The model comes when you type, or press Read: {common} for common words, {all} for all words.", sizes);
  }

  line(name) {
    const input = make("input", { type: "text", autocomplete: "off", spellcheck: "false" });
    input.oninput = () => saves() || this.begin();
    const clear = button("×", say("Clear: {name}", { name: name.toLowerCase() }), () => {
      input.value = "";
      input.focus();
    });
    clear.setAttribute("aria-label", clear.title);
    const label = make("label", {}, make("span", { textContent: name }), input);
    return Object.assign(make("div", { class: "own-line" }, label, clear), { input });
  }

  showSecond() {
    this.lines[1].hidden = false;
    this.more.hidden = true;
    this.lines[1].input.value ||= this.lines[0].input.value;
    this.lines[1].input.focus();
  }

  tell(words, isError = false) {
    this.status.textContent = words;
    this.status.classList.toggle("own-error", isError);
  }

  showProgress(loaded, needed) {
    this.bar.hidden = loaded === needed;
    this.bar.value = loaded / needed;
    if (this.status.classList.contains("own-error")) return; // what a visitor should do stays to be read
    if (loaded < needed) {
      const sizes = { loaded: megabytes(loaded), needed: megabytes(needed) };
      this.tell(say("Loading the model: {loaded} of {needed}.", sizes));
    } else if (!this.isReading) this.tell(say("The model is here. Press Read."));
  }

  // Load what every sentence needs, while the visitor still types.
  begin() {
    if (this.began) return;
    this.began = true;
    this.reader.load(this.reader.needed()).catch((error) => this.fail(error));
  }

  async read() {
    if (this.isReading) return;
    const lines = this.lines.filter((line) => !line.hidden);
    const texts = lines.map(({ input }) => input.value.trim()).filter(Boolean);
    if (!texts.length) {
      this.tell(say("There is nothing to read yet: type a sentence, such as the one about the robot."), true);
      lines[0].input.focus();
      return;
    }
    this.isReading = true;
    this.began = true;
    this.tell(say("Reading …"));
    this.go.textContent = say("Read");
    try {
      const read = [];
      for (const text of texts) read.push(await this.reader.read(text));
      this.show(read, texts);
    } catch (error) {
      this.fail(error);
    }
    this.isReading = false;
  }

  fail(error) {
    this.began = false;
    this.bar.hidden = true;
    if (!(error instanceof LoadError)) {
      const { message } = error;
      const words = say("The model could not read this: {message}. Try another sentence, or load the page again.", {
        message,
      });
      return this.tell(words, true);
    }
    const have = this.reader.bytes([...this.reader.loaded]);
    this.go.textContent = say("Go on");
    const places = { file: `${error.message}.js`, have: megabytes(have) };
    this.tell(say("The load broke off: {file} did not come. {have} are here and are kept. Press Go on.", places), true);
  }

  show(read, texts) {
    const empty = read.find(({ layers }) => !layers);
    if (empty) {
      const words = say(
        "The model knows no piece of this: it has only characters that cannot be seen. Type some words.",
      );
      this.tell(words, true);
      return;
    }
    history.replaceState(null, "", `#${new URLSearchParams(texts.map((text) => ["s", text]))}`);
    this.models = read.map((result) => this.modelOf(result));
    this.link();
    this.out.replaceChildren(...this.models.map((model, i) => this.picture(model, read.length > 1 && NAMES[i])));
    const time = read.map(({ milliseconds }) => Math.round(milliseconds)).join(say(" and "));
    const cut = read.map(({ tokens, count }) => {
      if (tokens.length === count) return "";
      const places = { count, first: tokens.length - 1 };
      return say(" A sentence of {count} pieces is too long: the first {first} and the end were read.", places);
    });
    this.tell(say("Read in {time} ms, through 6 layers of 12 heads.", { time }) + cut.join("") + signs(read));
  }

  modelOf(result) {
    const { tokens } = result;
    const pointing = tokens.findIndex((token) => POINTING.includes(token));
    const query = pointing > 0 ? pointing : Math.max(1, tokens.findLastIndex((token) => /^[\p{L}\d]/u.test(token)));
    return ownModel(this.given.palettes, result, this.reader.askers, { ...this.choice, query });
  }

  // Let the sentences show the same layer and head; and the same word if they have equally many.
  link() {
    const [first, second] = this.models;
    const areAlike = second && first.get("tokens").length === second.get("tokens").length;
    for (const name of ["layer", "head", ...(areAlike ? ["query"] : [])]) {
      for (const model of this.models) {
        model.on(`change:${name}`, () => {
          if (name in this.choice) this.choice[name] = model.get(name);
          this.models.forEach((other) => other.set(name, model.get(name)));
        });
      }
    }
  }

  picture(model, name) {
    const heads = make("details", {}, make("summary", { textContent: say("All heads of a layer, as tables") }));
    heads.ontoggle = () => {
      if (heads.childElementCount > 1) return;
      const view = make("div", { class: "view" });
      heads.append(view);
      courseViews["heads.js"].render({ model, el: view });
    };
    const view = make("div", { class: "view" });
    const element = make("section", { "aria-label": name || NAMES[0] }, view, heads);
    requestAnimationFrame(() => courseViews["sentence.js"].render({ model, el: view }));
    return element;
  }
}

export const start = (root, given) => new Own(root, given);
