// MaskPainter: an editor of a mask, beside the attention weights under the mask.

import { HeadsPanel } from "../maps/heads_panel.js";
import { Heatmap } from "../maps/heatmap.js";
import { palette } from "../shared/colours.js";
import { button } from "../shared/elements.js";
import { decode, softmax } from "../shared/numbers.js";
import { guarded } from "../shared/view.js";
import { say } from "../shared/words.js";

// Name of a button -> whether a cell is open afterwards.
const RULES = {
  [say("causal")]: (isOpen, row, column) => column <= row,
  [say("everything")]: () => true,
  [say("nothing")]: () => false,
  [say("invert")]: (isOpen) => !isOpen,
};

const MASK = { isMask: true, say: (value) => (value ? "True" : "False") };

// Return the weights under the mask as the state of a HeadsPanel, with one layer and one head.
function stateOf(model, scores) {
  const keyTokens = model.get("tokens");
  const size = keyTokens.length;
  const rows = model.get("cells").map((open, i) => softmax(scores.slice(i * size, (i + 1) * size), open));
  return {
    shape: [1, 1, size, size],
    tokens: keyTokens.map((token, i) => (rows[i].some(Boolean) ? token : `∅ ${token}`)),
    keyTokens,
    values: rows.flat(),
    high: 1,
    colours: palette(model.get("palette")),
  };
}

export const render = guarded((model, root) => {
  const size = model.get("tokens").length;
  const scores = [...decode(model.get("scores"), size * size)];

  const draw = () => {
    panel.load(stateOf(model, scores));
    mask.show({ ...panel.map(panel.mode), values: model.get("cells").flat(), title: say("may attend"), ...MASK });
  };
  const put = (rule) => {
    const cells = model.get("cells");
    const changed = cells.map((row, i) => row.map((isOpen, j) => rule(isOpen, i, j)));
    model.set("cells", changed);
    model.save_changes();
    draw();
  };
  const onCell = (cell, how) => {
    if (!cell || how === "hover") return;
    panel.pick({ query: cell.row, column: cell.column });
    if (how === "pick") put((isOpen, i, j) => (i === cell.row && j === cell.column ? !isOpen : isOpen));
  };
  const mask = new Heatmap(onCell);
  const panel = new HeadsPanel(stateOf(model, scores), { layer: 0, head: 0, query: size - 1 }, draw);
  panel.refit = draw;

  const buttons = Object.entries(RULES).map(([name, rule]) => button(name, "", () => put(rule)));
  panel.bar.prepend(...buttons);
  panel.main.element.before(mask.element);
  panel.line.append(say("∅: nothing to attend to, weights 0. Plain softmax: nan."));
  root.classList.add("av-mask");
  root.append(panel.element);
  draw();
  model.on("change:cells", draw);
  return () => panel.leave();
});
