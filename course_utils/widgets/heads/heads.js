// HeadsView: a HeadsPanel, with a menu of layers if there are several.

import { ArcPanel } from "../arcs/arc_panel.js";
import { HeadsPanel } from "../maps/heads_panel.js";
import { shared } from "../shared/choice.js";
import { palette } from "../shared/colours.js";
import { button, select } from "../shared/elements.js";
import { decode, largest, rounded, rowOf, sizeOf } from "../shared/numbers.js";
import { guarded } from "../shared/view.js";
import { axisName, say } from "../shared/words.js";

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
  const onPainted = layer > 1 ? addPicker(panel) : () => {};
  const opening = openingOf(model, panel);
  panel.onPainted = () => {
    onPainted();
    if (!panel.hover) opening.show();
  };
  root.append(panel.element);
  panel.paintMain();
  return () => {
    together.leave();
    panel.leave();
    opening.leave();
  };
}

// Let the reader open the chosen weight, or that of the strongest key of the query, down to its numbers.
// Returns show(), to call when the choice has changed, and leave(), to call when the view is removed.
function openingOf(model, panel) {
  const weights = () => Array.from(rowOf(panel.map(panel.mainMode), panel.query));
  const key = () => panel.column ?? largest(weights());
  const look = () => ({
    layer: panel.layer,
    head: panel.head,
    sentence: panel.run,
    query: panel.query,
    key: key(),
    weights: weights(),
    names: { query: panel.state.tokens[panel.query], keys: panel.state.keyTokens },
  });
  const arcs = new ArcPanel(model, { look, pick: (column) => panel.pick({ column }), closed: () => opener.focus() });
  const opener = button("", "", () => arcs.open());
  opener.className = "av-arc-opener";
  panel.body.after(arcs.element);
  panel.line.append(opener);
  const show = () => {
    opener.hidden = !arcs.source.isThere || panel.run == null;
    if (panel.run == null) return;
    opener.textContent = say("Where does {weight} come from?", { weight: rounded(weights()[key()]) });
    arcs.show();
  };
  return { show, leave: () => arcs.leave() };
}

export const render = guarded((model, root) =>
  makeHeads(model, root, (panel) => {
    const { axis, positions } = panel.state;
    const picker = select(axisName(axis), positions, (layer) => panel.pick({ layer }));
    panel.bar.prepend(picker);
    return () => picker.put(panel.layer);
  }),
);
