// Multi-head attention: the class that the course builds in PyTorch, for one sentence and without a mask.
// A tensor is a Float32Array with its numbers row after row; a comment beside it says its shape.

import { softmax } from "../shared/numbers.js";
import { linear } from "./linear.js";

export class MultiHeadAttention {
  // W_query, W_key, W_value, out_proj: linear layers { weight, bias, dIn, dOut }, as `linear` takes them.
  constructor({ W_query, W_key, W_value, out_proj }, numHeads) {
    Object.assign(this, { W_query, W_key, W_value, out_proj, numHeads });
  }

  // Let every token attend to all. inputs: (num_tokens, d_in).
  // Returns { contextVecs, queries, keys, values, scores, weights }: contextVecs are (num_tokens, d_out); queries, keys
  // and values are (num_heads, num_tokens, head_dim); scores, already divided by the root of head_dim, and weights are
  // (num_heads, num_tokens, num_tokens), a row for each query.
  forward(inputs) {
    const { numHeads } = this;
    const numTokens = inputs.length / this.W_query.dIn;
    const headDim = this.W_query.dOut / numHeads;
    const project = (layer) => swapped(linear(inputs, layer), numTokens, numHeads);
    const [queries, keys, values] = [this.W_query, this.W_key, this.W_value].map(project);
    const scores = new Float32Array(numHeads * numTokens * numTokens);
    const weights = new Float32Array(scores.length);
    const mixed = new Float32Array(queries.length); // (num_heads, num_tokens, head_dim)
    for (let row = 0; row < numHeads * numTokens; row++) {
      const first = row - (row % numTokens); // the first row of this head
      const query = queries.subarray(row * headDim, (row + 1) * headDim);
      const of = (vectors, token) => vectors.subarray((first + token) * headDim, (first + token + 1) * headDim);
      const tokens = [...Array(numTokens).keys()];
      const rowScores = tokens.map((token) => dot(query, of(keys, token)) / Math.sqrt(headDim));
      const rowWeights = softmax(rowScores);
      scores.set(rowScores, row * numTokens);
      weights.set(rowWeights, row * numTokens);
      for (const token of tokens) {
        const value = of(values, token);
        for (let i = 0; i < headDim; i++) mixed[row * headDim + i] += rowWeights[token] * value[i];
      }
    }
    const contextVecs = linear(swapped(mixed, numHeads, numTokens), this.out_proj);
    return { contextVecs, queries, keys, values, scores, weights };
  }
}

// Return the dot product of two vectors of one length.
function dot(a, b) {
  let total = 0;
  for (let i = 0; i < a.length; i++) total += a[i] * b[i];
  return total;
}

// Swap the first two of three axes: (rows, columns, n) -> (columns, rows, n). It splits heads and merges them again.
function swapped(x, rows, columns) {
  const n = x.length / (rows * columns);
  const y = new Float32Array(x.length);
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const from = (row * columns + column) * n;
      y.set(x.subarray(from, from + n), (column * rows + row) * n);
    }
  }
  return y;
}
