// What the reader chose is the same in all copies of a view, in Python, and in all views of its group. The views of a
// group follow one another by an event of the page, so also where no kernel runs.

const EVENT = "attention-course-choice";

// limits: from the name of each choice to how many there are. shown(name): what the view shows. choose(choice): show
// it. Returns tell(choice), for what the reader chose in this view, and leave(), for its end.
export function shared(model, limits, shown, choose) {
  const names = Object.keys(limits);
  const group = model.get("group");
  const member = {};
  const keep = (choice) => {
    for (const name of names) {
      if (name in choice) model.set(name, choice[name]);
    }
    requestAnimationFrame(() => setTimeout(() => model.save_changes())); // after the picture
  };
  const follow = () => {
    const choice = Object.fromEntries(names.map((name) => [name, model.get(name)]));
    if (names.some((name) => shown(name) !== choice[name])) choose(choice);
  };
  const hear = ({ detail }) => {
    if (detail.group !== group || detail.from === member) return;
    const fits = ([name, value]) => value < limits[name]; // an unknown name never does
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
