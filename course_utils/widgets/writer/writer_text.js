// The text of a Writer: its tokens in lines, of which one is chosen, and arcs to the tokens at which a head looked.

import { arc } from "../arcs/arcs.js";
import { placesOf, wordBeside } from "../arcs/word_lines.js";
import { make } from "../shared/elements.js";
import { MARK } from "../shared/svg.js";
import { say } from "../shared/words.js";
import { BREAK } from "./writing.js";

const [LEAST, ROOM] = [22, 34]; // px: the limits for the height for arcs above a line
const THICKEST = 12; // px: the width of the arc for a weight of 1

export class WriterText {
  // onPoint(i): called when the mouse comes to a token, null when it leaves. onPick(i): called when one is chosen;
  // returns the number of the token that is chosen now.
  constructor(numGiven, onPoint, onPick) {
    Object.assign(this, { numGiven, onPoint, onPick, words: [], names: [] });
    this.arcs = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    this.arcs.setAttribute("aria-hidden", "true");
    this.line = make("div", { class: "av-words av-written", role: "radiogroup" });
    this.element = make("div", { class: "av-text", style: `--room:${ROOM}px;--wrap:wrap;--size:17px` });
    this.element.append(this.arcs, this.line);
    this.room = ROOM;
    this.element.onpointerleave = () => onPoint(null);
  }

  // Show these tokens; elements of tokens that stay are kept, and with them the focus.
  put(names) {
    let same = 0;
    while (same < names.length && names[same] === this.names[same]) same++;
    const hadFocus = this.words.slice(same).includes(document.activeElement);
    for (const word of this.words.splice(same)) {
      if (word.nextSibling?.tagName === "BR") word.nextSibling.remove();
      word.remove();
    }
    for (let i = same; i < names.length; i++) this.words.push(this.word(names[i], i));
    for (const word of this.words.slice(same)) {
      this.line.append(word, ...(word.textContent.endsWith(BREAK) ? [make("br")] : []));
    }
    this.names = names;
    if (hadFocus) this.words.at(-1).focus();
  }

  // Take the height that these tokens will need, so that what stands below stays where it is while they come.
  reserve(names) {
    this.put(names);
    this.element.style.minHeight = "";
    this.element.style.minHeight = `${this.element.offsetHeight}px`;
  }

  // Bring the lines nearer to one another, so that the text takes so many px less in all, as far as arcs have room.
  fit(tooHigh) {
    const lines = new Set(this.words.map(({ offsetTop }) => offsetTop)).size || 1;
    this.room = Math.max(LEAST, Math.min(ROOM, Math.floor(this.room - tooHigh / lines)));
    this.element.style.setProperty("--room", `${this.room}px`);
  }

  word(textContent, i) {
    const word = make("span", { class: `av-word${i < this.numGiven ? "" : " av-new"}`, role: "radio", textContent });
    if (textContent.includes(BREAK)) word.title = say("{sign} is a line break", { sign: BREAK });
    word.onpointerenter = () => this.onPoint(i);
    word.onclick = () => this.pick(i);
    word.onkeydown = (event) => this.onKey(event, i);
    return word;
  }

  pick(i) {
    this.words[this.onPick(i)]?.focus();
  }

  onKey(event, i) {
    const next = { ArrowLeft: i - 1, ArrowRight: i + 1, Home: 0, End: this.words.length - 1, Enter: i, " ": i };
    const down = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    const to = down ? wordBeside(placesOf(this.words), i, down) : next[event.key];
    if (to == null) return;
    event.preventDefault();
    if (this.words[to]) this.pick(to);
  }

  // Draw the arcs. token: the chosen token; key: the token that was looked at, or -1; picked: which of both the reader
  // chooses. weights: one for each token before the chosen one, [] if it was given.
  paint(token, key, picked, weights) {
    const places = placesOf(this.words);
    const width = this.element.clientWidth;
    this.arcs.setAttribute("width", width);
    this.arcs.setAttribute("height", this.element.clientHeight);
    this.words.forEach((word, i) => {
      const share = Math.min(1, weights[i]) || 0; // 0 for nan
      word.style.setProperty("--weight", share.toFixed(3));
      word.classList.toggle("av-asking", i === token);
      word.classList.toggle("av-looked", i === key);
      word.setAttribute("aria-checked", i === picked);
      word.tabIndex = i === picked ? 0 : -1;
    });
    const drawn = weights.map((weight, i) => {
      if (!(weight >= 0.005) || !width) return "";
      const look = `stroke-width="${Math.max(0.8, THICKEST * weight).toFixed(1)}"`;
      const way = arc(places[token], places[i], this.room - 6, width);
      return `<path d="${way}" ${look} opacity="${(0.35 + 0.5 * weight).toFixed(2)}"/>`;
    });
    this.arcs.innerHTML = `<g fill="none" stroke="${MARK}" stroke-linecap="round">${drawn.join("")}</g>`;
  }
}
