// ScalingLab: what head_dim and temperature do to scores and softmax.
// Python measures every setting in advance; this script shows the results of the chosen one.

import { checkbox, make, slider } from "../shared/elements.js";
import { decode } from "../shared/numbers.js";
import { following, guarded } from "../shared/view.js";
import { say } from "../shared/words.js";

const HIGH = 150; // px: HIGH in scaling.py

export const render = guarded((model, root) => {
  const { set, leave } = following(model, draw);
  const sliders = ["head_dim", "temperature"].map((name) => {
    const values = model.get(`${name}s`);
    const control = slider(
      name === "temperature" ? say("temperature") : name,
      values.length - 1,
      (index) => values[index],
      (index) => set({ [name]: values[index] }),
    );
    return Object.assign(control, { name, values });
  });
  const divide = checkbox(say("divide by the root of head_dim"), (divided) => set({ divided }));
  const summary = make("p", { class: "av-status", role: "status" });
  const body = make("div", { class: "av-body" });
  body.innerHTML = model.get("html");
  const bars = body.querySelectorAll(".av-scaling rect");
  const words = model.get("words");
  const heights = decode(model.get("heights"), bars.length * words.length, HIGH);

  // The index of a setting among all: they are ordered by head_dim, then by temperature, then by dividing.
  function draw() {
    let setting = 0;
    for (const { put, name, values } of sliders) {
      const index = values.indexOf(model.get(name));
      put(index);
      setting = setting * values.length + index;
    }
    divide.put(model.get("divided"));
    setting = 2 * setting + Number(model.get("divided"));
    summary.textContent = words[setting];
    bars.forEach((bar, i) => bar.setAttribute("height", heights[setting * bars.length + i]));
  }

  draw();
  root.append(make("div", { class: "av-bar" }, ...sliders, divide), summary, body);
  return leave;
});
