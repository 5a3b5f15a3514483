// The chart of a StepScrubber: curves over the steps of a training, with a mark at the chosen step.

import { rounded } from "../shared/numbers.js";
import { END, MIDDLE, rect, svg, text } from "../shared/svg.js";
import { say } from "../shared/words.js";

const WIDTH = 440; // at most
const HEIGHT = 130;
const LEFT = 46;
const LEGEND = 110;
const TOP = 10;
const UNDER = 26;
const NUMBER_OF_HUES = 10; // --av-hue-0 to --av-hue-9 in the style sheet

// Return the chart as SVG text. curves: from a name to a number, or null, for each position.
// positions: the labels of the stored steps. now: the index of the chosen one. room: how wide the chart may be, and
// height: how high it is, in px.
export function curvesPicture(curves, positions, now, room = WIDTH, height = HEIGHT) {
  const width = Math.min(WIDTH, room);
  const bottom = height - UNDER;
  const right = width - LEGEND;
  const [low, high] = rangeOf(curves);
  const x = (i) => LEFT + (i * (right - LEFT)) / Math.max(1, positions.length - 1);
  const y = (value) => TOP + ((high - value) * (bottom - TOP)) / (high - low);
  const parts = [
    text(LEFT - 6, TOP + 4, rounded(high), END),
    text(LEFT - 6, bottom, rounded(low), END),
    `<path d="M${x(now)} ${TOP}V${bottom}" stroke="currentColor" stroke-dasharray="3 3"/>`,
    text(x(now), height - 8, say("step {step}", { step: positions[now] }), MIDDLE),
    ...Object.entries(curves).map(([name, values], index) => {
      return curve(values, x, y, now, index) + legend(`${name} ${rounded(values[now])}`, right, index);
    }),
  ];
  return svg(width, height, parts.join(""));
}

// Return the range of the vertical axis: from 0, or the smallest number if that is negative, to the largest.
function rangeOf(curves) {
  const all = Object.values(curves).flat().filter(Number.isFinite);
  const low = Math.min(0, ...all);
  return [low, Math.max(...all, low + 1e-9)];
}

const hueOf = (index) => `var(--av-hue-${index % NUMBER_OF_HUES})`;

function curve(values, x, y, now, index) {
  const hue = hueOf(index);
  const dashes = index ? `stroke-dasharray="${7 - index} 3"` : ""; // so that curves differ without colours, too
  const points = values.map((value, i) => (value == null ? "" : `${x(i)},${y(value)}`)).join(" ");
  const line = `<polyline points="${points}" fill="none" stroke="${hue}" stroke-width="2" ${dashes}/>`;
  const value = values[now];
  return value == null ? line : line + `<circle cx="${x(now)}" cy="${y(value)}" r="4" fill="${hue}"/>`;
}

function legend(words, right, index) {
  const top = TOP + 18 * index;
  return rect(right + 10, top, 10, 10, `fill="${hueOf(index)}"`) + text(right + 26, top + 9, words);
}
