// Starts a slide deck: splits its slides into pages, binds the keys, and sets the theme.
"use strict";
const printing = /print-pdf/i.test(location.search);
const page = document.documentElement;
page.classList.add("loading");

const dark = matchMedia("(prefers-color-scheme: dark)");
const setTheme = (name) => (page.dataset.theme = name);
setTheme(dark.matches && !printing ? "dark" : "light");
if (!printing) dark.addEventListener("change", () => setTheme(dark.matches ? "dark" : "light"));

const isInTalk = (slide) => "talk" in slide.dataset;

// Returns a slide's number as reveal.js wants it: in the talk with the total, in the appendix after an A.
function numbered(slide = deck.getCurrentSlide()) {
  if (!slide) return [""];
  const slides = deck.getSlides().filter((other) => isInTalk(other) === isInTalk(slide));
  const number = slides.indexOf(slide) + 1;
  return isInTalk(slide) ? [number, "/", slides.length] : [`A ${number}`];
}

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
  progress: false, // reveal.js would count the appendix too
  transition: "none",
  backgroundTransition: "none",
});

// Prepares the deck for printing: every page with all its steps shown, one after the other.
function print() {
  page.classList.replace("loading", "printing");
  document.querySelector(".deck").classList.remove("reveal"); // this class would bring in the print style of reveal.js
  document.querySelector(".slides").replaceChildren(...document.querySelectorAll("section.page"));
}

// reveal.js enters a section at the page where it was left. This clears that memory from the section `from` on, so that
// each starts at its first page and none is skipped.
function forget(from) {
  const sections = [...document.querySelectorAll(".slides > section")];
  for (const section of sections.slice(from)) section.removeAttribute("data-previous-indexv");
}

// Jumps from the talk to what was left out there, or from the appendix back to the slide one came from. data-place is a
// slide's index in the notebook.
let came = null;
function jump() {
  const here = deck.getCurrentSlide();
  const isLater = (slide) => Number(slide.dataset.place) > Number(here.dataset.place);
  const leftOut = deck.getSlides().find((slide) => !isInTalk(slide) && isLater(slide));
  const before = deck.getSlides().findLast((slide) => isInTalk(slide) && !isLater(slide));
  const there = isInTalk(here) ? leftOut : (came ?? before);
  if (!there) return;
  came = isInTalk(here) ? here : null;
  const { h, v } = deck.getIndices(there);
  deck.slide(h, v, isInTalk(there) ? 99 : -1); // on the way back to the talk, with all steps shown
}

// Makes every slide but the current one inert, so that keys cannot reach a control that is not seen.
function onlyThisOne() {
  const here = deck.getCurrentSlide();
  for (const slide of deck.getSlides()) slide.inert = slide !== here && !deck.isOverview();
}

function present() {
  const notes = new Notes(deck);
  const bind = (key, description, act) => deck.addKeyBinding({ keyCode: key.charCodeAt(0), key, description }, act);
  bind("S", say("Your notes, in a window of their own"), () => notes.toggle());
  deck.addKeyBinding({ keyCode: 36, key: "Home", description: say("The first slide") }, () => deck.slide(0, 0, -1));
  bind("A", say("What the talk leaves out here, and back"), jump);
  bind("D", say("Light or dark"), () => setTheme(page.dataset.theme === "dark" ? "light" : "dark"));
  deck.on("slidechanged", ({ indexh }) => forget(indexh + 1));
  for (const event of ["slidechanged", "overviewshown", "overviewhidden"]) deck.on(event, onlyThisOne);
  onlyThisOne();
  page.classList.remove("loading");
  requestAnimationFrame(() => performance.mark("shown"));
}

paginate(document.querySelector(".reveal .slides")).then(() => (printing ? print() : deck.initialize().then(present)));

// A focused live view handles plain keys itself. Escape and the keys of a remote control (PageUp, PageDown) leave it.
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

// An opened hint may need room, so the page is fitted again.
document.addEventListener("toggle", (event) => fit(event.target.closest("section.page")), true);

// A view may need room after a change, for example for an error message or for more heads.
document.addEventListener("change", ({ target }) => {
  const view = target.closest(".view");
  const section = view?.closest("section.page");
  if (!section) return;
  const makeRoom = () => {
    const isOpened = target.matches(".av-page"); // the view has taken the place of its picture
    if (isOpened) {
      view.style.zoom = "";
      enlarge(view);
    }
    if (isOpened || isTooFull(section)) fit(section);
  };
  setTimeout(makeRoom, 100); // after the view has updated itself
});
