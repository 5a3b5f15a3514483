// The steps from a weight down to the numbers it is made of: what each says, and the notebook that builds it.
// An arc is an object with numbers, as head_numbers.js has them; weights, those of the query, one for each key; query,
// key and feature, the chosen indices; and names, { query, keys }, the tokens.

import { products, scores, terms, queryOf, keyOf, valueOf, lengthOf } from "./head_numbers.js";
import { sum } from "./numbers.js";
import { escaped } from "./svg.js";

// Return a number as it is written in a step: two decimals, or three digits of a large one, and a true minus.
export function written(value) {
  const digits = Math.abs(value) < 1000 ? value.toFixed(2) : value.toPrecision(3);
  return digits.replace("e+", "e").replace("-", Number(digits) === 0 ? "" : "−");
}

const em = (name) => `<em>${escaped(name)}</em>`;
const bold = (value) => `<b>${written(value)}</b>`;
const weightOf = ({ weights, key }) => weights[key];
const dotOf = ({ numbers, query, key }) => sum(products(numbers, query, key));

// Return a word for the place of a number among others, from the largest down.
export function rank(numbers, index) {
  const above = numbers.filter((number) => number > numbers[index]).length;
  if (above === 0) return "the largest";
  return above === numbers.length - 1 ? "the smallest" : `number ${above + 1} from the top`;
}

function share(arc) {
  const { numbers, query, key, names } = arc;
  const row = scores(numbers, query);
  const [mine, all] = [Math.exp(row[key]), sum(row.map(Math.exp))];
  return (
    `${em(names.query)} gives ${em(names.keys[key])} ${bold(weightOf(arc))} of its attention. Softmax makes shares ` +
    `of scores: e to the power of each, divided by the sum of all. Here e<sup>${written(row[key])}</sup> is ` +
    `${written(mine)}, all ${row.length} add up to ${written(all)}, and ${written(mine)} / ${written(all)} = ` +
    `${written(weightOf(arc))}.`
  );
}

function score(arc) {
  const { numbers, query, key, names } = arc;
  const row = scores(numbers, query);
  return (
    `The score of ${em(names.keys[key])} is ${bold(row[key])}, ${rank(row, key)} of ${row.length}. It is the dot ` +
    `product of two vectors, the query of ${em(names.query)} and the key of ${em(names.keys[key])}: ` +
    `${written(dotOf(arc))}, divided by the root of their length, √${numbers.dim} = ${written(Math.sqrt(numbers.dim))}.`
  );
}

function product(arc) {
  const { numbers, query, key, feature } = arc;
  const all = products(numbers, query, key);
  const [q, k] = [queryOf(numbers, query)[feature], keyOf(numbers, key)[feature]];
  return (
    `The dot product, ${bold(dotOf(arc))}, is a sum of ${all.length} products, number by number, query times key. ` +
    `That of number ${feature}, counted from 0, is ${rank(all, feature)}: ` +
    `${written(q)} × ${written(k)} = ${written(all[feature])}.`
  );
}

function projection({ numbers, query, key, feature, names }) {
  const [q, total] = [queryOf(numbers, query)[feature], sum(terms(numbers, query, feature))];
  return (
    `And the ${bold(q)}? The query of ${em(names.query)} is its vector, ${numbers.width} numbers, times W_query. ` +
    `Number ${feature} is that vector times row ${feature} of W_query: ${numbers.width} products, which add up to ` +
    `${written(total)}, plus a bias of ${written(numbers.bias[feature])}. W_key makes the key of ` +
    `${em(names.keys[key])} in the same way.`
  );
}

function delivery(arc) {
  const { numbers, key, names } = arc;
  const [weight, length] = [weightOf(arc), lengthOf(valueOf(numbers, key))];
  return (
    `The weight says how much is delivered. ${em(names.keys[key])} has a third vector, its value, of length ` +
    `${written(length)}; ${bold(weight)} of it, of length ${written(weight * length)}, goes to ${em(names.query)}. ` +
    `The sum of what all ${arc.weights.length} deliver is what this head adds.`
  );
}

// name: the caption of a step. value(arc): the number above it. says(arc): its sentence, as HTML. moves: what the keys
// up and down choose, "key" or "feature". file, title: of the notebook that builds it.
export const STEPS = [
  {
    name: "share",
    value: (arc) => written(weightOf(arc)),
    says: share,
    moves: "key",
    file: "02_softmax_and_scaling",
    title: "Softmax and scaling",
  },
  {
    name: "score",
    value: ({ numbers, query, key }) => written(scores(numbers, query)[key]),
    says: score,
    moves: "key",
    file: "02_softmax_and_scaling",
    title: "Softmax and scaling",
  },
  {
    name: "products",
    value: (arc) => written(dotOf(arc)),
    says: product,
    moves: "feature",
    file: "01_dot_product_attention",
    title: "Dot-product attention",
  },
  {
    name: "query",
    value: ({ numbers, query, feature }) => written(queryOf(numbers, query)[feature]),
    says: projection,
    moves: "feature",
    file: "03_trainable_qkv",
    title: "Trainable queries, keys and values",
  },
  {
    name: "delivered",
    value: (arc) => `${written(weightOf(arc))} ×`,
    says: delivery,
    moves: "key",
    file: "03_trainable_qkv",
    title: "Trainable queries, keys and values",
  },
];

// Return the address of a notebook from where a view stands: a page of the web edition, a deck or JupyterLab; or null.
// path: of the page's address. hasPages: whether the page is one of the course's.
export function addressOf(file, path, hasPages) {
  if (hasPages) return `${file}.html`;
  return /\/lab\/tree\/.*\.ipynb$/.test(path) ? `${file}.ipynb` : null;
}
