// The search of the web edition: headings and terms by their name, then every passage of every page.
"use strict";
(() => {
  const { make } = courseViews["elements.js"];
  const { say } = courseViews["words.js"];
  const MOST = 12; // results that are shown
  const ROOM = 160; // letters of a passage in a result
  const ACROSS = /[\u3000-\u9fff]/; // writing without spaces between words
  // What people type, and the words of the course for it. Both are as `bare` makes them.
  const ALSO = {
    "kv cache": "key value cache",
    mha: "multi head attention",
    mqa: "multi query attention",
    gqa: "grouped query attention",
    sdpa: "scaled dot product attention",
    ffn: "feed forward",
    llm: "language model",
    ce: "cross entropy",
    nll: "negative log likelihood",
    "position encoding": "positional encoding",
    "positional embedding": "positional encoding",
    layernorm: "layer norm",
  };
  let index; // what `prepare` made

  // Return a text in small letters, with a space at both ends of each word: `head_dim` as itself and as two words,
  // British and American spellings and plurals alike.
  function bare(text) {
    const words = text
      .normalize("NFKC")
      .toLowerCase()
      .match(/[\p{L}\p{N}_]+/gu);
    if (!words) return " ";
    const all = words.flatMap((word) =>
      /[^_]_[^_]/.test(word) ? [word, ...word.split("_").filter(Boolean)] : [word],
    );
    return ` ${all.map(spelt).join(" ")} `;
  }

  function spelt(word) {
    const one = word.length > 3 ? word.replace(/(?<=[^aiosu])s$/, "") : word;
    return one.replace(/i[sz](?=e|ing|ation)/, "is").replace(/(col|behavi|neighb)our/, "$1or");
  }

  // Load the index when it is first needed, and call ready(it).
  function withIndex(ready, failed) {
    if (index) return ready(index);
    const script = make("script", { src: "assets/index.js", onerror: failed });
    script.onload = () => ready((index ??= prepare(courseIndex)));
    document.head.append(script);
  }

  function prepare({ names, texts }) {
    const known = ([page, anchor, text, told = ""]) => ({
      ...{ page, anchor, text, told },
      ...{ bare: bare(text), tells: bare(told) },
    });
    const passages = texts.flatMap(([page, anchor, all]) => all.map((text) => known([page, anchor, text])));
    return { entries: names.map(known), passages };
  }

  // Return how well a bare text has all the words asked for: as a phrase, as words, as beginnings of words; 0 if not.
  function fit(text, { phrase, words }) {
    if (text.includes(phrase)) return 4;
    const points = words.map((word) => {
      if (ACROSS.test(word)) return text.includes(word) ? 2 : 0;
      return text.includes(` ${word} `) ? 2 : text.includes(` ${word}`) ? 1 : 0;
    });
    return Math.min(...points);
  }

  const isCode = ({ text }) => text.startsWith("\t");

  // Return what is found, best first: names before passages, then pages that speak of it most.
  function find(text, { entries, passages }) {
    const typed = bare(text).trim();
    if (!typed) return [];
    const ways = [...new Set([typed, bare(ALSO[typed] ?? typed).trim()])].map((phrase) => ({
      phrase: ACROSS.test(phrase) ? phrase : ` ${phrase} `,
      words: phrase.split(" "),
    }));
    const best = (bared) => Math.max(...ways.map((way) => fit(bared, way)));
    const found = [];
    for (const entry of entries) {
      const [named, told] = [best(entry.bare), best(entry.tells)];
      const isWhole = ways.some(({ phrase }) => entry.bare.trim() === phrase.trim());
      const points = named ? 10 * named + (isWhole ? 5 : 0) + (entry.told ? 1 : 0) : told && 4 * told;
      if (points) found.push({ ...entry, points });
    }
    const said = {};
    for (const passage of passages) {
      const points = best(passage.bare);
      if (!points) continue;
      found.push({ ...passage, points: (isCode(passage) ? 3 : 5) * points, isPassage: true });
      said[passage.page] = (said[passage.page] ?? 0) + points;
    }
    for (const one of found) one.points += Math.min(4, (said[one.page] ?? 0) / 8);
    found.sort((a, b) => b.points - a.points);
    // A passage that stands where a better result leads is not said again.
    const seen = new Set();
    return found.filter(({ page, anchor, text }) => {
      const place = `${page}#${anchor}`;
      const isNew = !seen.has(place) && !seen.has(`${page} ${text}`);
      seen.add(place).add(`${page} ${text}`);
      return isNew;
    });
  }

  // Return the part of a passage around the first word that was asked for.
  function around(text, asked) {
    if (text.length <= ROOM) return text;
    const small = text.toLowerCase();
    const places = asked.map((word) => small.indexOf(word)).filter((place) => place >= 0);
    const at = places.length ? Math.min(...places) : 0;
    const start = at < ROOM / 2 ? 0 : text.lastIndexOf(" ", at - ROOM / 3) + 1;
    const end = start + ROOM < text.length ? text.lastIndexOf(" ", start + ROOM) : text.length;
    const part = text.slice(start, end > start ? end : start + ROOM); // Chinese has no spaces
    return `${start ? "… " : ""}${part}${end < text.length ? " …" : ""}`;
  }

  // Return a text as nodes, in which the words that were asked for are marked.
  function marked(text, asked) {
    const words = asked.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
    const parts = text.split(new RegExp(`(${words.join("|")})`, "i"));
    return parts.map((part, place) => (place % 2 ? make("mark", { textContent: part }) : part));
  }

  function search() {
    const box = document.querySelector(".bar search");
    const menu = box.querySelector("details");
    const [field, status, list] = ["input", "[role=status]", ".found"].map((name) => box.querySelector(name));
    const titles = Object.fromEntries(
      [...document.querySelectorAll(".bar [data-of]")].map((link) => [link.dataset.of, link.textContent.trim()]),
    );
    const show = (all) => {
      const word = field.value.trim();
      const asked = word.toLowerCase().split(/\s+/).filter(Boolean);
      const found = find(word, all);
      list.replaceChildren(
        ...found.slice(0, MOST).map(({ page, anchor, text, told, isPassage }) => {
          const href = `${page}.html#${encodeURIComponent(anchor)}`;
          const shown = (words) => marked(around(words, asked), asked);
          const small = make("small", {}, ...(told && !isPassage ? [...shown(told), " · "] : []), titles[page] ?? "");
          const words = make(isCode({ text }) ? "code" : "span", {}, ...shown(text.trim()));
          return make("li", {}, make("a", { href }, words, small));
        }),
      );
      const count = found.length;
      if (!asked.length) status.textContent = "";
      else if (count > MOST)
        status.textContent = say("{count} found, the best {most} are here.", { count, most: MOST });
      else if (count) status.textContent = say("{count} found.", { count });
      else if (asked.length > 1) status.textContent = say("No passage has all the words “{word}”.", { word });
      else status.textContent = say("No page has the word “{word}”.", { word });
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

  addEventListener("DOMContentLoaded", search);
})();
