// The steps from a weight down to the numbers it is made of: what each says, and the notebook that builds it.
// An arc is an object with numbers, as head_numbers.js has them; weights, those of the query, one for each key; query,
// key and feature, the chosen indices; and names, { query, keys }, the tokens.

import { rounded, sum } from "../shared/numbers.js";
import { escaped } from "../shared/svg.js";
import { say } from "../shared/words.js";
import { products, scores, terms, queryOf, keyOf, valueOf, lengthOf } from "./head_numbers.js";

// Return digits with a true minus, and none before a zero.
const minus = (digits) => digits.replace("-", Number(digits) === 0 ? "" : "−");

// Return a number as it is written in a step: two decimals, or three digits of a large one, and a true minus.
export function written(value) {
  const digits = Math.abs(value) < 1000 ? rounded(value) : value.toPrecision(3);
  return minus(digits).replace("e+", "e");
}

// Return numbers as written, with as many decimals, from two on, as make the result of `reckon` on them what is written
// of it: what a reader with a calculator finds.
function checkable(numbers, reckon) {
  const wanted = written(reckon(...numbers));
  for (let digits = 2; digits < 7; digits++) {
    const shown = numbers.map((number) => number.toFixed(digits));
    if (written(reckon(...shown.map(Number))) === wanted) return shown.map(minus);
  }
  return numbers.map(written);
}

const times = (first, second) => first * second;
const each = (object, f) => Object.fromEntries(Object.entries(object).map(([name, value]) => [name, f(value)]));
const weightOf = ({ weights, key }) => weights[key];
const scoreOf = ({ numbers, query, key }) => scores(numbers, query)[key];
const dotOf = ({ numbers, query, key }) => sum(products(numbers, query, key));
const askedOf = ({ numbers, query, feature }) => queryOf(numbers, query)[feature];

// Return the places of a sentence: query and key, the names of the two tokens; the numbers of two objects, those of
// the first in bold; and what stands as it is.
const placesOf = ({ names, key }, main, numbers, others) => ({
  ...each({ query: names.query, key: names.keys[key] }, (name) => `<em>${escaped(name)}</em>`),
  ...each(main, (number) => `<b>${written(number)}</b>`),
  ...each(numbers, written),
  ...others,
});

// Return a word for the place of a number among others, from the largest down.
export function rank(numbers, index) {
  const above = numbers.filter((number) => number > numbers[index]).length;
  if (above === 0) return say("the largest");
  if (above === numbers.length - 1) return say("the smallest");
  return say("number {place} from the top", { place: above + 1 });
}

function share(arc) {
  const [weight, score] = [weightOf(arc), scoreOf(arc)];
  const exps = scores(arc.numbers, arc.query).map(Math.exp);
  return say(
    "{query} gives {key} {bold} of its attention. Softmax makes shares of scores: e to the power of each, divided by " +
      "the sum of all. Here e<sup>{score}</sup> is {mine}, all {count} add up to {all}, and {mine} / {all} = {weight}.",
    placesOf(
      arc,
      { bold: weight },
      { mine: exps[arc.key], all: sum(exps), weight },
      { score: checkable([score], Math.exp)[0], count: exps.length },
    ),
  );
}

function score(arc) {
  const { numbers, query, key } = arc;
  const row = scores(numbers, query);
  const told = { dot: dotOf(arc), root: Math.sqrt(numbers.dim) };
  return say(
    "The score of {key} is {score}, {rank} of {count}. It is the dot product of two vectors, the query of {query} " +
      "and the key of {key}: {dot}, divided by the root of their length, √{dim} = {root}.",
    placesOf(arc, { score: row[key] }, told, { rank: rank(row, key), count: row.length, dim: numbers.dim }),
  );
}

function product(arc) {
  const { numbers, query, key, feature } = arc;
  const all = products(numbers, query, key);
  const [asked, offered] = checkable([askedOf(arc), keyOf(numbers, key)[feature]], times);
  return say(
    "The dot product, {dot}, is a sum of {count} products, number by number, query times key. That of number " +
      "{feature}, counted from 0, is {rank}: {query} × {key} = {product}.",
    placesOf(
      arc,
      { dot: dotOf(arc) },
      { product: all[feature] },
      { count: all.length, feature, rank: rank(all, feature), query: asked, key: offered },
    ),
  );
}

function projection(arc) {
  const { numbers, query, feature } = arc;
  const told = { total: sum(terms(numbers, query, feature)), bias: numbers.bias[feature] };
  return say(
    "And the {number}? The query of {query} is its vector, {width} numbers, times W_query. Number {feature} is that " +
      "vector times row {feature} of W_query: {width} products, which add up to {total}, plus a bias of {bias}. " +
      "W_key makes the key of {key} in the same way.",
    placesOf(arc, { number: askedOf(arc) }, told, { width: numbers.width, feature }),
  );
}

function delivery(arc) {
  const [weight, length] = [weightOf(arc), lengthOf(valueOf(arc.numbers, arc.key))];
  return say(
    "The weight says how much is delivered. {key} has a third vector, its value, of length {length}; {weight} of it, " +
      "of length {part}, goes to {query}. The sum of what all {count} deliver is what this head adds.",
    placesOf(arc, { weight }, { length, part: weight * length }, { count: arc.weights.length }),
  );
}

const DOT_PRODUCT = { file: "01_dot_product_attention", title: say("Dot-product attention") };
const SOFTMAX = { file: "02_softmax_and_scaling", title: say("Softmax and scaling") };
const QKV = { file: "03_trainable_qkv", title: say("Trainable queries, keys and values") };

// name, caption: of a step, the latter as it is shown. value(arc): the number above it, and sign, what follows it, if
// anything does. says(arc): its sentence, as HTML. moves: what the keys up and down choose, "key" or "feature".
// file, title: of the notebook that builds it.
export const STEPS = [
  { name: "share", caption: say("share"), value: weightOf, says: share, moves: "key", ...SOFTMAX },
  { name: "score", caption: say("score"), value: scoreOf, says: score, moves: "key", ...SOFTMAX },
  { name: "products", caption: say("products"), value: dotOf, says: product, moves: "feature", ...DOT_PRODUCT },
  { name: "query", caption: say("query"), value: askedOf, says: projection, moves: "feature", ...QKV },
  { name: "delivered", caption: say("delivered"), value: weightOf, sign: " ×", says: delivery, moves: "key", ...QKV },
];

// Return the address of a notebook from where a view stands: a page of the web edition, a deck or JupyterLab; or null.
// path: of the page's address. hasPages: whether the page is one of the course's.
export function addressOf(file, path, hasPages) {
  if (hasPages) return `${file}.html`;
  return /\/lab\/tree\/.*\.ipynb$/.test(path) ? `${file}.ipynb` : null;
}
