// The script of a web page: its theme, the current entry in the contents, keyboard scrolling, and printing in full.
"use strict";
(() => {
  const page = document.documentElement;
  const system = matchMedia("(prefers-color-scheme: dark)");
  const kept = {
    get: () => { try { return localStorage.getItem("theme"); } catch { return null; } },
    set: (name) => { try { localStorage.setItem("theme", name); } catch { /* a page opened from a file may not */ } },
  };
  let chosen = kept.get();
  const show = () => {
    const name = chosen || (system.matches ? "dark" : "light");
    page.dataset.theme = name;
    const button = document.querySelector(".theme");
    if (button) button.textContent = name === "dark" ? "Light" : "Dark";
  };
  show();
  system.addEventListener("change", show);

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
      kept.set(chosen);
      show();
    });
    show();
    const contents = document.querySelector(".contents details");
    if (contents && matchMedia("(max-width: 60rem)").matches) contents.open = false;
    follow([...document.querySelectorAll(".contents a")]);
    reach();
  });
  addEventListener("resize", reach);
  document.addEventListener("toggle", reach, true); // an element has no size before it is unfolded
  addEventListener("beforeprint", () => document.querySelectorAll("details").forEach((part) => (part.open = true)));
})();
