// The open lines of exercises: each menu takes one way, and Check shows the stored report of the course's own check.
"use strict";
(() => {
  const { keep, kept } = courseViews["memory.js"]; // of views.js, which the page loads before this script
  const { say } = courseViews["words.js"];

  // Return a promise of the page's reports: {exercises: name -> {right, passed, reports}, texts, styles}.
  let unpacking;
  function unpacked() {
    unpacking ??= (async () => {
      const bytes = Uint8Array.from(atob(document.getElementById("reports").textContent), (one) => one.charCodeAt(0));
      const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
      return new Response(stream).json();
    })();
    return unpacking;
  }

  const listed = (letters) => letters.join(", ").replace(/, (?=\w$)/, say(" and "));

  function begin(form) {
    const { exercise: name, page } = form.dataset;
    const menus = [...form.querySelectorAll("details")].map((menu) => ({
      menu,
      letter: menu.querySelector("b").textContent,
      summary: menu.querySelector("summary code"),
      ways: [...menu.querySelectorAll("input")],
    }));
    const [verdict, report, passed] = [".verdict", ".report", ".passed"].map((part) => form.querySelector(part));

    // Show in each menu's own line what is chosen, or that nothing is.
    function show() {
      for (const { menu, summary, ways } of menus) {
        const way = ways.find((one) => one.checked)?.nextElementSibling;
        menu.classList.toggle("chosen", Boolean(way));
        summary.replaceChildren(...(way ? way.cloneNode(true).childNodes : [summary.dataset.open]));
      }
    }

    // Say something to all readers, or, beside a report, to those who only hear it.
    function tell(words, html = "", isHeard = false) {
      verdict.textContent = words;
      verdict.classList.toggle("heard", isHeard);
      report.innerHTML = html;
    }

    function check({ exercises, texts, styles }) {
      const { right, passed: passing, reports } = exercises[name];
      const chosen = menus.map(({ ways }) => ways.findIndex((one) => one.checked));
      const open = menus.filter((_, place) => chosen[place] < 0);
      if (open.length) {
        open[0].menu.open = true;
        open[0].ways[0].focus();
        return tell(say("Nothing is chosen for {letters} yet.", { letters: listed(open.map(({ letter }) => letter)) }));
      }
      const key = chosen.join(",");
      menus.forEach(({ menu }) => (menu.open = false)); // the code can be read as a whole, above its report
      const panelOf = (choice) => texts[reports[choice]].replace(/\0(\d+)\0/g, (_, number) => styles[number]);
      if (!(key in reports)) {
        // One mistake hides what another does, so the first is told as if all else were right. (Alone, a way that is
        // not meant may pass.)
        const isWrong = chosen.map((way, place) => !right[place].includes(way));
        const alone = (first) =>
          chosen.map((way, place) => (isWrong[place] && place !== first ? right[place][0] : way)).join(",");
        const first = isWrong.findIndex((is, place) => is && !passing.includes(alone(place)));
        const letters = listed(menus.filter((_, place) => isWrong[place]).map(({ letter }) => letter));
        const places = { letters, first: menus[first].letter };
        return tell(
          say("{letters} are not right yet. First {first}: if all else were right, the check would say:", places),
          panelOf(alone(first)),
        );
      }
      const panel = panelOf(key);
      if (passing.includes(key)) {
        keep("lines", name, true, page);
        return tell(say("Passed. Now break it: choose another way, and see what the check says of it."), panel);
      }
      tell("", panel, true);
      verdict.textContent = report.querySelector("p").textContent; // a screen reader need not hear the tables
    }

    form.addEventListener("change", () => {
      show();
      tell("");
    });
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      const tooOld = say("This browser cannot unpack the stored reports: it needs to be from 2023 or later.");
      unpacked().then(check, () => tell(tooOld));
    });
    passed.hidden = !kept("lines", name, page);
    show();
  }

  document.addEventListener("DOMContentLoaded", () => document.querySelectorAll("form.lines").forEach(begin));
})();
