// The arcs of a SentenceView as SVG paths, and its status text. Nothing here knows of a page.
// A place is the position of a word: x (its middle), top and bottom in px, and line, the number of its line.

import { say } from "../shared/words.js";

const LOOP = 0.9; // the size of the loop from a word to itself, in heights of a word
const CURVE = 0.55; // how far an arc between two lines keeps upright, as a share of the distance between them

// What the tokens mean that stand around every text.
const AROUND = new Map([
  ["[CLS]", say("[CLS] marks where the text begins; a head often rests there when it looks for nothing else.")],
  ["[SEP]", say("[SEP] marks where the text ends.")],
]);

const path = (...numbers) => {
  const [x, y, ...curve] = numbers.map((number) => Math.round(number * 10) / 10);
  return `M${x} ${y}C${curve.join(" ")}`;
};

// Return the path of the arc from one place to another.
// room: how high an arc may rise above its line, in px. span: the largest horizontal distance there can be, in px.
export function arc(from, to, room, span) {
  if (from === to) {
    const size = LOOP * (from.bottom - from.top);
    const high = Math.min(room, size) / 0.75; // a cubic curve reaches 3/4 of the way to its handles
    const [left, right, top] = [from.x - size, from.x + size, from.top - high];
    return path(from.x - 5, from.top, left, top, right, top, from.x + 5, from.top);
  }
  if (from.line === to.line) {
    // A longer arc rises higher, so that no arc hides another.
    const high = (room * Math.sqrt(Math.abs(to.x - from.x) / span)) / 0.75;
    return path(from.x, from.top, from.x, from.top - high, to.x, to.top - high, to.x, to.top);
  }
  const [start, end] = from.line < to.line ? [from.bottom, to.top] : [from.top, to.bottom];
  const reach = CURVE * (end - start);
  return path(from.x, start, from.x, start + reach, to.x, end - reach, to.x, end);
}

// Return weights interpolated between a and b: a for a share of 0, b for a share of 1.
export const between = (a, b, share) => a.map((weight, i) => weight + (b[i] - weight) * share);

// The sentence for a word with as many others of some weight: none, one, two, three; `summary` fills its places.
const LOOKS_AT = [
  say("{word} looks at nothing."),
  say("{word} looks most at {first}."),
  say("{word} looks most at {first}, then at {second}."),
  say("{word} looks most at {first}, then at {second} and {third}."),
];
const LOOKED_AT_BY = [
  say("Nothing looks at {word}."),
  say("{word} is looked at most by {first}."),
  say("{word} is looked at most by {first}, then by {second}."),
  say("{word} is looked at most by {first}, then by {second} and {third}."),
];

// Return a sentence with the three largest weights of a word, and the number of weights that are nan.
// pairs: [name, weight] of each other word. isAsked: whether the word is a key, which the others look at.
// rounded: a function that formats a weight.
export function summary(word, pairs, isAsked, rounded) {
  const found = pairs.filter(([, weight]) => weight >= 0.005).sort((a, b) => b[1] - a[1]);
  const missing = pairs.filter(([, weight]) => Number.isNaN(weight)).length;
  const nan = missing ? say(" Left out: {missing} nan.", { missing }) : "";
  const [first, second, third] = found.slice(0, 3).map(([name, weight]) => `${name} (${rounded(weight)})`);
  const sentence = (isAsked ? LOOKED_AT_BY : LOOKS_AT)[Math.min(3, found.length)];
  const met = found.length ? (AROUND.get(found[0][0]) ?? AROUND.get(word)) : null;
  return say(sentence, { word, first, second, third }) + (met ? ` ${met}` : "") + nan;
}
