// Arithmetic on numbers and rows of weights. Nothing here knows of a page.

// Return a number with two decimals, as Python's ":.2f" gives it: of two that are equally near, as to 0.125, the even
// one, where toFixed takes the larger.
export function rounded(value) {
  if (value == null || Number.isNaN(value)) return "nan";
  const isHalfway = Number.isInteger(8 * value) && !Number.isInteger(4 * value);
  return (isHalfway ? Math.round(50 * value) / 50 : value).toFixed(2);
}

// Return the index nearest to a value, from 0 to count - 1.
export const clamp = (value, count) => Math.max(0, Math.min(count - 1, value));

// Decode numbers from a DataView, as `pack` in head_weights.py encodes them: each is a float32, or, to save space, one
// byte: 0 to 254 for 0 to high, 255 for nan. count: how many numbers. Returns a Float32Array.
export function decode(view, count, high) {
  if (view.byteLength === 4 * count) {
    // Copy the bytes, because a Float32Array must begin at a multiple of 4, and a DataView need not.
    return new Float32Array(view.buffer.slice(view.byteOffset, view.byteOffset + 4 * count));
  }
  const meant = Array.from({ length: 256 }, (_, byte) => (byte < 255 ? (byte * high) / 254 : NaN));
  const values = new Float32Array(count);
  for (let i = 0; i < count; i++) values[i] = meant[view.getUint8(i)];
  return values;
}

export const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);

// Return the index of the largest number, the first of equal ones; 0 if all are nan.
export const largest = (numbers) => numbers.reduce((best, number, i) => (number > numbers[best] ? i : best), 0);

// Return the number of entries of an array of a shape.
export const sizeOf = (shape) => shape.reduce((total, size) => total * size);

// Return the weights of a row of a map.
export const rowOf = ({ values, start, columns }, row) => {
  return values.slice(start + row * columns, start + (row + 1) * columns);
};

// Return the mean entropy of the rows of a map in nats; rows with nan are left out.
export function entropy(map) {
  const entropies = Array.from({ length: map.rows }, (_, row) => rowEntropy(rowOf(map, row)));
  const known = entropies.filter((value) => !Number.isNaN(value));
  return sum(known) / known.length;
}

// 0 log 0 counts as 0; multiplying by 0 keeps nan.
const rowEntropy = (row) => sum(Array.from(row, (weight) => (weight > 0 ? -weight * Math.log(weight) : weight * 0)));

// Return the softmax of a row over its open cells, by default all. If none is open, all weights are 0; the plain
// formula gives 0 / 0.
export function softmax(scores, open = scores.map(() => true)) {
  const high = Math.max(-1e38, ...scores.filter((_, i) => open[i]));
  const exps = scores.map((score, i) => (open[i] ? Math.exp(score - high) : 0));
  const total = sum(exps) || 1;
  return exps.map((exp) => exp / total);
}

// Return the weights of attention without trained matrices: the softmax of each row's dot products with all rows.
export function selfAttention(rows) {
  const product = (a, b) => sum(a.map((number, i) => number * b[i]));
  return rows.map((row) => softmax(rows.map((other) => product(row, other))));
}
