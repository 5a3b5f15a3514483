// The presenter's window: the notes of this slide in large type, what comes next, and the time. Key: s.
"use strict";
const STYLE = `
  body { font: 22px/1.5 system-ui, sans-serif; margin: 0; padding: 16px 26px; color: #16202c; background: #fff }
  header, footer { color: #556270 }
  header { display: flex; justify-content: space-between; gap: 1em; font-size: 18px }
  header { border-bottom: 1px solid #c9d1d9; padding-bottom: 8px }
  footer { border-top: 1px solid #c9d1d9; margin-top: 1em; padding-top: 8px }
  @media (prefers-color-scheme: dark) {
    body { color: #e9eef4; background: #12171d }
    header, footer { color: #a3b0bd }
  }`;

// What a key in the window does to the deck; the space bar goes on, and back with shift.
const MOVES = {
  ArrowRight: "right",
  ArrowLeft: "left",
  ArrowDown: "down",
  ArrowUp: "up",
  PageDown: "next",
  PageUp: "prev",
};

class Notes {
  constructor(deck) {
    this.deck = deck;
    this.begin = Date.now();
    this.panel = document.getElementById("notes-here");
    deck.on("slidechanged", () => this.show());
    setInterval(() => this.tick(), 1000);
  }

  // Where the browser opens no window, the notes stand at the foot of the slide.
  toggle() {
    if (this.window && !this.window.closed) return this.window.close();
    if (!this.panel.hidden) {
      this.panel.hidden = true;
      return;
    }
    this.window = window.open("", "notes", "width=760,height=620");
    if (this.window) this.fill();
    else this.panel.hidden = false;
    this.show();
  }

  fill() {
    const page = this.window.document;
    page.title = `Notes · ${document.title}`;
    page.head.innerHTML = `<style>${STYLE}</style>`;
    page.body.innerHTML = "<header><b></b><time></time></header><main></main><footer></footer>";
    this.window.onkeydown = (event) => {
      const { key, shiftKey } = event;
      if (key === "s") return this.window.close();
      const move = key === " " ? (shiftKey ? "prev" : "next") : MOVES[key];
      if (!move) return;
      event.preventDefault();
      this.deck[move]();
    };
  }

  show() {
    const slide = this.deck.getCurrentSlide();
    const slides = this.deck.getSlides();
    const next = slides[slides.indexOf(slide) + 1];
    const words = slide?.querySelector("aside.notes")?.innerHTML ?? "<p>No notes on this slide.</p>";
    this.panel.innerHTML = words;
    if (!this.window || this.window.closed) return;
    const page = this.window.document;
    const { title, part } = slide.dataset;
    page.querySelector("b").textContent = Number(part) ? `${title}, continued` : title;
    page.querySelector("main").innerHTML = words;
    page.querySelector("footer").textContent = next ? `Next: ${heading(next)}` : "This is the last slide.";
    this.tick();
  }

  tick() {
    if (!this.window || this.window.closed) return;
    const place = `${this.deck.getSlidePastCount() + 1} of ${this.deck.getTotalSlides()}`;
    const minutes = Math.floor((Date.now() - this.begin) / 60000);
    const clock = new Date().toTimeString().slice(0, 5);
    this.window.document.querySelector("time").textContent = `${place} · ${minutes} min · ${clock}`;
  }
}

// What a slide is about: its title, and where that is not new, its first words.
function heading(slide) {
  const first = slide.querySelector(".body > :not(.running)");
  const { title } = slide.dataset;
  return first.matches("h1,h2,h3,h4") ? title : `${title}: ${begins(first)}`;
}

function begins(block) {
  if (block.matches("p")) return block.textContent.slice(0, 90);
  if (block.matches("figure")) return "figure";
  return block.matches(".view") ? "live view" : "code";
}
