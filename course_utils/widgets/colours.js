// Colours as the words of an image: 8 bits each of opacity, blue, green and red.

import { clamp } from "./numbers.js";

const NAN_COLOUR = 0xffbfbfbf; // grey

const red = (word) => word & 255;
const green = (word) => (word >> 8) & 255;
const blue = (word) => (word >> 16) & 255;

// 256 colours, which travel as red, green and blue in turn.
export function palette(view) {
  const bytes = new Uint8Array(view.buffer, view.byteOffset, 768);
  const word = (_, i) => (255 << 24) | (bytes[3 * i + 2] << 16) | (bytes[3 * i + 1] << 8) | bytes[3 * i];
  return Uint32Array.from({ length: 256 }, word);
}

export function colourOf({ colours, low, high }, value) {
  if (Number.isNaN(value)) return NAN_COLOUR;
  return colours[clamp(Math.round(((value - low) / (high - low || 1)) * 255), 256)];
}

export const css = (word) => `rgb(${red(word)},${green(word)},${blue(word)})`;

export const isLight = (word) => 0.21 * red(word) + 0.72 * green(word) + 0.07 * blue(word) > 120;
