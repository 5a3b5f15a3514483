// Colours as 32-bit words, as the pixels of an ImageData hold them: 8 bits each of opacity, blue, green and red.

import { clamp } from "./numbers.js";

const NAN_COLOUR = { light: 0xffbfbfbf, dark: 0xff7a7a7a }; // the grey of --av-nan

const wordFrom = ([red, green, blue]) => (255 << 24) | (blue << 16) | (green << 8) | red;
const parts = (word) => [word & 255, (word >> 8) & 255, (word >> 16) & 255];

// Decode a palette, 256 colours for a light page and 256 for a dark one, from a DataView of 1536 bytes: red, green and
// blue of one colour after the other. Returns { light, dark }, each a Uint32Array of 256 words.
export function palette(view) {
  const bytes = new Uint8Array(view.buffer, view.byteOffset, 1536);
  const words = Uint32Array.from({ length: 512 }, (_, i) => wordFrom(bytes.subarray(3 * i, 3 * i + 3)));
  return { light: words.subarray(0, 256), dark: words.subarray(256) };
}

// Return the word of the colour of a value. map: colours (a palette), dark (whether the page is), and low and high, the
// values at the ends of the palette.
export function colourOf({ colours, dark, low, high }, value) {
  const which = dark ? "dark" : "light";
  if (Number.isNaN(value)) return NAN_COLOUR[which];
  return colours[which][clamp(Math.floor(((value - low) / (high - low || 1)) * 256), 256)]; // as matplotlib counts
}

// Return the word of a computed colour, "rgb(red, green, blue)". An element outside the page has none, which gives
// black.
export const wordOf = (written) => wordFrom((written.match(/\d+/g) ?? [0, 0, 0]).map(Number));

export const css = (word) => `rgb(${parts(word).join(",")})`;

// Return black or white, whichever has more contrast with a colour. At a luminance of .179 both have 4.58 to 1.
export function ink(word) {
  const linear = parts(word).map((part) => (part <= 10.3 ? part / 3294.6 : ((part / 255 + 0.055) / 1.055) ** 2.4));
  return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2] > 0.179 ? "#000" : "#fff";
}
