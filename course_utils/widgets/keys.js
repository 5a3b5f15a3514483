// What keys mean in a view.

const STEPS = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
  Enter: [0, 0],
  " ": [0, 0],
};

// The step that a key means, in rows and columns; undefined if it means none.
export function arrow(event) {
  const step = STEPS[event.key];
  if (step) event.preventDefault();
  return step;
}

// Plain keys stay in the view: JupyterLab would move to another cell, or, at a letter, even add one.
export function keepPlainKeys(event) {
  const { ctrlKey, metaKey, altKey, shiftKey, key } = event;
  const isForThePage = ctrlKey || metaKey || altKey || shiftKey || key === "Escape";
  if (!isForThePage) event.stopPropagation();
}
