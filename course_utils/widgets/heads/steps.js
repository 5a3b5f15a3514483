// StepScrubber: a panel of heads with a slider for the stored step of a training, and curves.

import { make, slider } from "../shared/elements.js";
import { rounded } from "../shared/numbers.js";
import { isBeside } from "../shared/room.js";
import { guarded } from "../shared/view.js";
import { say } from "../shared/words.js";
import { curvesPicture } from "./curves.js";
import { makeHeads } from "./heads.js";

const CONTROLS = 400; // px: the width of the controls that stand beside the curves, where there is room
const LOW = 112; // px: the height of the curves there

export const render = guarded((model, root) =>
  makeHeads(model, root, (panel) => {
    const { shape, positions } = panel.state;
    const curves = model.get("curves");
    const names = Object.keys(curves);
    const picture = make("div", { class: "av-curves", role: "img" });
    const picker = slider(
      say("step"),
      shape[0] - 1,
      (layer) => positions[layer],
      (layer) => panel.pick({ layer }),
    );
    panel.bar.prepend(picker);
    if (names.length) panel.bar.after(picture);
    return () => {
      const now = panel.layer;
      const values = names.map((name) => `${name} ${rounded(curves[name][now])}`);
      const summary = [say("step {step}", { step: positions[now] }), ...values].join(say(", "));
      picker.put(now);
      picker.input.ariaValueText = summary;
      picture.setAttribute("aria-label", say("Curve at {summary}", { summary }));
      const beside = names.length > 0 && isBeside(panel.element);
      panel.element.classList.toggle("av-beside", beside);
      const room = panel.width - (beside ? CONTROLS : 0);
      const size = [room || undefined, beside ? LOW : undefined];
      if (names.length) picture.innerHTML = curvesPicture(curves, positions, now, ...size);
    };
  }),
);
