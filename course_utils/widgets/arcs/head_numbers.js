// The numbers from which a head computes its weights, and the arithmetic from one to the other. Nothing here knows of a
// page. The numbers for one sentence are an object with inputs (rows x width), queries (rows x dim), keys and values
// (columns x dim), weight (W_query, dim x width) and bias (dim), all Float32Array, and the sizes width and dim.

import { largest, sum } from "../shared/numbers.js";

// Decode what WithNumbers of head_numbers.py has packed: an array with the numbers of each sentence.
// view: a DataView. start: where the bytes of the head begin. sizes: { rows, columns, width, dim }.
export function unpacked(view, start, { rows, columns, width, dim }, sentences) {
  let at = view.byteOffset + start;
  const take = (Kind, count) => {
    // Copied, because such an array must begin at a multiple of the size of its numbers.
    const bytes = view.buffer.slice(at, (at += count * Kind.BYTES_PER_ELEMENT));
    return new Kind(bytes);
  };
  const floats = (count) => take(Float32Array, count);
  const rounded = (count) => {
    const [step] = floats(1);
    return Float32Array.from(take(Int16Array, count), (steps) => steps * step);
  };
  const shared = { width, dim, bias: floats(dim), weight: rounded(dim * width) };
  return Array.from({ length: sentences }, () => {
    const [queries, keys, values] = [rows, columns, columns].map((count) => floats(count * dim));
    return { ...shared, queries, keys, values, inputs: rounded(rows * width) };
  });
}

const row = (table, index, length) => table.subarray(index * length, (index + 1) * length);

// Return the numbers of a head of attention.js. inputs: what its layer read, (num_tokens, d_in). read: what forward
// returned for them. W_query: the linear layer of all heads.
export function numbersOf(inputs, { queries, keys, values }, { weight, bias, dIn, dOut }, numHeads, head) {
  const dim = dOut / numHeads;
  const mine = (vectors) => row(vectors, head, (inputs.length / dIn) * dim);
  const [query, key, value] = [queries, keys, values].map(mine);
  const projection = { weight: row(weight, head, dim * dIn), bias: row(bias, head, dim) };
  return { width: dIn, dim, inputs, queries: query, keys: key, values: value, ...projection };
}

export const queryOf = ({ queries, dim }, index) => row(queries, index, dim);
export const keyOf = ({ keys, dim }, index) => row(keys, index, dim);
export const valueOf = ({ values, dim }, index) => row(values, index, dim);
export const inputOf = ({ inputs, width }, index) => row(inputs, index, width);
export const weightOf = ({ weight, width }, feature) => row(weight, feature, width);

const times = (a, b) => Array.from(a, (number, i) => number * b[i]);

// Return the products of a query and a key, number by number; their sum is the dot product.
export const products = (numbers, query, key) => times(queryOf(numbers, query), keyOf(numbers, key));

// Return the scores of a query, one for each key: dot products divided by the root of their length.
export function scores(numbers, query) {
  const count = numbers.keys.length / numbers.dim;
  return Array.from({ length: count }, (_, key) => sum(products(numbers, query, key)) / Math.sqrt(numbers.dim));
}

// Return the products of a token's vector with a row of W_query; their sum and the bias are a number of the query.
export const terms = (numbers, query, feature) => times(inputOf(numbers, query), weightOf(numbers, feature));

// Return what a key delivers at a weight: its value times the weight, an array.
export const delivered = (numbers, key, weight) => Array.from(valueOf(numbers, key), (number) => weight * number);

// Return the sums of the first 0, 1, 2 ... numbers: one more than there are numbers.
export function runningSums(numbers) {
  const sums = [0];
  for (const number of numbers) sums.push(sums.at(-1) + number);
  return sums;
}

export const lengthOf = (vector) => Math.hypot(...vector);

// Return the index of the number that is largest by its size.
export const largestOf = (numbers) => largest(numbers.map(Math.abs));
