// Elements of the page, and the controls made of them.

// Functions, text and ticks are properties, the rest attributes.
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

// A control is a label around what is moved, which stands in .input.
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

// The output that tells the value stands in .shown.
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

// A few words of which one is chosen, all in sight. .choose(index) shows another as chosen.
export function toggle(name, options, onChange) {
  const group = `av${Math.random()}`; // what ties radio buttons together must be the only one in the page
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
