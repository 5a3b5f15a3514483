// Synchronises what the reader chose, such as layer, head and query, between all copies of a view, its Python object,
// and all views of its group. The views of a group communicate by a DOM event, which works without a kernel, too.

const EVENT = "attention-course-choice";

// Connect a view to its model and to its group. A choice is an object from names to values.
// limits: from the name of each choice to the number of its values. shown(name): returns the value that the view shows.
// choose(choice): makes the view show a choice that was made elsewhere.
// Returns tell(choice), to call when the reader chooses in this view, and leave(), to call when the view is removed.
export function shared(model, limits, shown, choose) {
  const names = Object.keys(limits);
  const group = model.get("group");
  const member = {};
  const keep = (choice) => {
    for (const name of names) {
      if (name in choice) model.set(name, choice[name]);
    }
    requestAnimationFrame(() => setTimeout(() => model.save_changes())); // only after the browser has painted
  };
  const follow = () => {
    const choice = Object.fromEntries(names.map((name) => [name, model.get(name)]));
    if (names.some((name) => shown(name) !== choice[name])) choose(choice);
  };
  const hear = ({ detail }) => {
    if (detail.group !== group || detail.from === member) return;
    const fits = ([name, value]) => value < limits[name]; // false for a name that is not in limits
    const choice = Object.fromEntries(Object.entries(detail.choice).filter(fits));
    if (!Object.keys(choice).length) return;
    choose(choice);
    keep(choice);
  };
  for (const name of names) model.on(`change:${name}`, follow);
  if (group) document.addEventListener(EVENT, hear);
  return {
    tell(choice) {
      keep(choice);
      if (group) document.dispatchEvent(new CustomEvent(EVENT, { detail: { group, choice, from: member } }));
    },
    leave() {
      for (const name of names) model.off(`change:${name}`, follow);
      document.removeEventListener(EVENT, hear);
    },
  };
}
