// The presenter's window: the notes of this slide in large type, what comes next, and the time. Key: s.
"use strict";
const STYLE = `body{font:22px/1.5 system-ui,sans-serif;margin:0;padding:16px 26px;color:#16202c;background:#fff}
header{display:flex;justify-content:space-between;gap:1em;color:#556270;font-size:18px;border-bottom:1px solid #c9d1d9;padding-bottom:8px}
footer{border-top:1px solid #c9d1d9;margin-top:1em;padding-top:8px;color:#556270}
@media (prefers-color-scheme:dark){body{color:#e9eef4;background:#12171d}header,footer{color:#a3b0bd}}`;

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
		if (!this.panel.hidden) return void (this.panel.hidden = true);
		this.window = window.open("", "notes", "width=760,height=620");
		this.window ? this.fill() : (this.panel.hidden = false);
		this.show();
	}

	fill() {
		const page = this.window.document;
		page.title = `Notes · ${document.title}`;
		page.head.innerHTML = `<style>${STYLE}</style>`;
		page.body.innerHTML = "<header><b></b><time></time></header><main></main><footer></footer>";
		this.window.onkeydown = (event) => {
			const { key, shiftKey } = event;
			const move = { ArrowRight: "right", ArrowLeft: "left", ArrowDown: "down", ArrowUp: "up", PageDown: "next", PageUp: "prev" }[key];
			if (key === "s") return this.window.close();
			if (move || key === " ") event.preventDefault(), this.deck[move ?? (shiftKey ? "prev" : "next")]();
		};
	}

	show() {
		const slide = this.deck.getCurrentSlide(), notes = slide?.querySelector("aside.notes")?.innerHTML;
		const slides = this.deck.getSlides(), next = slides[slides.indexOf(slide) + 1];
		const words = notes ?? "<p>No notes on this slide.</p>";
		this.panel.innerHTML = words;
		if (!this.window || this.window.closed) return;
		const page = this.window.document, { dataset } = slide;
		page.querySelector("b").textContent = dataset.title + (+dataset.part ? `, continued` : "");
		page.querySelector("main").innerHTML = words;
		page.querySelector("footer").textContent = next ? `Next: ${heading(next)}` : "This is the last slide.";
		this.tick();
	}

	tick() {
		if (!this.window || this.window.closed) return;
		const minutes = Math.floor((Date.now() - this.begin) / 60000), now = new Date();
		this.window.document.querySelector("time").textContent =
			`${this.deck.getSlidePastCount() + 1} of ${this.deck.getTotalSlides()} · ${minutes} min · ` + now.toTimeString().slice(0, 5);
	}
}

// What a slide is about: its title, and where that is not new, its first words.
function heading(slide) {
	const first = slide.querySelector(".body > :not(.running)"), { title } = slide.dataset;
	return first.matches("h1,h2,h3,h4") ? title : `${title}: ${first.matches("p") ? first.textContent.slice(0, 90) : first.matches("figure") ? "figure" : first.matches(".view") ? "live view" : "code"}`;
}
