// ScalingLab: what head_dim and temperature do to scores and softmax.
// Python measures every setting in advance; this script shows the results of the chosen one.

import { labelled, make, slider } from "./elements.js";
import { decode } from "./numbers.js";
import { guarded } from "./view.js";

const HIGH = 150; // px: HIGH in scaling.py

export const render = guarded((model, root) => {
  const set = (name, value) => {
    model.set(name, value);
    model.save_changes();
    draw();
  };
  const sliders = ["head_dim", "temperature"].map((name) => {
    const values = model.get(`${name}s`);
    const label = slider(name, 0, values.length - 1, 1, 0, (index) => set(name, values[index]));
    return Object.assign(label, { name, values });
  });
  const tick = make("input", { type: "checkbox", onchange: () => set("divided", tick.checked) });
  const summary = make("p", { class: "av-status", role: "status" });
  const body = make("div", { class: "av-body" });
  body.innerHTML = model.get("html");
  const bars = body.querySelectorAll(".av-scaling rect");
  const words = model.get("words");
  const heights = decode(model.get("heights"), bars.length * words.length, HIGH);

  // The index of a setting among all: they are ordered by head_dim, then by temperature, then by dividing.
  function draw() {
    let setting = 0;
    for (const { input, shown, name, values } of sliders) {
      const value = model.get(name);
      const index = values.indexOf(value);
      shown.textContent = value;
      input.ariaValueText = value;
      input.value = index;
      setting = setting * values.length + index;
    }
    tick.checked = model.get("divided");
    setting = 2 * setting + Number(tick.checked);
    summary.textContent = words[setting];
    bars.forEach((bar, i) => bar.setAttribute("height", heights[setting * bars.length + i]));
  }

  draw();
  model.on("change", draw);
  const divide = labelled("divide by the root of head_dim", tick);
  root.append(make("div", { class: "av-bar" }, ...sliders, divide), summary, body);
  return () => model.off("change", draw);
});
