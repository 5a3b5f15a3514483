// The thumbnails of a HeadsPanel: one for each head, on one scale, of which one is chosen.

import { make } from "../shared/elements.js";
import { arrow } from "../shared/keys.js";
import { entropy, rounded } from "../shared/numbers.js";
import { columnsFor } from "../shared/room.js";
import { say } from "../shared/words.js";
import { paint } from "./heatmap.js";

export class Thumbs {
  // onPick(head): called when the reader chooses a head.
  constructor(onPick) {
    this.onPick = onPick;
    this.element = make("div", { class: "av-heads", role: "radiogroup", "aria-label": say("Head") });
  }

  // Make the thumbnails of so many heads anew; a single head is shown without them.
  build(heads) {
    this.element.hidden = heads < 2;
    this.columns = columnsFor(heads);
    this.element.style.gridTemplateColumns = `repeat(${this.columns},auto)`;
    this.buttons = Array.from({ length: heads }, (_, head) => this.button(head));
    this.element.replaceChildren(...this.buttons, make("small", { textContent: say("head, and its entropy") }));
  }

  // Make the thumbnails at most so large, in px; null: as large as the style sheet says.
  fit(side) {
    if (side == null) this.element.style.removeProperty("--av-head");
    else this.element.style.setProperty("--av-head", `${side}px`);
  }

  button(head) {
    const canvas = make("canvas");
    const caption = make("span");
    const onclick = () => this.onPick(head);
    const element = make("button", { type: "button", role: "radio", onclick }, canvas, caption);
    element.onkeydown = (event) => {
      const step = arrow(event);
      const next = step && head + step[0] * this.columns + step[1];
      if (!this.buttons[next]) return;
      this.buttons[next].focus(); // before onPick: focus forces a layout of all pending changes
      this.onPick(next);
    };
    return Object.assign(element, { canvas, caption });
  }

  // map(head): returns the matrix of a head, as the argument of Heatmap.show. isOfWeights: whether it has an entropy.
  paint(map, isOfWeights) {
    this.buttons.forEach((element, head) => {
      const matrix = map(head);
      paint(element.canvas, matrix);
      const summary = isOfWeights ? rounded(entropy(matrix)) : "";
      element.caption.replaceChildren(`${head}`, make("small", { textContent: summary }));
      const name = summary ? say("head {head}, entropy {summary}", { head, summary }) : say("head {head}", { head });
      element.setAttribute("aria-label", name);
    });
  }

  // Mark the chosen head, the one tab stop of all.
  mark(chosen) {
    this.buttons.forEach((element, head) => {
      element.setAttribute("aria-checked", head === chosen);
      element.tabIndex = head === chosen ? 0 : -1;
    });
  }

  // Scroll to a head, if all stand in one line that is wider than the view.
  scrollTo(head) {
    const { offsetLeft, offsetWidth } = this.buttons[head];
    this.element.scrollLeft = offsetLeft - this.element.offsetLeft - offsetWidth;
  }
}
