// The encoder in a worker, so that nothing in the page waits for it. Messages to it are objects:
//
//   { take: [name, …] }       the arguments of a script of weights, as tools/publish/weights.py writes them
//   { cut: text, most }       cut a text into at most `most` tokens; needs the script "words"
//   { read: ids }             run the encoder; needs the weights
//
// The last two have a `number`, too, which the answer repeats: { number, tokens, ids, count }, where count is how many
// tokens there were before any were left out; or { number, hidden, layers, milliseconds }, hidden and layers as
// Encoder.run returns them; or { number, error }, a message. The answer to the first `read` also has `askers`: for
// each layer { weight, bias } of its W_query, from which a page shows how a query is made.

import { Encoder } from "./encoder.js";
import { WordPiece } from "./wordpiece.js";

// Return the function that hears the messages. answer(message, buffers): sends an answer, and gives buffers away.
export function listener(answer) {
  const encoder = new Encoder();
  let tokenizer = null;
  let toldAskers = false;

  const cut = (text, most) => {
    const { tokens, ids } = tokenizer.encode(text);
    const kept = (list) => (list.length > most ? [...list.slice(0, most - 1), list.at(-1)] : list);
    return { tokens: kept(tokens), ids: kept(ids), count: tokens.length };
  };

  const read = (ids) => {
    const began = performance.now();
    const result = { ...encoder.run(ids), milliseconds: performance.now() - began };
    if (toldAskers) return result;
    toldAskers = true;
    return { ...result, askers: encoder.layers.map(({ attention }) => attention.W_query) };
  };

  return ({ take, cut: text, most, read: ids, number }) => {
    try {
      if (take?.[0] === "words") tokenizer = new WordPiece(take[1]);
      else if (take) encoder.take(...take);
      else if (ids) {
        const result = read(ids);
        const arrays = [...result.hidden, ...result.layers.flatMap(Object.values)];
        answer(
          { number, ...result },
          arrays.map(({ buffer }) => buffer),
        );
      } else answer({ number, ...cut(text, most) }, []);
    } catch (error) {
      answer({ number, error: error.message }, []);
    }
  };
}
