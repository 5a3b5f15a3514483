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
