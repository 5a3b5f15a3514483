// How far off a guess is, in words. Nothing here knows of a page.

import { rounded } from "./numbers.js";

// Another height for one bar: what it takes, the others give, each in proportion, so that all add up to 1.
export function withBar(shares, which, height) {
  const rest = 1 - shares[which];
  const others = shares.length - 1;
  if (!others) return [1];
  const share = (old) => (rest > 1e-6 ? (old * (1 - height)) / rest : (1 - height) / others);
  return shares.map((old, i) => (i === which ? height : share(old)));
}

// What each cell of a table turned out to be.
export function cellState(guessed, isSo) {
  if (guessed) return isSo ? "right" : "wrong";
  return isSo ? "missed" : "";
}

const WORDS = {
  choice(guess, truth, labels) {
    return guess === truth ? `${labels[guess]}: as you said.` : `You said ${labels[guess]}. It is ${labels[truth]}.`;
  },
  bars(guess, truth, labels) {
    const off = guess.reduce((sum, share, i) => sum + Math.abs(share - truth[i]), 0) / 2;
    const most = truth.indexOf(Math.max(...truth));
    return [
      `Of the 1 that you shared out, ${rounded(1 - off)} lies where it is, and ${rounded(off)} elsewhere.`,
      `The largest share is that of ${labels[most]}: ${rounded(truth[most])}, and you drew ${rounded(guess[most])}.`,
    ].join(" ");
  },
  cells(guess, truth) {
    const states = guess.flatMap((row, i) => row.map((marked, j) => cellState(marked, truth[i][j])));
    const count = (state) => states.filter((one) => one === state).length;
    const [wrong, missed] = [count("wrong"), count("missed")];
    if (!wrong && !missed) return `All ${states.length} cells are as you said.`;
    const right = states.length - wrong - missed;
    return `${right} of ${states.length} cells are as you said. Marked, not so: ${wrong}. So, not marked: ${missed}.`;
  },
};

export const judged = (form, guess, truth, labels) => WORDS[form](guess, truth, labels);
