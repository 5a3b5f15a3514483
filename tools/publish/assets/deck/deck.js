// Starts a deck: pages, keys, theme.
"use strict";
const printing = /print-pdf/i.test(location.search);
const page = document.documentElement;
page.classList.add("loading");

const dark = matchMedia("(prefers-color-scheme: dark)");
function setTheme(name) {
  page.dataset.theme = name;
}
setTheme(dark.matches && !printing ? "dark" : "light");
if (!printing) dark.addEventListener("change", () => setTheme(dark.matches ? "dark" : "light"));

paginate(document.querySelector(".reveal .slides"));

const deck = new Reveal({
  width: 1280,
  height: HEIGHT,
  margin: 0,
  minScale: 0.1,
  maxScale: 4,
  center: false,
  hash: true,
  controls: false,
  slideNumber: "c/t",
  transition: "none",
  backgroundTransition: "none",
});

// On paper there is nothing to steer: every page with all its steps, one after the other, at once.
function print() {
  page.classList.replace("loading", "printing");
  document.querySelector(".deck").classList.remove("reveal"); // its style for paper is another
  document.querySelector(".slides").replaceChildren(...document.querySelectorAll("section.page"));
}

// reveal.js enters a section where it was left. Sections to come begin at their first page: nothing is passed over.
function forget(from) {
  const sections = [...document.querySelectorAll(".slides > section")];
  for (const section of sections.slice(from)) section.removeAttribute("data-previous-indexv");
}

function present() {
  const notes = new Notes(deck, Number(page.dataset.minutes));
  const bind = (key, description, act) => deck.addKeyBinding({ keyCode: key.charCodeAt(0), key, description }, act);
  bind("S", "Your notes, in a window of their own", () => notes.toggle());
  bind("D", "Light or dark", () => setTheme(page.dataset.theme === "dark" ? "light" : "dark"));
  deck.on("slidechanged", ({ indexh }) => forget(indexh + 1));
  page.classList.remove("loading");
  requestAnimationFrame(() => performance.mark("shown"));
}

if (printing) print();
else deck.initialize().then(present);

// A live view keeps plain keys to itself. Two ways out of it: Escape, and the keys of a remote control.
window.addEventListener(
  "keydown",
  (event) => {
    const inside = document.activeElement?.closest(".view");
    if (!inside || !["Escape", "PageUp", "PageDown"].includes(event.key)) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    document.activeElement.blur();
    if (event.key === "PageDown") deck.next();
    if (event.key === "PageUp") deck.prev();
  },
  true,
);

// A hint that is opened may need room.
document.addEventListener("toggle", (event) => fit(event.target.closest("section.page")), true);

// So may a view that says more than before: an error, more heads.
document.addEventListener("change", ({ target }) => {
  const section = target.closest(".view")?.closest("section.page");
  if (!section) return;
  const makeRoom = () => {
    if (section.querySelector(".body").offsetHeight > HEIGHT) fit(section);
  };
  setTimeout(makeRoom, 100); // the view answers first
});
