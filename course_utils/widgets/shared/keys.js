// The keyboard in a view.

const STEPS = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
  Enter: [0, 0],
  " ": [0, 0],
};

// Return the step of a key event as [rows, columns], [0, 0] for Enter and the space bar, or undefined for other keys.
// The default action of a key with a step is prevented.
export function arrow(event) {
  const step = STEPS[event.key];
  if (step) event.preventDefault();
  return step;
}

// Stop keys without a modifier from leaving the view: JupyterLab would move to another cell, or, at a letter, add one.
export function keepPlainKeys(event) {
  const { ctrlKey, metaKey, altKey, shiftKey, key } = event;
  const isForThePage = ctrlKey || metaKey || altKey || shiftKey || key === "Escape";
  if (!isForThePage) event.stopPropagation();
}
