// The script of a web page: its theme, the current entry in the contents, keyboard scrolling, and printing in full.
"use strict";
(() => {
  const page = document.documentElement;
  const system = matchMedia("(prefers-color-scheme: dark)");
  const kept = {
    get: (kind) => { try { return localStorage.getItem(kind); } catch { return null; } },
    set: (kind, name) => { try { localStorage.setItem(kind, name); } catch { /* a page from a file may not */ } },
  };
  let chosen = null;
  const show = () => {
    const name = chosen ?? (system.matches ? "dark" : "light");
    page.dataset.theme = name;
    const button = document.querySelector(".theme");
    if (button) button.textContent = name === "dark" ? button.dataset.light : button.dataset.dark;
  };
  // Takes the theme that the reader has chosen, here or in another tab. Other pages of the same host have themes, too.
  const take = () => {
    chosen = ["dark", "light"].find((name) => name === kept.get("theme")) ?? chosen;
    show();
  };
  take();
  system.addEventListener("change", show);
  addEventListener("storage", take);
  addEventListener("pageshow", ({ persisted }) => persisted && take()); // the browser shows the page as it was left

  // The English start page leads on to the language that the reader has chosen, or else the first of the browser's that
  // the course speaks; not if its address has a part in it, as in the links by which one chooses English.
  if (page.dataset.page === "index" && page.lang === "en" && !location.hash) {
    const links = [...document.querySelectorAll("link[hreflang]")];
    const leading = (code) => links.find(({ hreflang }) => hreflang.split("-")[0] === code.split("-")[0]);
    const asked = [kept.get("language") ?? [], navigator.languages].flat();
    const first = asked.find((code) => code.split("-")[0] === "en" || leading(code));
    if (first && leading(first)) location.replace(leading(first).href);
  }

  // Marks the link to the part of the page that is being read, while the reader scrolls.
  function follow(links) {
    const parts = links.map((link) => document.getElementById(decodeURIComponent(link.hash.slice(1))));
    const look = () => {
      const passed = parts.findLastIndex((part) => part && part.getBoundingClientRect().top < 120);
      links.forEach((link, number) =>
        number === passed ? link.setAttribute("aria-current", "true") : link.removeAttribute("aria-current"),
      );
    };
    let waits = false;
    addEventListener("scroll", () => {
      if (waits) return;
      waits = true;
      requestAnimationFrame(() => { waits = false; look(); });
    }, { passive: true });
    look();
  }

  // Makes elements that scroll sideways focusable, so that they can be scrolled by keyboard.
  function reach() {
    for (const part of document.querySelectorAll("pre, table, .result, .view, math[display]"))
      if (part.scrollWidth > part.clientWidth) part.tabIndex = 0;
      else part.removeAttribute("tabindex");
  }

  addEventListener("DOMContentLoaded", () => {
    const button = document.querySelector(".theme");
    button.hidden = false;
    button.addEventListener("click", () => {
      chosen = page.dataset.theme === "dark" ? "light" : "dark";
      kept.set("theme", chosen);
      show();
    });
    show();
    for (const link of document.querySelectorAll(".language"))
      link.addEventListener("click", () => kept.set("language", link.hreflang));
    const contents = document.querySelector(".contents details");
    if (contents && matchMedia("(max-width: 60rem)").matches) contents.open = false;
    follow([...document.querySelectorAll(".contents a")]);
    reach();
  });
  addEventListener("resize", reach);
  document.addEventListener("toggle", reach, true); // an element has no size before it is unfolded
  // The style for paper opens all folds, where the browser knows what it names.
  if (!CSS.supports("selector(::details-content)"))
    addEventListener("beforeprint", () => document.querySelectorAll("details").forEach((part) => (part.open = true)));
})();
