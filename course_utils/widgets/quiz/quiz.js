// Quiz: questions that are checked one by one. Check shows the feedback on the chosen answer; a new choice hides it.

import { button, make, radios } from "../shared/elements.js";
import { keep, kept } from "../shared/memory.js";
import { guarded } from "../shared/view.js";
import { say } from "../shared/words.js";

const plain = (parts) => parts.map(([, words]) => words).join("");
const rich = (parts) => parts.map(([tag, textContent]) => (tag ? make(tag, { textContent }) : textContent));

// Create the element of a question. before: the number of the choice that was checked before, if any.
// onChecked(isRight, number of the choice): called at every check.
function asked({ question, choices }, number, before, onChecked) {
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
    const place = labels.findIndex(({ input }) => input.checked);
    const chosen = choices[place];
    if (!chosen) {
      status.textContent = say("Choose an answer first.");
      return;
    }
    const verdict = make("strong", { textContent: chosen.right ? say("✓ Right.") : say("✗ Not this one.") });
    status.replaceChildren(verdict, " ", ...rich(chosen.feedback));
    body.className = chosen.right ? "av-is-right" : "av-is-wrong";
    onChecked(chosen.right, place + 1);
    keep("quizzes", plain(question), plain(chosen.text));
  };
  const legend = make("legend", {}, make("strong", { textContent: `${number}.` }), " ", ...rich(question));
  const checkButton = button(say("Check"), say("Check question {number}", { number }), check);
  const body = make("fieldset", {}, legend, make("div", { class: "av-choices" }, ...labels), checkButton, status);
  const onThisPage = kept("quizzes", plain(question));
  const again = labels[before - 1] ?? labels[choices.findIndex(({ text }) => plain(text) === onThisPage)];
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
  const note = make("p", { class: "av-status", role: "status" });
  const showNote = () => (note.textContent = model.get("note"));
  const all = questions.map((question, index) => {
    const number = index + 1;
    return asked(question, number, model.get("chosen")[number], (isRight, choice) => {
      if (model.get("chosen")[number] !== choice) {
        model.set("chosen", { ...model.get("chosen"), [number]: choice });
        model.save_changes();
      }
      if (isRight) right.add(index);
      else right.delete(index);
      score.textContent = say("{right} of {number} right.", { right: right.size, number: questions.length });
    });
  });
  root.classList.add("av-quiz");
  root.append(...all, note, score);
  showNote();
  model.on("change:note", showNote);
  return () => model.off("change:note", showNote);
});
