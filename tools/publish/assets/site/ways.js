// The ways through the web edition: the bar's menus, the search in its index, and what a reader has done so far.
"use strict";
(() => {
  const { keep, kept, counts, forget, CHANGED } = courseViews["memory.js"];
  const { make } = courseViews["elements.js"];
  const { say } = courseViews["words.js"];
  const { page, root } = document.documentElement.dataset;
  const LAST = root ? `last ${document.documentElement.lang}` : "last"; // where one was, in words of the language
  const MOST = 12; // entries that a search shows
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

  // Load the index when it is first needed, and call ready(entries), each [page, anchor, words, explanation].
  function withIndex(ready, failed) {
    if (globalThis.courseIndex) return ready(courseIndex);
    const script = make("script", { src: "assets/index.js", onerror: failed });
    script.onload = () => ready(courseIndex);
    document.head.append(script);
  }

  // Return how well an entry fits all of the words that are asked for, 0 if it does not.
  function fit([, , words, explanation], asked) {
    const [head, rest] = [words.toLowerCase(), explanation.toLowerCase()];
    const points = asked.map((word) => {
      if (head.startsWith(word)) return 4;
      if (head.split(/[\s·,(]+/).some((part) => part.startsWith(word))) return 3;
      return head.includes(word) ? 2 : rest.includes(word) ? 1 : 0;
    });
    return points.every(Boolean) ? points.reduce((sum, point) => sum + point, explanation ? 1 : 0) : 0;
  }

  function search() {
    const box = document.querySelector(".bar search");
    const menu = box.querySelector("details");
    const [field, status, list] = ["input", "[role=status]", ".found"].map((name) => box.querySelector(name));
    const titles = Object.fromEntries(
      [...document.querySelectorAll(".bar [data-of]")].map((link) => [link.dataset.of, link.textContent.trim()]),
    );
    const show = (entries) => {
      const asked = field.value.toLowerCase().split(/\s+/).filter(Boolean);
      const found = asked.length ? entries.map((entry) => [fit(entry, asked), entry]).filter(([points]) => points) : [];
      found.sort(([a], [b]) => b - a);
      list.replaceChildren(
        ...found.slice(0, MOST).map(([, [of, anchor, words, explanation]]) => {
          const href = `${of}.html#${encodeURIComponent(anchor)}`;
          const small = make("small", { textContent: explanation || titles[of] });
          return make("li", {}, make("a", { href }, make("span", { textContent: words }), small));
        }),
      );
      const count = found.length;
      if (!asked.length) status.textContent = "";
      else if (count > MOST)
        status.textContent = say("{count} found, the best {most} are here.", { count, most: MOST });
      else if (count) status.textContent = say("{count} found.", { count });
      else {
        const word = field.value.trim();
        status.textContent = say("Nothing in the course is called “{word}”. Try a shorter word.", { word });
      }
    };
    const failed = () =>
      (status.textContent = say("assets/index.js is not beside this page: copy the whole folder."));
    field.addEventListener("input", () => withIndex(show, failed));
    list.addEventListener("click", ({ target }) => target.closest("a") && (menu.open = false));
    // From the field, Enter goes to the first that is found; arrows lead from one to the next, and back to the field.
    menu.addEventListener("keydown", (event) => {
      const all = [field, ...list.querySelectorAll("a")];
      const at = all.indexOf(event.target);
      if (event.key === "Enter" && at === 0) return all[1]?.click();
      const to = all[at + { ArrowUp: -1, ArrowDown: 1 }[event.key]];
      if (at < 0 || !to) return;
      event.preventDefault();
      to.focus();
    });
    const slash = (event) => {
      const text = "input:not([type=radio], [type=checkbox], [type=range]), textarea, select";
      const isTyping = event.target.matches?.(text);
      if (event.key !== "/" || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      menu.open = true;
      field.focus();
    };
    addEventListener("keydown", slash, { capture: true }); // a view lets no key go on from it
    box.hidden = false;
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
    search();
    memory();
    listen();
    if (page !== "index") return follow();
    progress();
    document.addEventListener(CHANGED, progress);
  });
})();
