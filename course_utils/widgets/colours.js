// Colours as the words of an image: 8 bits each of opacity, blue, green and red.

import { clamp } from "./numbers.js";

const NAN_COLOUR = { light: 0xffbfbfbf, dark: 0xff7a7a7a }; // grey, as --av-nan

const parts = (word) => [word & 255, (word >> 8) & 255, (word >> 16) & 255];

// 256 colours for a light page and 256 for a dark one, which travel as red, green and blue in turn.
export function palette(view) {
  const bytes = new Uint8Array(view.buffer, view.byteOffset, 1536);
  const table = (start) => {
    const at = (i) => bytes.subarray(start + 3 * i, start + 3 * i + 3);
    const word = ([red, green, blue]) => (255 << 24) | (blue << 16) | (green << 8) | red;
    return Uint32Array.from({ length: 256 }, (_, i) => word(at(i)));
  };
  return { light: table(0), dark: table(768) };
}

// map: colours (a palette), dark, low, high.
export function colourOf({ colours, dark, low, high }, value) {
  const which = dark ? "dark" : "light";
  if (Number.isNaN(value)) return NAN_COLOUR[which];
  return colours[which][clamp(Math.round(((value - low) / (high - low || 1)) * 255), 256)];
}

// What the style sheet says, "rgb(red, green, blue)"; it says nothing of what is not in the page yet.
export function wordOf(written) {
  const [red, green, blue] = (written.match(/\d+/g) ?? [0, 0, 0]).map(Number);
  return (255 << 24) | (blue << 16) | (green << 8) | red;
}

export const css = (word) => `rgb(${parts(word).join(",")})`;

// Black or white, whichever contrasts more: at .179 both do alike, 4.58 to 1.
export function ink(word) {
  const linear = parts(word).map((part) => (part <= 10.3 ? part / 3294.6 : ((part / 255 + 0.055) / 1.055) ** 2.4));
  return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2] > 0.179 ? "#000" : "#fff";
}
