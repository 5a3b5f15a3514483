// The presenter's window (key S): the current step and the next, the notes, and the time used beside the time planned.
"use strict";
const FRAME = `<header><b></b><span class="place"></span><span class="gone"></span>
  <button type="button">${say("from 0")}</button><time></time></header>
  <div class="steps"><figure class="now"><figcaption></figcaption></figure>
  <figure class="then"><figcaption></figcaption></figure></div><main></main>`;
const CAPTIONS = { now: say("now"), then: say("next") };
const WIDE = { now: 600, then: 420 }; // widths in pixels of the two previews

// The deck's method for each key pressed in the window. The space bar calls next, and prev with shift.
const ARROWS = { ArrowRight: "right", ArrowLeft: "left", ArrowDown: "down", ArrowUp: "up" };
const MOVES = { ...ARROWS, PageDown: "next", PageUp: "prev" };

class Notes {
  constructor(deck) {
    Object.assign(this, { deck, begin: null });
    this.panel = document.getElementById("notes-here");
    for (const move of ["slidechanged", "fragmentshown", "fragmenthidden"])
      deck.on(move, () => {
        this.begin ??= Date.now(); // the clock starts with the first step
        this.show();
      });
    setInterval(() => this.tick(), 1000);
  }

  // Opens or closes the window. If the browser blocks it, the notes are shown below the slide instead.
  toggle() {
    if (this.isOpen()) return this.window.close();
    if (!this.panel.hidden) {
      this.panel.hidden = true;
      return;
    }
    this.window = window.open("", "notes", "width=1120,height=760");
    if (this.window) this.fill();
    else this.panel.hidden = false;
    this.show();
  }

  isOpen() {
    return this.window && !this.window.closed;
  }

  fill() {
    const page = this.window.document;
    page.title = say("Notes · {title}", { title: document.title });
    const styles = [...document.querySelectorAll("link[rel=stylesheet]")].map((link) => link.href);
    const ours = styles.filter((href) => !href.endsWith("/reveal.css")); // reveal.css would hide the previews
    ours.push(new URL("assets/notes.css", location.href).href);
    const links = ours.map((href) => Object.assign(page.createElement("link"), { rel: "stylesheet", href }));
    page.head.replaceChildren(...links);
    page.body.innerHTML = FRAME;
    page.querySelector("button").onclick = () => {
      this.begin = null;
      this.tick();
    };
    this.window.onkeydown = (event) => {
      const { key, shiftKey } = event;
      if (key === "s") return this.window.close();
      const move = key === " " ? (shiftKey ? "prev" : "next") : MOVES[key];
      if (!move || event.target.matches("button")) return;
      event.preventDefault();
      this.deck[move]();
    };
  }

  // Shows the current slide's notes, and previews of the current and the next step.
  show() {
    const slide = this.deck.getCurrentSlide();
    const words = slide?.querySelector("aside.notes")?.innerHTML ?? `<p>${say("No notes on this slide.")}</p>`;
    this.panel.innerHTML = words;
    if (!this.isOpen()) return;
    const page = this.window.document;
    const { title, part } = slide.dataset;
    page.documentElement.dataset.theme = document.documentElement.dataset.theme;
    page.querySelector("b").textContent = Number(part) ? say("{title}, continued", { title }) : title;
    page.querySelector("main").innerHTML = words;
    const [now, then] = steps(slide, this.deck.getSlides());
    for (const [name, step] of Object.entries({ now, then })) {
      const figure = page.querySelector(`.${name}`);
      figure.querySelector(".step")?.remove();
      figure.querySelector("figcaption").textContent = step ? CAPTIONS[name] : say("This is the last step.");
      if (step) figure.prepend(picture(step, WIDE[name]));
    }
    this.tick();
  }

  // Updates the clock and the comparison with the planned time.
  tick() {
    if (!this.isOpen()) return;
    const page = this.window.document;
    const seconds = this.begin ? Math.floor((Date.now() - this.begin) / 1000) : 0;
    const clock = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
    const { before, after, all } = planned(this.deck.getCurrentSlide(), this.deck.getSlides());
    const gone = page.querySelector(".gone");
    const places = { clock, before: Math.round(before), all: Math.round(all) };
    gone.textContent = all ? say("{clock} gone, planned {before} of {all} min", places) : clock;
    gone.classList.toggle("late", all > 0 && seconds / 60 > after + 1);
    page.querySelector(".place").textContent = document.querySelector(".slide-number")?.textContent ?? "";
    page.querySelector("time").textContent = new Date().toTimeString().slice(0, 5);
  }
}

// Returns the planned minutes of the talk before a slide, after it, and in all; all is 0 for a slide of the appendix.
function planned(slide, slides) {
  const talk = slides.filter((other) => "talk" in other.dataset);
  const sum = (some) => some.reduce((total, { dataset }) => total + Number(dataset.minutes), 0);
  const at = talk.indexOf(slide);
  return at < 0 ? { all: 0 } : { before: sum(talk.slice(0, at)), after: sum(talk.slice(0, at + 1)), all: sum(talk) };
}

const orderOf = (fragment) => Number(fragment.dataset.fragmentIndex);

// Returns the current and the next step, if any, each as a slide and the fragments of it that are not shown yet.
function steps(slide, slides) {
  const waiting = [...slide.querySelectorAll(".fragment:not(.visible)")];
  const first = Math.min(...waiting.map(orderOf));
  const after = slides[slides.indexOf(slide) + 1];
  const then = waiting.length
    ? { slide, waiting: waiting.filter((fragment) => orderOf(fragment) > first) }
    : after && { slide: after, waiting: [...after.querySelectorAll(".fragment")] };
  return [{ slide, waiting }, then];
}

// Returns a small preview of a slide: a copy of its elements, with what is drawn on its canvases.
function picture({ slide, waiting }, width) {
  const parts = [...slide.querySelectorAll("*")];
  const copy = slide.cloneNode(true);
  const copied = [...copy.querySelectorAll("*")];
  parts.forEach((part, number) => {
    if (waiting.includes(part)) copied[number].classList.add("waits");
    if (part.tagName === "CANVAS") copied[number].getContext("2d").drawImage(part, 0, 0);
    copied[number].removeAttribute("id");
    copied[number].tabIndex = -1;
  });
  copy.querySelectorAll("aside.notes, script").forEach((part) => part.remove());
  copy.removeAttribute("style");
  copy.hidden = false;
  const scaled = make("div", { class: "deck", style: `transform: scale(${width / 1280})` });
  scaled.append(make("div", { class: "slides" }, copy));
  const style = `width: ${width}px; height: ${(width * 9) / 16}px`;
  return make("div", { class: "step", inert: "", style }, scaled); // a preview cannot be used
}
