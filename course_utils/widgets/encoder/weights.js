// The weights of a model as they arrive in a page: rounded to 8 bits, in base64. tools/publish/weights.py packs them.

const GROUP = 32; // neighbours in a row of a matrix that share a scale

// Unpack weights. shapes: from the name of each array to its sizes, [length] or [rows, columns]. base64: their bytes.
// Returns an object from name to weights: a Float32Array for a vector, and for a matrix an object { rows, columns,
// whole, scales }, where whole is an Int8Array with all numbers, row after row, and scales has one for each group.
export function unpack(shapes, base64) {
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < bytes.length; i++) bytes[i] = text.charCodeAt(i);
  let start = 0;
  const next = (length) => bytes.slice(start, (start += length)).buffer;
  const read = ([rows, columns]) => {
    if (columns == null) return new Float32Array(next(4 * rows));
    const whole = new Int8Array(next(rows * columns));
    const scales = wide(new Uint16Array(next((2 * rows * columns) / GROUP)));
    return { rows, columns, whole, scales };
  };
  return Object.fromEntries(Object.entries(shapes).map(([name, shape]) => [name, read(shape)]));
}

// Return float32 numbers, given the upper two bytes of each; the lower two are 0.
const wide = (halves) => new Float32Array(Uint32Array.from(halves, (half) => half << 16).buffer);

// Return rows of an unpacked matrix as a Float32Array, row after row: each number times the scale of its group.
export function restore({ rows, columns, whole, scales }, first = 0, count = rows) {
  const start = first * columns;
  const values = new Float32Array(count * columns);
  for (let group = 0; group < values.length; group += GROUP) {
    const scale = scales[(start + group) / GROUP];
    for (let i = group; i < group + GROUP; i++) values[i] = whole[start + i] * scale;
  }
  return values;
}
