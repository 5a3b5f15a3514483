// The function that wraps every view.

import { make } from "./elements.js";
import { keepPlainKeys } from "./keys.js";

// Return the render function that anywidget calls. build(model, root): fills the root element, and returns a cleanup
// function or nothing. If it throws an error, the view shows the message.
export function guarded(build) {
  return ({ model, el }) => {
    const root = make("div", { class: "av", onkeydown: keepPlainKeys });
    el.append(root);
    try {
      return build(model, root);
    } catch (error) {
      const textContent = `This view could not be drawn: ${error.message}`;
      root.replaceChildren(make("p", { class: "av-error", role: "alert", textContent }));
    }
  };
}
