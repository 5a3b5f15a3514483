// The encoder all-MiniLM-L6-v2 on the course's attention, as course_utils/models/minilm.py has it.
//
//   const encoder = new Encoder();
//   encoder.take(name, shapes, base64)   for each script of weights, as tools/publish/weights.py makes them
//   encoder.run(ids)                     ids: the tokens' numbers, with those of [CLS] and [SEP]
//
// run returns { hidden, layers }. hidden: 7 Float32Arrays (num_tokens, 384), the embeddings and then the output of each
// layer; hidden[i] is what layer i reads. layers: for each of the 6 layers, what MultiHeadAttention.forward returns:
// { contextVecs, queries, keys, values, scores, weights }. The layers themselves are encoder.layers: layer i has
// .attention.W_query = { weight (384, 384), bias (384), dIn, dOut }, and W_key, W_value and out_proj in the same form.

import { sum } from "../shared/numbers.js";
import { MultiHeadAttention } from "./attention.js";
import { linear } from "./linear.js";
import { restore, unpack } from "./weights.js";

const NUM_HEADS = 12;

export class Encoder {
  constructor() {
    this.vectors = []; // parts of the word vectors, which stay packed until a sentence needs them
    this.layers = [];
  }

  // Take the weights of a script. name: "embeddings"; "layers." and the number of the layer; or "vectors." and the
  // number of the first word of a part. The order of the scripts does not matter.
  take(name, shapes, base64) {
    const [part, number] = name.split(".");
    const weights = unpack(shapes, base64);
    if (part === "vectors") this.vectors.push({ first: Number(number), ...weights.vectors });
    else if (part === "layers") this.layers[number] = new Layer(weights, name);
    else this.embeddings = weights;
  }

  run(ids) {
    const hidden = [this.embed(ids)];
    const layers = this.layers.map((layer) => {
      const { outputs, attention } = layer.forward(hidden.at(-1));
      hidden.push(outputs);
      return attention;
    });
    return { hidden, layers };
  }

  // Return the vectors with which the first layer begins, (num_tokens, width), from tokens and positions.
  embed(ids) {
    const { position_embeddings, token_type_embeddings, ...norm } = this.embeddings;
    const width = position_embeddings.columns;
    const words = ids.map((id) => this.vectorOf(id));
    const sentenceType = restore(token_type_embeddings, 0, 1); // the other row is for the second of two sentences
    const total = restore(position_embeddings, 0, ids.length).map((value, i) => {
      return value + sentenceType[i % width] + words[Math.floor(i / width)][i % width];
    });
    return layerNorm(total, norm["embedding_norm.weight"], norm["embedding_norm.bias"]);
  }

  vectorOf(id) {
    const part = this.vectors.find(({ first, rows }) => id >= first && id < first + rows);
    return restore(part, id - part.first, 1);
  }
}

// One layer: attention and a feed-forward network, each with a residual path and layer norm.
class Layer {
  // weights: unpacked. prefix: how the names of this layer's weights begin, before a full stop.
  constructor(weights, prefix) {
    const vector = (name) => weights[`${prefix}.${name}`];
    const layerOf = (name) => {
      const matrix = vector(`${name}.weight`);
      return { weight: restore(matrix), bias: vector(`${name}.bias`), dIn: matrix.columns, dOut: matrix.rows };
    };
    const names = ["W_query", "W_key", "W_value", "out_proj"];
    const projections = Object.fromEntries(names.map((name) => [name, layerOf(`attention.${name}`)]));
    this.attention = new MultiHeadAttention(projections, NUM_HEADS);
    this.widen = layerOf("widen");
    this.narrow = layerOf("narrow");
    this.norm = (name) => (x) => layerNorm(x, vector(`${name}.weight`), vector(`${name}.bias`));
  }

  // x: (num_tokens, width). Returns the outputs, of the same shape, and what the attention returns.
  forward(x) {
    const attention = this.attention.forward(x);
    const attended = this.norm("attention_norm")(added(x, attention.contextVecs));
    const wide = linear(attended, this.widen).map(gelu);
    return { outputs: this.norm("output_norm")(added(attended, linear(wide, this.narrow))), attention };
  }
}

const added = (a, b) => a.map((value, i) => value + b[i]);

// Give each vector of x the mean 0 and the variance 1, times `weight`, plus `bias`; these are as long as a vector.
export function layerNorm(x, weight, bias) {
  const width = weight.length;
  const normed = new Float32Array(x.length);
  for (let start = 0; start < x.length; start += width) {
    const vector = x.subarray(start, start + width);
    const mean = sum(vector) / width;
    const deviation = Math.sqrt(sum(vector.map((value) => (value - mean) ** 2)) / width + 1e-12);
    for (let i = 0; i < width; i++) normed[start + i] = ((vector[i] - mean) / deviation) * weight[i] + bias[i];
  }
  return normed;
}

// Return x times the share of a normal distribution below x. The share is a polynomial's approximation, formula 7.1.26
// of Abramowitz and Stegun, Handbook of Mathematical Functions, which is off by at most 1.5e-7.
export function gelu(x) {
  const z = Math.abs(x) / Math.SQRT2;
  const t = 1 / (1 + 0.3275911 * z);
  const series = t * (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))));
  const tail = (series * Math.exp(-z * z)) / 2; // the share beyond |x|
  return x * (x < 0 ? tail : 1 - tail);
}
