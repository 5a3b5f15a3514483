// The guess before the arcs of a SentenceView: the reader taps the word that they think has the largest weight.

import { wordBeside } from "../arcs/word_lines.js";
import { rounded } from "../shared/numbers.js";
import { say } from "../shared/words.js";

const EVENT = "attention-course-guessed"; // detail: { isRight }

export class Guess {
  // model: of the view. sentence: a Sentence of sentence.js, which asks `isOpen` before it shows any weight.
  constructor(model, sentence) {
    Object.assign(this, { sentence, isOpen: Boolean(model.get("guess")), answer: null });
  }

  // Take over the words until the reader has guessed. Called when the sentence has been built.
  begin() {
    if (!this.isOpen) return;
    const { text, element } = this.sentence;
    element.classList.add("av-guessing");
    const hear = { capture: true, signal: (this.hearing = new AbortController()).signal };
    const wordAt = (target) => this.words.findIndex((word) => word.contains(target));
    const take = (event, act) => {
      const i = wordAt(event.target);
      if (i < 0 || act(i, event.key) === false) return;
      event.stopPropagation(); // the sentence would choose the word
      event.preventDefault();
    };
    text.addEventListener("click", (event) => take(event, (i) => this.choose(i)), hear);
    text.addEventListener("keydown", (event) => take(event, (i, key) => this.onKey(i, key)), hear);
    text.addEventListener("pointerenter", (event) => take(event, () => {}), hear);
  }

  get words() {
    return this.sentence.others.words;
  }

  onKey(i, key) {
    if (key === "Enter" || key === " ") return this.choose(i);
    const down = { ArrowUp: -1, ArrowDown: 1 }[key];
    const next = { ArrowLeft: i - 1, ArrowRight: i + 1, Home: 0, End: this.words.length - 1 }[key];
    const to = down ? wordBeside(this.sentence.others.places, i, down) : next;
    if (to == null) return false;
    this.words[to]?.focus();
  }

  // Show the words as a choice that is not made: none is checked, and the first word is the way in for the keyboard.
  show() {
    const { sentence, words } = this;
    const name = sentence.name("queries", sentence.word);
    words[0].parentElement.setAttribute("aria-label", say("Word that you think “{name}” looks at", { name }));
    words.forEach((word, i) => {
      word.setAttribute("aria-checked", false);
      word.tabIndex = i ? -1 : 0;
    });
    sentence.status.textContent = say("Tap the word that you think “{name}” looks at.", { name });
  }

  // The reply to the guess, as long as the sentence shows what was guessed; later, or without a guess, null.
  get reply() {
    const { answer, sentence } = this;
    return answer && sentence.hover == null && answer.of === JSON.stringify(sentence.choice) ? answer.words : null;
  }

  choose(i) {
    const { sentence } = this;
    const weights = sentence.weights();
    const most = sentence.opening.strongest();
    const named = (key) => `${sentence.name("keys", key)} (${rounded(weights[key])})`;
    const [isRight, its] = [i === most, named(most)];
    const words = isRight
      ? say("You said {mine}, and so does the model: it looks most at {its}.", { mine: sentence.name("keys", i), its })
      : say("You said {mine}. The model looks most at {its}.", { mine: named(i), its });
    this.isOpen = false;
    this.answer = { words, of: JSON.stringify(sentence.choice) };
    this.hearing.abort();
    sentence.element.classList.remove("av-guessing");
    this.words[i].classList.add("av-guessed");
    sentence.markRoles();
    sentence.show();
    sentence.move(
      weights.map(() => 0),
      weights,
    );
    sentence.asker.words[sentence.choice.query].focus();
    sentence.element.dispatchEvent(new CustomEvent(EVENT, { bubbles: true, detail: { isRight } }));
  }
}
