// The frame of every view.

import { make } from "./elements.js";
import { keepPlainKeys } from "./keys.js";

// What a view exports as render, from build(model, root). What goes wrong while it is built is said in the view.
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
