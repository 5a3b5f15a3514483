// Puts the cells of each slide on as many pages as they need. A page that is a little too full is scaled down.
"use strict";
const HEIGHT = 720;
const SMALLEST = 0.75; // of the size of text: below it, a page is split; a cell too tall by itself goes lower
const LARGEST = 1.9; // of a view or a figure; a figure says how far it stays sharp

const isHeading = (block) => /^H[1-4]$/.test(block.tagName);
// Views and figures are made for a page at arm's length: on a slide they are to be larger.
function wantedHeight({ element }) {
  const { height } = element.getBoundingClientRect();
  if (element.matches(".view")) return 1.5 * height;
  return element.matches("figure") ? 1.25 * height : height;
}

// Lines are set a little smaller, where that saves them from being wrapped; words in an output may be wrapped.
function narrow(lines) {
  const all = document.createRange();
  const { paddingLeft, paddingRight } = getComputedStyle(lines);
  // A little less than there is: on a scaled page, letters are a little wider.
  const room = 0.985 * (lines.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight));
  const width = () => all.getBoundingClientRect().width;
  all.selectNodeContents(lines);
  lines.style.whiteSpace = "pre";
  if (width() <= room) return;
  lines.style.fontSize = `${Math.max(19, (24 * room) / width() - 0.1)}px`;
  if (width() <= room) return;
  lines.style.whiteSpace = "";
  if (lines.matches(".output")) lines.style.fontSize = "";
}

// A long formula is set smaller, too.
function shrink(formula) {
  const { width } = formula.parentElement.getBoundingClientRect();
  const size = parseFloat(getComputedStyle(formula).fontSize);
  if (formula.scrollWidth > width) formula.style.fontSize = `${Math.floor((size * width) / formula.scrollWidth)}px`;
}

// The blocks of a slide: headings, paragraphs, lists, code, output, figures, views, each with its cell and its step.
function blocksOf(section) {
  return [...section.querySelectorAll(":scope > .body > .cell")].flatMap((cell, number) =>
    [...cell.children].map((element) => {
      if (/^\s*Predict first\./.test(element.textContent) && ["P", "DIV"].includes(element.tagName)) {
        element.classList.add("predict");
        element.removeAttribute("style"); // the notebook's own frame
      }
      element.dataset.step = cell.dataset.step;
      return { element, cell: number, kind: isHeading(element) ? "heading" : cell.classList[1] };
    }),
  );
}

// What it costs to begin a page with a block: headings stay with what follows, an output with its code, a cell whole.
function breakCost(before, block) {
  if (before.kind === "heading") return 9;
  if (before.element.classList.contains("predict")) return -0.4; // the answer on a page of its own
  if (before.element.matches(".view")) return -0.5; // and the view can be larger
  if (before.cell === block.cell) return 0.6;
  if (before.kind === "source" && block.kind === "result") return 0.5;
  return before.kind === "prose" && block.kind !== "prose" ? 0.3 : 0;
}

function pageCost(height, room) {
  const scale = Math.min(1, room / height);
  const tiny = scale < SMALLEST ? 40 * (SMALLEST / scale) : 0;
  const empty = height < 0.2 * room ? 0.3 : 0;
  return 1 + 6 * (1 / scale - 1) + tiny + empty;
}

// Where the pages begin, at the least cost in all. heights: of each block; room: of a page, gaps counted in.
function pagesOf(blocks, heights, gap, room, running) {
  const best = [{ cost: 0 }];
  for (let end = 1; end <= blocks.length; end++) {
    best[end] = { cost: Infinity };
    let height = -gap;
    for (let start = end - 1; start >= 0; start--) {
      height += heights[start] + gap;
      let cost = best[start].cost + pageCost(height + (start ? running : 0), room);
      if (start) cost += breakCost(blocks[start - 1], blocks[start]);
      if (cost < best[end].cost) best[end] = { cost, start };
    }
  }
  const starts = [];
  for (let end = blocks.length; end > 0; end = best[end].start) starts.unshift(best[end].start);
  return starts;
}

// The largest figures with which a page fits, and if none does, the largest text.
function fit(section) {
  const body = section.querySelector(".body");
  const media = [...body.querySelectorAll("figure > img, .view")];
  const ratio = section.getBoundingClientRect().height / HEIGHT || 1; // reveal.js may have scaled the slide already
  const fits = () => {
    const isLow = body.getBoundingClientRect().height <= HEIGHT * ratio + 0.5;
    return isLow && body.scrollWidth <= body.clientWidth + 1;
  };
  const enlarge = (factor) => {
    for (const part of media) part.style.zoom = Math.min(factor, part.dataset.sharp ?? LARGEST);
  };
  const scale = (factor) => {
    body.style.zoom = factor;
    body.style.minHeight = `${HEIGHT / factor}px`; // so that its middle stays that of the slide
  };
  scale(1);
  if (media.length ? largest(enlarge, 0.85, LARGEST, fits) : fits()) return;
  largest(scale, 0.3, 1, fits);
}

// Leaves the largest factor with which all fits, if one does; the smallest else.
function largest(apply, low, high, fits) {
  apply(high);
  if (fits()) return true;
  apply(low);
  const found = fits();
  while (found && high - low > 0.015) {
    const middle = (low + high) / 2;
    apply(middle);
    if (fits()) low = middle;
    else high = middle;
  }
  apply(low);
  return found;
}

const STATEMENT = 190; // letters of a text that can stand large, by itself

// How a page is laid out: as its notebook says in a word, or by what stands on it.
function layoutOf(section, blocks) {
  if (section.dataset.layout) return section.dataset.layout;
  const rest = blocks.filter(({ element }) => !isHeading(element)).map(({ element }) => element);
  const are = (selector) => rest.length > 0 && rest.every((element) => element.matches(selector));
  if (section.matches(".slides > section:first-child > :first-child")) return "cover";
  if (rest.some((element) => element.matches(".choices, .predict"))) return "question";
  if (rest.length === 1 && are("figure, .view")) return "whole";
  if (are("table, p") && rest.some((element) => element.matches("table"))) return "table";
  const [code, result] = rest;
  if (rest.length === 2 && code.matches("pre.code") && isNarrow(code) && isNarrow(result)) return "beside";
  const letters = rest.reduce((sum, element) => sum + element.textContent.trim().length, 0);
  return are("p, ul, ol, blockquote") && letters <= STATEMENT ? "statement" : "text";
}

// Whether a block leaves room for another beside it: by its longest line.
function isNarrow(block) {
  const lines = document.createRange();
  lines.selectNodeContents(block);
  return block.matches("pre, figure") && lines.getBoundingClientRect().width <= 530;
}

function newPage(section, blocks, number) {
  const page = document.createElement("section");
  const body = document.createElement("div");
  Object.assign(page.dataset, section.dataset, { part: number });
  page.className = "page";
  body.className = `body ${layoutOf(section, blocks)}`;
  blocks.find(({ element }) => !isHeading(element))?.element.classList.add("first");
  if (blocks[0].kind !== "heading" && !isHeading(blocks[0].element)) {
    const running = document.createElement("p");
    Object.assign(running, { className: "running", textContent: section.dataset.title });
    body.append(running);
  }
  body.append(...blocks.map((block) => block.element));
  const title = isHeading(blocks[0].element) && blocks[0].element.textContent.trim().replaceAll(" ", "-");
  if (title && !document.getElementById(title)) page.id = title; // as a link in the notebook names it
  page.append(body);
  const notes = section.querySelector("aside.notes");
  if (notes) page.append(notes.cloneNode(true));
  // The first step of a page is there when the page is: nobody should look at an empty one.
  const first = Math.min(...blocks.map(({ element }) => +element.dataset.step));
  for (const { element } of blocks) {
    if (+element.dataset.step === first) continue;
    element.classList.add("fragment");
    element.dataset.fragmentIndex = element.dataset.step;
  }
  return page;
}

// Lays all slides out as they will be seen, and replaces each by its pages.
function paginate(root) {
  document.documentElement.classList.add("measuring");
  const gap = 18;
  const room = HEIGHT - 78;
  const running = 44;
  const sections = [...root.querySelectorAll("section[data-key]")];
  for (const section of sections) section.classList.add("page");
  const plans = sections.map((section) => {
    const blocks = blocksOf(section);
    section.querySelector(".body").replaceChildren(...blocks.map((block) => block.element));
    return { section, blocks };
  });
  root.querySelectorAll("pre").forEach(narrow);
  root.querySelectorAll("math[display=block]").forEach(shrink);
  for (const plan of plans) plan.heights = plan.blocks.map(wantedHeight);
  const pages = plans.flatMap(({ section, blocks, heights }) => {
    const starts = pagesOf(blocks, heights, gap, room, running);
    const made = starts.map((start, i) => newPage(section, blocks.slice(start, starts[i + 1]), i));
    section.replaceWith(...made);
    return made;
  });
  pages.forEach(fit);
  document.documentElement.classList.remove("measuring");
}
