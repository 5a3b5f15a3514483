// What a page gives to a view in place of anywidget's model: a sentence that the page has read itself.

const { numbersOf } = courseViews["head_numbers.js"];
const { decode } = courseViews["numbers.js"];
const { say } = courseViews["words.js"];
const NUM_HEADS = 12;
const NOTHING = new DataView(new ArrayBuffer(0));

const bytesOf = (text) => new DataView(Uint8Array.from(atob(text), (character) => character.charCodeAt(0)).buffer);

// Return a model with these values. Views that share it show the same choice.
// palettes: { weights, signed } in base64. values: those that differ from the ones here, such as shape and weights.
export function modelOf(palettes, tokens, values) {
  const state = {
    tokens,
    key_tokens: tokens,
    compare_tokens: tokens,
    names: [say("first"), say("second")],
    axis: "layer",
    positions: [...Array(values.shape[0]).keys()].map(String),
    other: NOTHING,
    high: 1,
    spread: 1,
    palette: bytesOf(palettes.weights),
    diverging: bytesOf(palettes.signed),
    layer: 0,
    head: 0,
    second: false,
    asked: false,
    two_lines: false,
    guess: false,
    group: "",
    ...values,
  };
  const heard = {};
  return {
    get: (name) => state[name],
    set(name, value) {
      if (state[name] === value) return;
      state[name] = value;
      for (const call of heard[`change:${name}`] ?? []) call();
    },
    on: (event, call) => (heard[event] ??= new Set()).add(call),
    off: (event, call) => heard[event]?.delete(call),
    save_changes() {},
    send() {},
  };
}

// Return the model of what Reader.read returned. askers: W_query of each layer. choice: layer, head and query.
export function ownModel(palettes, { tokens, hidden, layers }, askers, choice) {
  const all = layers.map(({ weights }) => weights);
  const joined = new Float32Array(all.length * all[0].length);
  all.forEach((weights, layer) => joined.set(weights, layer * weights.length));
  const shape = [layers.length, NUM_HEADS, tokens.length, tokens.length];
  const model = modelOf(palettes, tokens, { shape, weights: new DataView(joined.buffer), ...choice });
  const numbers = async (layer, head) => [numbersOf(hidden[layer], layers[layer], askers[layer], NUM_HEADS, head)];
  return Object.assign(model, { headNumbers: numbers });
}

// Return the weights of stored bytes, as `pack` of head_weights.py has them. text: base64.
export const stored = (text, count) => decode(bytesOf(text), count, 1);
