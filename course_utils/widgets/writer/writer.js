// Writer: a text that grows as a model writes it, through the kernel, or as it was recorded.

import { shared } from "../shared/choice.js";
import { make, select, toggle } from "../shared/elements.js";
import { clamp, largest } from "../shared/numbers.js";
import { Requests } from "../shared/requests.js";
import { heightLeft, watchRoom } from "../shared/room.js";
import { guarded } from "../shared/view.js";
import { say } from "../shared/words.js";
import { buttons, candidatesTable, headMenus, headsTable, notes } from "./writer_tables.js";
import { WriterText } from "./writer_text.js";
import { branchName, said, Written } from "./writing.js";

const PACE = 300; // ms: between two tokens that were written before
const CHOICES = { branch: Infinity, shown: Infinity, token: Infinity, head: Infinity }; // without limits of a group
const CLICKS = say("a click chooses the");
const FIRST = say("Choose a token that was written: it is written anew, and so is all that comes after it.");

class Writer {
  constructor(model) {
    this.model = model;
    [this.given, this.live] = [model.get("given"), model.get("live")];
    Object.assign(this, { key: null, hover: null, looks: false }); // looks: whether a click chooses the key
    // wanted: whether the token that was asked for will be shown. next: the place after which to write anew when it
    // comes. isNew: whether the kernel holds more than the traits.
    Object.assign(this, { playing: false, wanted: false, next: null, isNew: false });
    const now = (name) => this[name];
    this.together = shared(model, CHOICES, now, (choice) => this.choose(choice));
    this.requests = new Requests(model, (words) => this.notes.put(words));
    this.build();
    this.load();
    this.choose(Object.fromEntries(Object.keys(CHOICES).map((name) => [name, model.get(name)])));
  }

  build() {
    this.texts = make("span");
    this.heads = make("span");
    const actions = {
      play: () => (this.playing ? this.stop() : this.play()),
      on: () => this.one(),
      back: () => this.go(this.shown - 1),
      anew: () => this.writeAnew(),
    };
    this.buttons = buttons(actions, this.live, this.model.get("temperature"), this.texts);
    this.ways = toggle(CLICKS, [say("written token"), say("token it looked at")], (index) => {
      this.looks = index === 1;
      this.show();
    });
    this.text = new WriterText(
      this.given.length,
      (i) => this.point(i),
      (i) => this.pick(i),
    );
    this.notes = notes();
    this.status = make("p", { class: "av-status", role: "status" });
    this.tables = make("div", { class: "av-tables" });
    const words = make("span", { textContent: CLICKS, "aria-hidden": "true" });
    const ways = make("span", { class: "av-ways" }, words, this.ways);
    const menus = make("div", { class: "av-bar" }, this.heads, ways);
    const controls = make("div", { class: "av-controls" }, this.buttons, menus);
    const parts = [controls, this.text.element, this.notes, this.status, this.tables];
    this.element = make("div", { class: "av-writer" }, ...parts);
  }

  // Take what the kernel, or the page, has of the branches.
  load() {
    this.written = new Written(this.model.get("branches"), this.model.get("weights"));
    this.pairs = this.model.get("heads");
    this.headMenus = headMenus(this.pairs, (head) => this.tell({ head }));
    this.heads.replaceChildren(this.headMenus);
    this.buildTexts();
  }

  buildTexts() {
    const names = this.written.branches.map(branchName);
    this.branchMenu = select(say("text"), names, (branch) => {
      this.stop();
      this.tell(this.end(branch));
    });
    this.texts.replaceChildren(...(names.length > 1 ? [this.branchMenu] : []));
  }

  get path() {
    return this.written.path(this.branch);
  }

  // Return the choice that shows a branch with so many tokens, by default all, and the last of them chosen.
  end(branch, shown = this.written.path(branch).length) {
    return { branch, shown, token: this.given.length + shown - 1 };
  }

  // Choose on behalf of the reader, and let the other copies of the view know.
  tell(choice) {
    this.choose(choice);
    this.together.tell(Object.fromEntries(Object.keys(CHOICES).map((name) => [name, this[name]])));
  }

  choose(choice) {
    Object.assign(this, choice);
    this.branch = clamp(this.branch, this.written.branches.length);
    this.shown = clamp(this.shown, this.path.length + 1);
    this.token = clamp(this.token, this.given.length + this.shown);
    this.head = clamp(this.head, this.pairs.length);
    if ("token" in choice) this.key = null;
    this.hover = null;
    this.show();
  }

  // Choose a token, or the one that was looked at, which stands before it; return its number.
  pick(i) {
    if (this.looks) this.key = clamp(i, this.token);
    else this.tell({ token: i });
    this.show();
    return this.looks ? this.key : i;
  }

  point(i) {
    if (this.playing || i === this.hover) return;
    this.hover = i;
    this.show();
  }

  go(shown) {
    this.stop();
    this.tell(this.end(this.branch, Math.max(0, shown)));
  }

  one() {
    this.stop();
    if (this.shown < this.path.length) this.go(this.shown + 1);
    else if (this.live) this.ask(this.shown);
  }

  play() {
    this.notes.put("");
    this.playing = true;
    if (!this.live) this.text.reserve([...this.given, ...this.path.map(({ token }) => token)]);
    if (!this.live && this.shown === this.path.length) this.choose(this.end(this.branch, 0)); // once more
    this.step();
  }

  step() {
    if (!this.playing) return;
    if (this.shown < this.path.length) {
      this.choose(this.end(this.branch, this.shown + 1));
      this.timer = setTimeout(() => this.step(), PACE);
    } else if (this.live) {
      this.ask(this.shown);
    } else {
      this.stop();
    }
  }

  stop() {
    clearTimeout(this.timer);
    if (!this.playing) return;
    this.playing = this.wanted = false;
    this.rest();
  }

  // The text rests: send what is chosen, and ask the kernel to keep what is new in the state of the view.
  rest() {
    this.tell({});
    if (this.isNew) this.requests.send({ rest: true });
    this.isNew = false;
  }

  writeAnew() {
    this.stop();
    const after = this.token - this.given.length;
    if (after < 0) return this.notes.put(FIRST);
    if (this.requests.isOpen) this.next = after;
    this.playing = true;
    this.ask(after);
  }

  // Ask the kernel for one token after the first `after` steps of the branch. Each token is asked for by itself, so
  // that a stop acts at once, and the kernel can run other cells between two tokens.
  ask(after) {
    this.wanted = true;
    if (this.requests.isOpen) return;
    this.notes.put("");
    this.requests.ask({ branch: this.branch, after, temperature: this.buttons.degrees() });
    this.show();
  }

  receive(answer, row) {
    if (!this.requests.isAnsweredBy(answer)) return;
    this.notes.put(answer.note ?? "", answer.error);
    if (!answer.step) {
      this.playing = false;
      return this.rest();
    }
    this.isNew = true;
    const isBranch = answer.branch === this.written.branches.length;
    this.written.add(answer, row);
    if (isBranch) this.buildTexts();
    const after = this.next;
    this.next = null;
    if (after != null) return this.ask(after);
    if (this.wanted) this.choose(this.end(answer.branch));
    if (this.playing) this.step();
    else this.rest();
  }

  show() {
    const { given, looks, head, pairs } = this;
    const steps = this.path.slice(0, this.shown);
    const names = [...given, ...steps.map(({ token }) => token)];
    const token = (looks ? null : this.hover) ?? this.token;
    const step = steps[token - given.length];
    const rows = step && this.written.rows(step, token);
    const weights = step ? rows(head) : [];
    const wanted = (looks ? this.hover : null) ?? this.key ?? largest(weights);
    const key = step ? clamp(wanted, token) : -1;
    this.buttons.put(this.playing);
    this.text.line.setAttribute("aria-label", looks ? say("Token that was looked at") : say("Token"));
    this.text.put(names);
    this.text.paint(token, key, looks && step ? key : this.token, weights);
    this.headMenus.put(head);
    this.branchMenu.put(this.branch);
    this.ways.put(Number(looks));
    if (!this.playing) this.status.textContent = said(names, token, step, pairs[head], weights);
    this.status.style.visibility = this.playing ? "hidden" : ""; // it speaks of the token at which playing began
    const focused = [...this.tables.querySelectorAll("button")].indexOf(document.activeElement);
    const pick = (index) => this.tell({ head: index });
    const tables = step ? [candidatesTable(step), headsTable(rows, pairs, key, names[key], head, pick)] : [];
    this.tables.replaceChildren(...tables);
    this.tables.querySelectorAll("button")[focused]?.focus();
  }
}

export const render = guarded((model, root) => {
  const writer = new Writer(model);
  root.append(writer.element);
  const hear = (content, buffers) => writer.receive(content, buffers[0]);
  const load = () => {
    writer.load();
    writer.choose({});
  };
  model.on("msg:custom", hear);
  model.on("change:branches", load);
  const unwatch = watchRoom(writer.element, () => {
    const left = heightLeft(writer.element);
    if (left != null) writer.text.fit(writer.element.offsetHeight - left);
    writer.show();
  });
  return () => {
    unwatch();
    writer.stop();
    writer.requests.end();
    model.off("msg:custom", hear);
    model.off("change:branches", load);
    writer.together.leave();
  };
});
