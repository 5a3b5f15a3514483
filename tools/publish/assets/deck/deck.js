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

const isInTalk = (slide) => "talk" in slide.dataset;

// The number of a slide: in the talk, of how many; in the appendix, after an A.
function numbered(slide = deck.getCurrentSlide()) {
  if (!slide) return [""];
  const slides = deck.getSlides().filter((other) => isInTalk(other) === isInTalk(slide));
  const number = slides.indexOf(slide) + 1;
  return isInTalk(slide) ? [number, "/", slides.length] : [`A ${number}`];
}

// What was left out after a slide of the talk, or null. place: of a slide in the notebook.
const leftOut = (slide) =>
  deck.getSlides().find((other) => !isInTalk(other) && Number(other.dataset.place) > Number(slide.dataset.place));

const deck = new Reveal({
  width: 1280,
  height: HEIGHT,
  margin: 0,
  minScale: 0.1,
  maxScale: 4,
  center: false,
  hash: true,
  controls: false,
  slideNumber: numbered,
  progress: false, // it would count the appendix
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

// From the talk to what was left out there, and back to where one was.
let came = null;
function jump() {
  const here = deck.getCurrentSlide();
  const last = (slides) => slides[slides.length - 1];
  const before = deck.getSlides().filter((slide) => isInTalk(slide) && +slide.dataset.place <= +here.dataset.place);
  const there = isInTalk(here) ? leftOut(here) : (came ?? last(before));
  if (!there) return;
  came = isInTalk(here) ? here : null;
  const { h, v } = deck.getIndices(there);
  deck.slide(h, v, isInTalk(there) ? 99 : -1); // back with all that was already said
}

// What is not seen is not reached by keys.
function onlyThisOne() {
  const here = deck.getCurrentSlide();
  for (const slide of deck.getSlides()) slide.inert = slide !== here && !deck.isOverview();
}

function present() {
  const notes = new Notes(deck);
  const bind = (key, description, act) => deck.addKeyBinding({ keyCode: key.charCodeAt(0), key, description }, act);
  bind("S", "Your notes, in a window of their own", () => notes.toggle());
  deck.addKeyBinding({ keyCode: 36, key: "Home", description: "The first slide" }, () => deck.slide(0, 0, -1));
  bind("A", "What the talk leaves out here, and back", jump);
  bind("D", "Light or dark", () => setTheme(page.dataset.theme === "dark" ? "light" : "dark"));
  deck.on("slidechanged", ({ indexh }) => forget(indexh + 1));
  for (const event of ["slidechanged", "overviewshown", "overviewhidden"]) deck.on(event, onlyThisOne);
  onlyThisOne();
  page.classList.remove("loading");
  requestAnimationFrame(() => performance.mark("shown"));
}

paginate(document.querySelector(".reveal .slides")).then(() => (printing ? print() : deck.initialize().then(present)));

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
    if (isTooFull(section)) fit(section);
  };
  setTimeout(makeRoom, 100); // the view answers first
});
