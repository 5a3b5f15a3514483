// The data of a Writer, and the sentence about its chosen token. Nothing here knows of a page.

import { rounded } from "../shared/numbers.js";
import { say } from "../shared/words.js";

// A text and its branches, as Written in written.py has them.
export class Written {
  // branches: objects {parent, start, steps}. view: a DataView of the rows of all steps.
  constructor(branches, { buffer, byteOffset, byteLength }) {
    this.branches = structuredClone(branches);
    this.bytes = new Uint8Array(buffer, byteOffset, byteLength);
  }

  // Return all steps of a branch, the shared ones first.
  path(number) {
    const { parent, start, steps } = this.branches[number];
    return [...(start ? this.path(parent).slice(0, start) : []), ...steps];
  }

  // Return where each head looked when a step was written: a function from the index of a head to an array of weights,
  // one for each of the numKeys tokens before it.
  rows(step, numKeys) {
    return (head) => {
      const start = step.at + head * numKeys;
      return Array.from(this.bytes.subarray(start, start + numKeys), (byte) => (byte < 255 ? byte / 254 : NaN));
    };
  }

  // Add a step that the kernel has written to its branch, which may be new. row: a DataView of its weights.
  add({ branch, parent, start, step }, row) {
    const bytes = new Uint8Array(step.at + row.byteLength);
    bytes.set(this.bytes);
    bytes.set(new Uint8Array(row.buffer, row.byteOffset, row.byteLength), step.at);
    this.bytes = bytes;
    if (this.branches[branch]) this.branches[branch].steps.push(step);
    else this.branches[branch] = { parent, start, steps: [step] };
  }
}

// Return the heads that looked most at a token, [index, weight] of each, the largest first; count: how many at most.
export function strongest(rows, heads, key, count) {
  const all = heads.map((_, head) => [head, rows(head)[key]]).filter(([, weight]) => weight >= 0.005);
  return all.sort((a, b) => b[1] - a[1]).slice(0, count);
}

// Return the index of the candidate that was taken.
export const takenOf = ({ rank, candidates }) => Math.min(rank, candidates.length) - 1;

export const BREAK = "⏎"; // stands for a line break in a token

// Return the name of a token in a sentence, as `plain` in written.py does.
export const plain = (name) => (name.trim() || `'${name}'`) + (name.includes(BREAK) ? say(" (line break)") : "");

export const headName = ([layer, head]) => say("layer {layer}, head {head}", { layer, head });

// What a head looked at when a token was written: nothing, or one, two or three tokens.
const LOOKED = [
  say("Layer {layer}, head {head} looked at nothing."),
  say("Layer {layer}, head {head} looked most at {first}."),
  say("Layer {layer}, head {head} looked most at {first}, then at {second}."),
  say("Layer {layer}, head {head} looked most at {first}, then at {second} and {third}."),
];

// Return a sentence about the chosen token, as `said` in written.py does.
// names: of all tokens. step: what wrote the token, or undefined. pair: [layer, head]. weights: of this head.
export function said(names, token, step, pair, weights) {
  const name = plain(names[token]);
  if (!step) return say("{name} was given, not written.", { name });
  const { rank, temperature } = step;
  const share = rounded(step.candidates[takenOf(step)][1]);
  const had = { name, share, rank, temperature };
  const start = say("{name} had a share of {share}, rank {rank}, at temperature {temperature}.", had);
  const all = weights.map((weight, i) => [weight, plain(names[i])]).filter(([weight]) => weight >= 0.005);
  const most = all.sort((a, b) => b[0] - a[0]).slice(0, 3);
  const [first, second, third] = most.map(([weight, word]) => `${word} (${rounded(weight)})`);
  const next = say(LOOKED[most.length], { layer: pair[0], head: pair[1], first, second, third });
  return say("{sentence} {next}", { sentence: start, next });
}

// Return the name of a branch in the menu. number: from 0.
export function branchName({ start, steps: [first] }, number) {
  if (!first) return `${number + 1}`;
  const places = { number: number + 1, temperature: first.temperature, name: plain(first.token) };
  if (!start) return say("{number} · temperature {temperature}", places);
  return say("{number} · temperature {temperature} from {name}", places);
}
