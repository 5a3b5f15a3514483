// What wraps every view: how it is drawn, and how a page opens it.

import { make } from "./elements.js";
import { keepPlainKeys } from "./keys.js";
import { say } from "./words.js";

// Return the render function that anywidget calls. build(model, root): fills the root element, and returns a cleanup
// function or nothing. If it throws an error, the view shows the message.
export function guarded(build) {
  return ({ model, el }) => {
    const root = make("div", { class: "av", onkeydown: keepPlainKeys });
    el.append(root);
    try {
      return build(model, root);
    } catch (error) {
      const textContent = say("This view could not be drawn: {error}", { error: error.message });
      root.replaceChildren(make("p", { class: "av-error", role: "alert", textContent }));
    }
  };
}

// Call draw() whenever the model of a view changes. Returns set(values), for what the reader changes, an object from
// names to values, and leave(), the view's cleanup function. set() draws too, since the model of an exported page tells
// of no change.
export function following(model, draw) {
  const set = (values) => {
    for (const [name, value] of Object.entries(values)) model.set(name, value);
    model.save_changes();
    draw();
  };
  model.on("change", draw);
  return { set, leave: () => model.off("change", draw) };
}

// Show a button above the picture of a view, in an exported page, and call open() when either is clicked.
export function whenTouched(host, open) {
  const button = make("button", { type: "button", textContent: say("Use this view") });
  const opener = make("div", { class: "av av-opener", onkeydown: keepPlainKeys }, button);
  const once = () => {
    open();
    host.dispatchEvent(new Event("change", { bubbles: true })); // a slide makes room for the view
    host.querySelector("button")?.focus();
  };
  host.addEventListener("click", once, { once: true });
  host.prepend(opener);
}
