// HeadsView: a HeadsPanel, with a menu of layers if there are several.

import { shared } from "./choice.js";
import { palette } from "./colours.js";
import { select } from "./elements.js";
import { HeadsPanel } from "./heads_panel.js";
import { decode, sizeOf } from "./numbers.js";
import { guarded } from "./view.js";

// Return the state that a HeadsPanel takes, from the traits of a HeadsView.
function stateOf(model) {
  const shape = model.get("shape");
  const high = model.get("high");
  const other = model.get("other");
  return {
    shape,
    high,
    values: decode(model.get("weights"), sizeOf(shape), high),
    other: other.byteLength ? decode(other, sizeOf(shape), high) : null,
    tokens: model.get("tokens"),
    keyTokens: model.get("key_tokens"),
    axis: model.get("axis"),
    positions: model.get("positions"),
    spread: model.get("spread"),
    colours: palette(model.get("palette")),
    diverging: palette(model.get("diverging")),
  };
}

// Build the panel of a HeadsView or a StepScrubber; returns a function to call when the view is removed.
// addPicker(panel): adds a control for the layer to the panel, and returns a function that is called after every
// painting, so that the control shows the layer even if it was chosen elsewhere.
export function makeHeads(model, root, addPicker) {
  const [layer, head, query] = model.get("shape");
  const limits = { layer, head, query };
  const chosen = Object.fromEntries(Object.keys(limits).map((name) => [name, model.get(name)]));
  const panel = new HeadsPanel(stateOf(model), chosen, (choice) => together.tell(choice));
  const shown = (name) => panel[name];
  const together = shared(model, limits, shown, (choice) => panel.choose(choice));
  if (layer > 1) panel.onPainted = addPicker(panel);
  root.append(panel.element);
  panel.paintMain();
  return () => {
    together.leave();
    panel.leave();
  };
}

export const render = guarded((model, root) =>
  makeHeads(model, root, (panel) => {
    const { axis, positions } = panel.state;
    const picker = select(axis, positions, (layer) => panel.pick({ layer }));
    panel.bar.prepend(picker);
    return () => picker.put(panel.layer);
  }),
);
