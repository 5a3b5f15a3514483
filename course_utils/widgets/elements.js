// Functions that create DOM elements and controls.

// Create an element with children. In props, functions, textContent and checked are set as properties, all other names
// as attributes.
export function make(tag, props = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(props)) {
    const isProperty = typeof value === "function" || name === "textContent" || name === "checked";
    if (isProperty) element[name] = value;
    else element.setAttribute(name, value);
  }
  element.append(...children);
  return element;
}

// Create a control: a label element around an input, which is kept in its property `input`.
export function labelled(name, input, ...more) {
  const label = make("label", {}, make("span", { textContent: name }), input, ...more);
  return Object.assign(label, { input });
}

export function select(name, options, chosen, onChange) {
  const made = options.map((option) => make("option", { textContent: option }));
  const input = make("select", { onchange: () => onChange(input.selectedIndex) }, ...made);
  input.selectedIndex = chosen;
  return labelled(name, input);
}

// Create a control with a range input, and an output of its value, which is kept in the property `shown`.
export function slider(name, low, high, step, value, onInput) {
  const shown = make("output", { textContent: value });
  const input = make("input", { type: "range", min: low, max: high, step, value, "aria-label": name });
  input.oninput = () => {
    shown.textContent = input.value;
    onInput(Number(input.value));
  };
  return Object.assign(labelled(name, input, shown), { shown });
}

export function button(words, title, onclick) {
  return make("button", { type: "button", textContent: words, title, onclick });
}

// Create a row of radio buttons of which one is chosen. Its method choose(index) selects one without calling onChange.
export function toggle(name, options, onChange) {
  const group = `av${Math.random()}`; // the name of a radio group must be unique in the page
  const inputs = options.map((_, index) => {
    return make("input", { type: "radio", name: group, onchange: () => onChange(index) });
  });
  const labels = options.map((textContent, index) => make("label", {}, inputs[index], make("span", { textContent })));
  const element = make("span", { class: "av-toggle", role: "radiogroup", "aria-label": name }, ...labels);
  const choose = (index) => {
    inputs[index].checked = true;
  };
  return Object.assign(element, { choose });
}
