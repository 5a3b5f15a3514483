// Quiz: questions that are checked one by one. Check shows the feedback on the chosen answer; a new choice hides it.

import { button, make, radios } from "./elements.js";
import { keep, kept } from "./memory.js";
import { guarded } from "./view.js";
import { say } from "./words.js";

const plain = (parts) => parts.map(([, words]) => words).join("");
const rich = (parts) => parts.map(([tag, textContent]) => (tag ? make(tag, { textContent }) : textContent));

// Create the element of a question. onChecked(isRight): called at every check.
function asked({ question, choices }, number, onChecked) {
  const status = make("p", { class: "av-status", role: "status" });
  const clear = () => {
    status.replaceChildren();
    body.className = "";
  };
  const labels = radios(
    choices.map(({ text }) => rich(text)),
    clear,
  );
  const check = () => {
    const chosen = choices[labels.findIndex(({ input }) => input.checked)];
    if (!chosen) {
      status.textContent = say("Choose an answer first.");
      return;
    }
    const verdict = make("strong", { textContent: chosen.right ? say("✓ Right.") : say("✗ Not this one.") });
    status.replaceChildren(verdict, " ", ...rich(chosen.feedback));
    body.className = chosen.right ? "av-is-right" : "av-is-wrong";
    onChecked(chosen.right);
    keep("quizzes", plain(question), plain(chosen.text));
  };
  const legend = make("legend", {}, make("strong", { textContent: `${number}.` }), " ", ...rich(question));
  const checkButton = button(say("Check"), say("Check question {number}", { number }), check);
  const body = make("fieldset", {}, legend, make("div", { class: "av-choices" }, ...labels), checkButton, status);
  const before = kept("quizzes", plain(question));
  const again = labels[choices.findIndex(({ text }) => plain(text) === before)];
  if (again) {
    again.input.checked = true;
    check();
  }
  return body;
}

export const render = guarded((model, root) => {
  const questions = model.get("questions");
  const right = new Set();
  const score = make("p", { class: "av-status", role: "status" });
  const all = questions.map((question, index) => {
    return asked(question, index + 1, (isRight) => {
      if (isRight) right.add(index);
      else right.delete(index);
      score.textContent = say("{right} of {number} right.", { right: right.size, number: questions.length });
    });
  });
  root.classList.add("av-quiz");
  root.append(...all, score);
});
