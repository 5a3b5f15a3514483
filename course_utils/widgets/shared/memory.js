// The web edition's memory: what a reader predicted, answered and passed, and where they read last, in localStorage.
// It remembers only on the site's pages, whose html element has data-page, the name of the page's file without
// .html. Elsewhere (JupyterLab, a deck, an exported view) nothing is kept, and nothing is found.
//
//   keep("lines", "causal_mask", [2])        keeps a value that JSON can hold, under a kind and a name, for this page
//   kept("lines", "causal_mask")             returns that value, or undefined
//   counts()                                 returns an object: page -> kind -> how many names are kept
//   forget()                                 forgets everything
//
// The kinds are "predictions", "quizzes", "lines" and "place". Each change dispatches CHANGED on the document. Other
// pages of the same host can write there, too, so whoever reads a value must expect any that JSON can hold.

export const CHANGED = "course-memory";

const START = "attention-course";
const keyOf = (page, kind, name) => [START, page, kind, name].join("/");
const thisPage = () => globalThis.document?.documentElement.dataset.page;
const tell = () => document.dispatchEvent(new CustomEvent(CHANGED));

// Return the keys that belong to the course.
const keys = () => Object.keys(localStorage).filter((key) => key.startsWith(`${START}/`));

// Keep a value. page: the page that it belongs to, if it is not this one. Returns whether it could be kept: a browser
// may forbid it, or have no room.
export function keep(kind, name, value, page = thisPage()) {
  if (!thisPage()) return false;
  try {
    localStorage.setItem(keyOf(page, kind, name), JSON.stringify(value));
  } catch {
    return false;
  }
  tell();
  return true;
}

// Return a value that was kept, or undefined if there is none, or none that can be read.
export function kept(kind, name, page = thisPage()) {
  if (!thisPage()) return undefined;
  try {
    return JSON.parse(localStorage.getItem(keyOf(page, kind, name))) ?? undefined;
  } catch {
    return undefined;
  }
}

// Return how much is kept: an object from each page to an object from each kind to a number of names. Neither has a
// prototype, since a page or a kind may be called anything.
export function counts() {
  const all = Object.create(null);
  try {
    for (const key of keys()) {
      const [, page, kind] = key.split("/");
      all[page] ??= Object.create(null);
      all[page][kind] = (all[page][kind] ?? 0) + 1;
    }
  } catch {
    // A browser that forbids localStorage has kept nothing.
  }
  return all;
}

// Forget everything that the course has kept; what else the same host keeps stays.
export function forget() {
  try {
    keys().forEach((key) => localStorage.removeItem(key));
  } catch {
    return; // nothing was kept
  }
  tell();
}
