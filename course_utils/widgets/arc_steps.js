// The steps from a weight down to the numbers it is made of: what each says, and the notebook that builds it.
// An arc is an object with numbers, as head_numbers.js has them; weights, those of the query, one for each key; query,
// key and feature, the chosen indices; and names, { query, keys }, the tokens.

import { products, scores, terms, queryOf, keyOf, valueOf, lengthOf } from "./head_numbers.js";
import { sum } from "./numbers.js";
import { escaped } from "./svg.js";
import { say } from "./words.js";

// Return a number as it is written in a step: two decimals, or three digits of a large one, and a true minus.
export function written(value) {
  const digits = Math.abs(value) < 1000 ? value.toFixed(2) : value.toPrecision(3);
  return digits.replace("e+", "e").replace("-", Number(digits) === 0 ? "" : "−");
}

const em = (name) => `<em>${escaped(name)}</em>`;
const bold = (value) => `<b>${written(value)}</b>`;
const weightOf = ({ weights, key }) => weights[key];
const ends = ({ names, key }) => ({ query: em(names.query), key: em(names.keys[key]) });
const dotOf = ({ numbers, query, key }) => sum(products(numbers, query, key));

// Return a word for the place of a number among others, from the largest down.
export function rank(numbers, index) {
  const above = numbers.filter((number) => number > numbers[index]).length;
  if (above === 0) return say("the largest");
  if (above === numbers.length - 1) return say("the smallest");
  return say("number {place} from the top", { place: above + 1 });
}

function share(arc) {
  const { numbers, query, key } = arc;
  const row = scores(numbers, query);
  const [mine, all] = [Math.exp(row[key]), sum(row.map(Math.exp))];
  return say(
    "{query} gives {key} {bold} of its attention. Softmax makes shares of scores: e to the power of each, divided by " +
      "the sum of all. Here e<sup>{score}</sup> is {mine}, all {count} add up to {all}, and {mine} / {all} = {weight}.",
    {
      ...ends(arc),
      bold: bold(weightOf(arc)),
      score: written(row[key]),
      mine: written(mine),
      count: row.length,
      all: written(all),
      weight: written(weightOf(arc)),
    },
  );
}

function score(arc) {
  const { numbers, query, key } = arc;
  const row = scores(numbers, query);
  return say(
    "The score of {key} is {score}, {rank} of {count}. It is the dot product of two vectors, the query of {query} " +
      "and the key of {key}: {dot}, divided by the root of their length, √{dim} = {root}.",
    {
      ...ends(arc),
      score: bold(row[key]),
      rank: rank(row, key),
      count: row.length,
      dot: written(dotOf(arc)),
      dim: numbers.dim,
      root: written(Math.sqrt(numbers.dim)),
    },
  );
}

function product(arc) {
  const { numbers, query, key, feature } = arc;
  const all = products(numbers, query, key);
  const [q, k] = [queryOf(numbers, query)[feature], keyOf(numbers, key)[feature]];
  return say(
    "The dot product, {dot}, is a sum of {count} products, number by number, query times key. That of number " +
      "{feature}, counted from 0, is {rank}: {query} × {key} = {product}.",
    {
      dot: bold(dotOf(arc)),
      count: all.length,
      feature,
      rank: rank(all, feature),
      query: written(q),
      key: written(k),
      product: written(all[feature]),
    },
  );
}

function projection(arc) {
  const { numbers, query, feature } = arc;
  const [q, total] = [queryOf(numbers, query)[feature], sum(terms(numbers, query, feature))];
  return say(
    "And the {number}? The query of {query} is its vector, {width} numbers, times W_query. Number {feature} is that " +
      "vector times row {feature} of W_query: {width} products, which add up to {total}, plus a bias of {bias}. " +
      "W_key makes the key of {key} in the same way.",
    {
      ...ends(arc),
      number: bold(q),
      width: numbers.width,
      feature,
      total: written(total),
      bias: written(numbers.bias[feature]),
    },
  );
}

function delivery(arc) {
  const { numbers, key } = arc;
  const [weight, length] = [weightOf(arc), lengthOf(valueOf(numbers, key))];
  return say(
    "The weight says how much is delivered. {key} has a third vector, its value, of length {length}; {weight} of it, " +
      "of length {part}, goes to {query}. The sum of what all {count} deliver is what this head adds.",
    {
      ...ends(arc),
      length: written(length),
      weight: bold(weight),
      part: written(weight * length),
      count: arc.weights.length,
    },
  );
}

// name, caption: of a step, the latter as it is shown. value(arc): the number above it. says(arc): its sentence, as
// HTML. moves: what the keys up and down choose, "key" or "feature". file, title: of the notebook that builds it.
export const STEPS = [
  {
    name: "share",
    caption: say("share"),
    value: (arc) => written(weightOf(arc)),
    says: share,
    moves: "key",
    file: "02_softmax_and_scaling",
    title: say("Softmax and scaling"),
  },
  {
    name: "score",
    caption: say("score"),
    value: ({ numbers, query, key }) => written(scores(numbers, query)[key]),
    says: score,
    moves: "key",
    file: "02_softmax_and_scaling",
    title: say("Softmax and scaling"),
  },
  {
    name: "products",
    caption: say("products"),
    value: (arc) => written(dotOf(arc)),
    says: product,
    moves: "feature",
    file: "01_dot_product_attention",
    title: say("Dot-product attention"),
  },
  {
    name: "query",
    caption: say("query"),
    value: ({ numbers, query, feature }) => written(queryOf(numbers, query)[feature]),
    says: projection,
    moves: "feature",
    file: "03_trainable_qkv",
    title: say("Trainable queries, keys and values"),
  },
  {
    name: "delivered",
    caption: say("delivered"),
    value: (arc) => `${written(weightOf(arc))} ×`,
    says: delivery,
    moves: "key",
    file: "03_trainable_qkv",
    title: say("Trainable queries, keys and values"),
  },
];

// Return the address of a notebook from where a view stands: a page of the web edition, a deck or JupyterLab; or null.
// path: of the page's address. hasPages: whether the page is one of the course's.
export function addressOf(file, path, hasPages) {
  if (hasPages) return `${file}.html`;
  return /\/lab\/tree\/.*\.ipynb$/.test(path) ? `${file}.ipynb` : null;
}
