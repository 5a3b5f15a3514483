// The way from one word to another, as the path of an SVG. A place says where a word stands: x, top, bottom, line.

const LOOP = 0.9; // a word that looks at itself: the size of its loop, in heights of a word
const CURVE = 0.55; // between two lines, how far an arc keeps upright

const path = (...numbers) => {
  const [x, y, ...curve] = numbers.map((number) => Math.round(number * 10) / 10);
  return `M${x} ${y}C${curve.join(" ")}`;
};

// room: how high an arc may rise above its line; span: the longest way that there is.
export function arc(from, to, room, span) {
  if (from === to) {
    const size = LOOP * (from.bottom - from.top);
    const high = Math.min(room, size) / 0.75; // a cubic curve reaches 3/4 of the way to its handles
    const [left, right, top] = [from.x - size, from.x + size, from.top - high];
    return path(from.x - 5, from.top, left, top, right, top, from.x + 5, from.top);
  }
  if (from.line === to.line) {
    // The farther, the higher: none hides another.
    const high = (room * Math.sqrt(Math.abs(to.x - from.x) / span)) / 0.75;
    return path(from.x, from.top, from.x, from.top - high, to.x, to.top - high, to.x, to.top);
  }
  const [start, end] = from.line < to.line ? [from.bottom, to.top] : [from.top, to.bottom];
  const reach = CURVE * (end - start);
  return path(from.x, start, from.x, start + reach, to.x, end - reach, to.x, end);
}

// The weights of one word's arcs, those halfway from a to b at share 0.5.
export const between = (a, b, share) => a.map((weight, i) => weight + (b[i] - weight) * share);

// What a word looks at, or who looks at it, as a sentence. pairs: [name, weight]; nan counts as nothing.
export function told(word, pairs, isAsked, rounded) {
  const found = pairs.filter(([, weight]) => weight >= 0.005).sort((a, b) => b[1] - a[1]);
  const missing = pairs.filter(([, weight]) => Number.isNaN(weight)).length;
  const nan = missing ? ` Left out: ${missing} nan.` : "";
  if (!found.length) return (isAsked ? `Nothing looks at ${word}.` : `${word} looks at nothing.`) + nan;
  const [first, ...rest] = found.slice(0, 3).map(([name, weight]) => `${name} (${rounded(weight)})`);
  const start = isAsked ? `${word} is looked at most by` : `${word} looks most at`;
  return `${start} ${first}${rest.length ? `, then ${isAsked ? "by" : "at"} ${rest.join(" and ")}` : ""}.${nan}`;
}
