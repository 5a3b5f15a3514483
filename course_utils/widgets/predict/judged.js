// Texts that say how far off a guess is, and the arithmetic of guesses. Nothing here knows of a page.

import { largest, rounded, sum } from "../shared/numbers.js";
import { say } from "../shared/words.js";

export const SO = say("✓ so it is"); // stands beside the right choice

// Return the heights of bars, each at least 0, as shares: in proportion, so that they sum to 1. If all are 0, they are
// equal shares.
export function asShares(heights) {
  const total = sum(heights);
  return heights.map((height) => (total > 0 ? height / total : 1 / heights.length));
}

// Return what is said of heights that do not sum to 1, as far as one reads them; "" if they do.
export function onSum(heights) {
  const total = rounded(sum(heights));
  return total === rounded(1) ? "" : say("Together they are {total}. Committed, they are scaled to 1.", { total });
}

// Return how a cell of a table turned out: right, wrong (marked, but not so), missed (so, but not marked), or nothing.
export function cellState(guessed, isSo) {
  if (guessed) return isSo ? "right" : "wrong";
  return isSo ? "missed" : "";
}

const WORDS = {
  choice(guess, truth, labels) {
    const places = { guess: labels[guess], truth: labels[truth] };
    return guess === truth ? say("{guess}: as you said.", places) : say("You said {guess}. It is {truth}.", places);
  },
  bars(guess, truth, labels) {
    const off = sum(guess.map((share, i) => Math.abs(share - truth[i]))) / 2;
    const most = largest(truth);
    const [share, drawn] = [rounded(truth[most]), rounded(guess[most])];
    return say(
      "Of the 1 that you shared out, {right} lies where it is, and {wrong} elsewhere. " +
        "The largest share is that of {label}: {share}, and you drew {drawn}.",
      { right: rounded(1 - off), wrong: rounded(off), label: labels[most], share, drawn },
    );
  },
  cells(guess, truth) {
    const states = guess.flatMap((row, i) => row.map((marked, j) => cellState(marked, truth[i][j])));
    const count = (state) => states.filter((one) => one === state).length;
    const [wrong, missed] = [count("wrong"), count("missed")];
    if (!wrong && !missed) return say("All {number} cells are as you said.", { number: states.length });
    const places = { right: states.length - wrong - missed, number: states.length, wrong, missed };
    return say("{right} of {number} cells are as you said. Marked, not so: {wrong}. So, not marked: {missed}.", places);
  },
};

const hasLength = (value, { length }) => Array.isArray(value) && value.length === length;
const IS_GUESS = {
  choice: (guess, labels) => Number.isInteger(guess) && guess in labels,
  bars: (guess, labels) => hasLength(guess, labels) && guess.every((share) => Number.isFinite(share) && share >= 0),
  cells: (guess, labels, columns) =>
    hasLength(guess, labels) &&
    guess.every((row) => hasLength(row, columns) && row.every((marked) => typeof marked === "boolean")),
};

// Return whether a value, which may be anything, is a guess that judged() takes.
export const isGuess = (form, value, labels, columns) => IS_GUESS[form](value, labels, columns);

export const judged = (form, guess, truth, labels) => WORDS[form](guess, truth, labels);
