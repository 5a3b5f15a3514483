// HeadsView: the panel of heads, with a menu of layers where there are several.

import { palette } from "./colours.js";
import { select } from "./elements.js";
import { HeadsPanel } from "./heads_panel.js";
import { decode } from "./numbers.js";
import { guarded } from "./view.js";

const CHOICES = ["layer", "head", "query"];

function stateOf(model) {
  const shape = model.get("shape");
  const high = model.get("high");
  const other = model.get("other");
  const count = shape.reduce((a, b) => a * b);
  return {
    shape,
    high,
    values: decode(model.get("weights"), count, high),
    other: other.byteLength ? decode(other, count, high) : null,
    tokens: model.get("tokens"),
    keyTokens: model.get("key_tokens"),
    axis: model.get("axis"),
    positions: model.get("positions"),
    spread: model.get("spread"),
    colours: palette(model.get("palette")),
    diverging: palette(model.get("diverging")),
  };
}

// Choosing in one copy of the view, or in Python, chooses in all of them. addPicker(panel) puts a control of the layer
// into the panel; it returns what is called after each painting, whoever chose, so that the control shows the layer.
export function makeHeads(model, root, addPicker) {
  const chosen = () => Object.fromEntries(CHOICES.map((name) => [name, model.get(name)]));
  const tell = (choice) => {
    for (const name of CHOICES) {
      if (name in choice) model.set(name, choice[name]);
    }
    requestAnimationFrame(() => setTimeout(() => model.save_changes())); // after the picture
  };
  const panel = new HeadsPanel(stateOf(model), chosen(), tell);
  if (panel.state.shape[0] > 1) panel.onPainted = addPicker(panel);
  root.append(panel.element);
  panel.paintMain();
  const follow = () => {
    const isShown = CHOICES.every((name) => panel[name] === model.get(name));
    if (!isShown) panel.choose(chosen());
  };
  for (const name of CHOICES) model.on(`change:${name}`, follow);
  return () => {
    for (const name of CHOICES) model.off(`change:${name}`, follow);
  };
}

export const render = guarded((model, root) =>
  makeHeads(model, root, (panel) => {
    const { axis, positions } = panel.state;
    const picker = select(axis, positions, panel.layer, (layer) => panel.pick({ layer }));
    panel.bar.prepend(picker);
    return () => {
      picker.input.selectedIndex = panel.layer;
    };
  }),
);
