// StepScrubber: a panel of heads with a slider for the stored step of a training, and curves.

import { curvesPicture } from "./curves.js";
import { make, slider } from "./elements.js";
import { makeHeads } from "./heads.js";
import { rounded } from "./numbers.js";
import { guarded } from "./view.js";
import { say } from "./words.js";

export const render = guarded((model, root) =>
  makeHeads(model, root, (panel) => {
    const { shape, positions } = panel.state;
    const curves = model.get("curves");
    const names = Object.keys(curves);
    const picture = make("div", { role: "img" });
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
      if (names.length) picture.innerHTML = curvesPicture(curves, positions, now, panel.width || undefined);
    };
  }),
);
