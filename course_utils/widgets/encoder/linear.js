// The product of vectors and a matrix: nearly all of a model's work, so that speed decides its form, and here only.

// Apply a linear layer to some vectors: outputs[t][o] = inputs[t] . weight[o] + bias[o].
// inputs: a Float32Array (num_tokens, dIn), row after row. weight: (dOut, dIn), as nn.Linear has it. bias: (dOut).
// Returns a Float32Array (num_tokens, dOut). dOut is even.
// Four vectors meet two rows of the matrix at a time, which is more than three times as fast as one product after the
// other: six numbers are read for eight products, and no sum has to wait for the one before it.
export function linear(inputs, { weight, bias, dIn, dOut }) {
  const numTokens = inputs.length / dIn;
  const outputs = new Float32Array(numTokens * dOut);
  const four = new Float64Array(4 * dIn); // four vectors, interleaved: the first number of each, the second of each
  for (let t = 0; t < numTokens; t += 4) {
    const tokens = [t, t + 1, t + 2, t + 3].map((token) => Math.min(token, numTokens - 1)); // the last may come twice
    for (let i = 0; i < 4 * dIn; i++) four[i] = inputs[tokens[i % 4] * dIn + (i >> 2)];
    for (let o = 0; o < dOut; o += 2) {
      const p = o * dIn; // where the two rows of the matrix begin
      const q = p + dIn;
      let ap = bias[o]; // the sum for vector a and row p, and so on
      let bp = ap;
      let cp = ap;
      let dp = ap;
      let aq = bias[o + 1];
      let bq = aq;
      let cq = aq;
      let dq = aq;
      for (let i = 0; i < dIn; i++) {
        const wp = weight[p + i];
        const wq = weight[q + i];
        const a = four[4 * i];
        const b = four[4 * i + 1];
        const c = four[4 * i + 2];
        const d = four[4 * i + 3];
        ap += a * wp;
        bp += b * wp;
        cp += c * wp;
        dp += d * wp;
        aq += a * wq;
        bq += b * wq;
        cq += c * wq;
        dq += d * wq;
      }
      put(outputs, tokens[0] * dOut + o, ap, aq);
      put(outputs, tokens[1] * dOut + o, bp, bq);
      put(outputs, tokens[2] * dOut + o, cp, cq);
      put(outputs, tokens[3] * dOut + o, dp, dq);
    }
  }
  return outputs;
}

function put(outputs, place, one, next) {
  outputs[place] = one;
  outputs[place + 1] = next;
}
