// The ways through the web edition: the bar's menus, and what a reader has done so far.
"use strict";
(() => {
  const { keep, kept, counts, forget, CHANGED } = courseViews["memory.js"];
  const { make } = courseViews["elements.js"];
  const { say } = courseViews["words.js"];
  const { page, root } = document.documentElement.dataset;
  const LAST = root ? `last ${document.documentElement.lang}` : "last"; // where one was, in words of the language
  const DONE = ["predictions", "quizzes", "lines"]; // the kinds of things that count as done

  // Let only one menu of the bar be open, and close it by Escape, by a click elsewhere, and when the focus leaves it.
  function menus() {
    const all = [...document.querySelectorAll(".bar details")];
    const closeAll = (but) => all.forEach((menu) => menu !== but && (menu.open = false));
    for (const menu of all) {
      menu.addEventListener("toggle", () => {
        if (!menu.open) return;
        closeAll(menu);
        menu.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest" });
        menu.querySelector("input")?.focus();
      });
      menu.addEventListener("keydown", (event) => {
        if (event.key !== "Escape") return;
        menu.open = false;
        menu.querySelector("summary").focus();
      });
      menu.addEventListener("focusout", ({ relatedTarget }) => {
        if (relatedTarget && !menu.contains(relatedTarget)) menu.open = false;
      });
    }
    document.addEventListener("click", ({ target }) => closeAll(target.closest?.(".bar details")));
  }

  // Keep the page and the part that is being read, for the start page's link.
  function follow() {
    const links = [...document.querySelectorAll(".contents a")];
    const title = document.querySelector("h1").textContent;
    const look = () => {
      const current = links.find((link) => link.hasAttribute("aria-current"));
      keep("place", LAST, { page, title, anchor: current?.hash ?? "", part: current?.textContent ?? "" }, "index");
    };
    look();
    for (const event of ["scrollend", "pagehide"]) addEventListener(event, look);
  }

  const doneOn = (all, of) => DONE.reduce((sum, kind) => sum + (all[of]?.[kind] ?? 0), 0);

  // Show on the start page how far one is, on each card and in one sentence that leads on.
  function progress() {
    const all = counts();
    let begun = 0;
    for (const card of document.querySelectorAll(".syllabus a")) {
      const steps = Number(card.dataset.steps);
      const done = Math.min(steps, doneOn(all, card.dataset.of));
      begun += done > 0;
      card.querySelector(".done")?.remove();
      if (!done) continue;
      const bar = make("progress", { max: steps, value: done, "aria-label": say("done") });
      card.append(make("span", { class: "done" }, bar, say("{done} of {steps} done", { done, steps })));
    }
    const last = kept("place", LAST, "index");
    const line = document.querySelector(".so-far");
    // Only to pages to which this one leads anyway: another address could be a script.
    const isOurs = last && [...document.links].some((link) => link.getAttribute("href") === `${last.page}.html`);
    line.hidden = !isOurs;
    if (!isOurs) return;
    const where = last.part ? `${last.title}: ${last.part}` : last.title;
    const anchor = `${last.anchor}`.startsWith("#") ? last.anchor : "";
    const link = make("a", { href: `${last.page}.html${anchor}`, textContent: where });
    const sum = begun ? say("You have worked on {begun} of the notebooks.", { begun }) : "";
    line.replaceChildren(say("You read last: "), link, say(". "), sum);
  }

  // Say what is kept, offer to forget it, and say once where the browser keeps nothing from one page to another.
  function memory() {
    const line = document.querySelector("footer .memory");
    const words = line.querySelector("span");
    const button = line.querySelector("button");
    let isForgotten = false; // then the next answer is news, but not that this page is being read
    const show = () => {
      const all = counts();
      const done = Object.keys(all).reduce((sum, of) => sum + doneOn(all, of), 0);
      button.hidden = !Object.keys(all).length;
      if (words.dataset.fixed || (isForgotten && !done)) return;
      const told = say("Kept in this browser alone: the page you read last, and {done} of your answers.", { done });
      words.textContent = told;
    };
    const tell = (text) => {
      words.textContent = text;
      words.dataset.fixed = true;
    };
    line.hidden = false;
    button.addEventListener("click", () => {
      forget();
      isForgotten = true;
      words.textContent = say("All forgotten. What this page shows goes when you load it again.");
    });
    document.addEventListener(CHANGED, show);
    show();
    if (!keep("place", "probe", 1, "index"))
      tell(say("This browser keeps nothing for these pages: what you do here is gone when you close them."));
    else if (page === "index" && location.protocol === "file:") probe(tell);
  }

  // A page opened from a file may have a store of its own: another file, in a frame, tells what it finds there.
  function probe(tell) {
    const frame = make("iframe", { hidden: true, title: "", src: `${root}assets/store.htm` });
    addEventListener("message", ({ source, data }) => {
      if (source !== frame.contentWindow) return;
      frame.remove();
      if (data === "nothing")
        tell(
          say("From files, this browser keeps what you do for each page alone: this one cannot say how far you are."),
        );
    });
    document.body.append(frame);
  }

  // A prediction that is committed opens what answers it.
  document.addEventListener("course-predicted", ({ target }) => {
    const next = target.closest(".view")?.nextElementSibling;
    if (next?.matches("details.answer")) next.open = true;
  });

  // Show anew what depends on the memory: another tab has changed it, or the browser shows the page as it was left.
  function listen() {
    const changed = () => document.dispatchEvent(new CustomEvent(CHANGED));
    addEventListener("storage", changed);
    addEventListener("pageshow", ({ persisted }) => persisted && changed());
  }

  addEventListener("DOMContentLoaded", () => {
    menus();
    memory();
    listen();
    if (page !== "index") return follow();
    progress();
    document.addEventListener(CHANGED, progress);
  });
})();
