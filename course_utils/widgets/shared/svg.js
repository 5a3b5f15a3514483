// Functions that return SVG as text. Pictures are drawn in the text colour of the page, so that they follow its theme.

const ATTRIBUTES = 'xmlns="http://www.w3.org/2000/svg" font-size="12" fill="currentColor"'; // in the page's typeface

export const MARK = "var(--av-chosen)"; // the colour of what is chosen

// Attributes that make a text end at its x, or be centred there; without them it begins there.
export const END = 'text-anchor="end"';
export const MIDDLE = 'text-anchor="middle"';

export const escaped = (text) => String(text).replace(/[&<>"]/g, (letter) => `&#${letter.charCodeAt(0)};`);

const WIDE = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{Emoji_Presentation}\uff01-\uff60]/u;
const columns = (letter) => (WIDE.test(letter) ? 2 : 1);

// Return the width of a name in Latin letters; an East Asian character or an emoji counts as two.
export const widthOf = (name) => [...name].reduce((sum, letter) => sum + columns(letter), 0);

// Return a name that is wider than 12 Latin letters cut, with an ellipsis; no character is cut in two.
export function short(name) {
  if (widthOf(name) <= 12) return name;
  let room = 11;
  const end = [...name].findIndex((letter) => (room -= columns(letter)) < 0);
  return [...name].slice(0, end).join("") + "…";
}

export function svg(width, height, inner) {
  return `<svg ${ATTRIBUTES} width="${width}" height="${height}" aria-hidden="true">${inner}</svg>`;
}

export const text = (x, y, words, more = "") => `<text x="${x}" y="${y}" ${more}>${escaped(words)}</text>`;

export const turned = (x, y, words, more) => text(x, y, words, `${more} transform="rotate(-90 ${x} ${y})"`);

export function rect(x, y, width, height, more = "") {
  return `<rect x="${x}" y="${y}" width="${width}" height="${height}" ${more}/>`;
}

export function marked(x, y, width, height, line) {
  return rect(x, y, width, height, `fill="none" stroke="${MARK}" stroke-width="${line}"`);
}
