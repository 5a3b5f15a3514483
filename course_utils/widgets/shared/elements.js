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

// Create a control: a label element around an input, with the method put(value), which shows a value in the input.
export function labelled(name, input, put, ...more) {
  const label = make("label", {}, make("span", { textContent: name }), input, ...more);
  return Object.assign(label, { input, put });
}

export function select(name, options, onChange) {
  const input = make("select", {}, ...options.map((textContent) => make("option", { textContent })));
  input.onchange = () => onChange(input.selectedIndex);
  return labelled(name, input, (index) => (input.selectedIndex = index));
}

// Create a control with a range input from 0 to `last`. words(value): the text of a value, which stands beside it.
export function slider(name, last, words, onInput) {
  const shown = make("output");
  const input = make("input", { type: "range", min: 0, max: last, "aria-label": name });
  const put = (value) => {
    input.value = value;
    shown.textContent = words(value);
    input.ariaValueText = words(value);
  };
  input.oninput = () => {
    put(input.valueAsNumber);
    onInput(input.valueAsNumber);
  };
  return labelled(name, input, put, shown);
}

export function checkbox(name, onChange) {
  const input = make("input", { type: "checkbox", onchange: () => onChange(input.checked) });
  return labelled(name, input, (isChecked) => (input.checked = isChecked));
}

// Hide a table from sight, but not from a screen reader. A table of the class itself would widen the page: its width is
// at least that of its words.
export const heard = (table) => make("div", { class: "av-heard" }, table);

export function button(words, title, onclick) {
  return make("button", { type: "button", textContent: words, title, onclick });
}

// Create radio buttons of which one can be chosen: an array of labels, each with its input in the property `input`.
// contents: for each, what its label contains, a text or an array.
export function radios(contents, onChange) {
  const name = `av${Math.random()}`; // the name of a radio group must be unique in the page
  return contents.map((content, index) => {
    const input = make("input", { type: "radio", name, onchange: () => onChange(index) });
    return Object.assign(make("label", {}, input, make("span", {}, ...[content].flat())), { input });
  });
}

// Create a control that is a row of radio buttons.
export function toggle(name, options, onChange) {
  const labels = radios(options, onChange);
  const element = make("span", { class: "av-toggle", role: "radiogroup", "aria-label": name }, ...labels);
  return Object.assign(element, { put: (index) => (labels[index].input.checked = true) });
}
