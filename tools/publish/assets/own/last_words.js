// The sentence of the start page with some forty last words, whose weights are stored in the page.

import { modelOf, stored } from "./model_of.js";

const { make, select, button } = courseViews["elements.js"];
const { rounded } = courseViews["numbers.js"];
const { say } = courseViews["words.js"];

// Return an element in which a visitor chooses a last word, and sees where *it* looks.
// given: { tokens, words, weights, nouns }: the tokens, of which `place` is the last word; for each word the weights of
// one head in base64, (num_tokens, num_tokens); and the two words between which *it* chooses.
export function lastWords({ tokens, place, it, words, weights, nouns }, palettes) {
  const count = tokens.length;
  const found = new Map(); // from the number of a word that was tried to the noun at which *it* looks more
  const view = make("div", { class: "view" });
  const tally = make("p", { class: "own-tally", role: "status" });
  let query = it;
  let shown = -1;

  const wordsOf = (number, shares) => {
    const tried = (noun) => words.filter((_, i) => found.get(i) === noun).join(", ") || say("none yet");
    const lists = nouns.map((noun) => `${noun}: ${tried(noun)}`).join(say(". "));
    const now = nouns.map((noun, i) => `${noun} ${rounded(shares[i])}`).join(", ");
    const places = { word: words[number], now, count: found.size, all: words.length, lists };
    return say("With {word}, it looks at {now}. You have tried {count} of {all}. {lists}.", places);
  };

  const show = (number) => {
    shown = number;
    picker.put(number);
    const named = tokens.map((token, i) => (i === place ? words[number] : token));
    const values = stored(weights[number], count * count);
    const model = modelOf(palettes, named, {
      shape: [1, 1, count, count],
      weights: new DataView(values.buffer),
      query,
    });
    model.on("change:query", () => (query = model.get("query")));
    view.replaceChildren();
    courseViews["sentence.js"].render({ model, el: view });
    const row = values.slice(it * count, (it + 1) * count);
    const shares = nouns.map((noun) => row[tokens.indexOf(noun)]);
    found.set(number, nouns[shares[0] >= shares[1] ? 0 : 1]);
    tally.textContent = wordsOf(number, shares);
  };

  const picker = select(say("last word"), words, show);
  const step = (by) => show((shown + by + words.length) % words.length);
  const bar = make("div", { class: "own-bar" }, picker);
  bar.append(
    button("‹", say("The word before"), () => step(-1)),
    button("›", say("The next word"), () => step(1)),
  );
  for (const one of bar.querySelectorAll("button")) one.setAttribute("aria-label", one.title);
  show(0);
  return make("div", {}, bar, view, tally);
}
