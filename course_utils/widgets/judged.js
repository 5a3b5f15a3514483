// Texts that say how far off a guess is, and the arithmetic of guesses. Nothing here knows of a page.

import { largest, rounded, sum } from "./numbers.js";
import { say } from "./words.js";

export const SO = say("✓ so it is"); // stands beside the right choice

// Return shares in which one bar has a new height, and the others are scaled in proportion, so that all sum to 1.
export function withBar(shares, which, height) {
  const rest = 1 - shares[which];
  const others = shares.length - 1;
  if (!others) return [1];
  const share = (old) => (rest > 1e-6 ? (old * (1 - height)) / rest : (1 - height) / others);
  return shares.map((old, i) => (i === which ? height : share(old)));
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
