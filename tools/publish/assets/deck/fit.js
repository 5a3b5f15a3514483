// Splits each slide into as many pages as its cells need, and gives each page its layout and its sizes.
"use strict";
const HEIGHT = 720;
const LABEL = 20; // px: the smallest size of a label in a figure or a view
const LARGEST = 2.2; // the largest zoom of a view or a figure
const GAP = 18; // px between the blocks of a page
const ROOM = HEIGHT - 66; // px of height within the padding of a page
const WIDTH = 1180;
const RUNNING = 46; // px: the repeated title on a continued page, and the gap below it

const isHeading = (element) => /^H[1-4]$/.test(element.tagName);
const isPicture = (element) => element.matches("figure, .view");

// Returns the size in px, as drawn now, of the smallest label: for a figure from its data-label, for a view measured.
function smallestLabel(element) {
  const image = element.querySelector("img[data-label]");
  if (image) return image.dataset.label * (image.getBoundingClientRect().width / image.getAttribute("width"));
  const isText = (part) => [...part.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.data.trim());
  const sizes = [...element.querySelectorAll("*")]
    .filter((part) => isText(part) && part.checkVisibility() && !part.closest("math, style, script"))
    .map((part) => parseFloat(getComputedStyle(part).fontSize) * part.currentCSSZoom * drawnAt(part.ownerSVGElement));
  return Math.min(...sizes, LABEL);
}

// Returns the scale at which an SVG is drawn, in px for each of its own units.
function drawnAt(svg) {
  const units = svg?.viewBox.baseVal?.width;
  return units ? svg.getBoundingClientRect().width / (units * svg.currentCSSZoom) : 1;
}

// Returns the element that zoom applies to: the picture of a figure, without its caption, or a whole view.
const zoomed = (element) => (element.matches(".view") ? element : element.querySelector(".states, img"));

// Figures and views are made to be read at arm's length. Enlarges one until its labels can be read on a slide.
function enlarge(element) {
  const part = zoomed(element);
  if (!part) return;
  for (let turn = 0; turn < 3; turn++) {
    const factor = (LABEL + 0.2) / smallestLabel(element);
    if (factor <= 1) break;
    setZoom(part, (part.style.zoom || 1) * factor);
  }
}

// Sets the zoom, at most LARGEST, or for a bitmap the factor in data-sharp, up to which it stays sharp.
const setZoom = (part, zoom) => (part.style.zoom = Math.min(part.dataset.sharp ?? LARGEST, zoom));

// Gives a view the height that its page has left, or takes what the page lacks, by --av-high in the view's own pixels.
// By itself a view would follow the height of the window, which is the projector's.
function share(page) {
  const body = page.querySelector(".body");
  const view = body.querySelector(".view");
  if (!view) return;
  body.style.minHeight = 0;
  const left = (HEIGHT - body.offsetHeight) / (view.style.zoom || 1);
  body.style.minHeight = "";
  const high = Number(view.style.getPropertyValue("--av-high")) || HEIGHT / (view.style.zoom || 1);
  view.style.setProperty("--av-high", Math.floor(high + left));
}

// Sets a formula in smaller type if it is too long for its line.
function shrink(formula) {
  const { width } = formula.parentElement.getBoundingClientRect();
  const size = parseFloat(getComputedStyle(formula).fontSize);
  if (formula.scrollWidth > width) formula.style.fontSize = `${Math.floor((size * width) / formula.scrollWidth)}px`;
}

// Returns the width in px of a block of code, in the larger of its two sizes.
function widthOf(pre) {
  const lines = document.createRange();
  lines.selectNodeContents(pre.querySelector("code") ?? pre);
  const { paddingLeft, paddingRight } = getComputedStyle(pre);
  return lines.getBoundingClientRect().width + parseFloat(paddingLeft) + parseFloat(paddingRight) + 8;
}

const LINES = 22; // lines of code on a page, in the smaller size

// Splits code or an output that is too long for a page, at an empty line if there is one.
function cutLong(pre) {
  const holder = pre.querySelector("code") ?? pre;
  const lines = holder.innerHTML.split("\n");
  if (lines.length <= LINES) return;
  const parts = Math.ceil(lines.length / LINES);
  const pieces = [];
  for (let left = parts; lines.length; left--) {
    const even = Math.ceil(lines.length / Math.max(left, 1));
    const empty = lines.findLastIndex((line, at) => at > even / 2 && at <= Math.min(LINES, even + 4) && !line.trim());
    pieces.push(lines.splice(0, left <= 1 && lines.length <= LINES ? lines.length : empty > 0 ? empty + 1 : even));
  }
  const made = pieces.map((piece) => {
    const copy = pre.cloneNode(true);
    (copy.querySelector("code") ?? copy).innerHTML = piece.join("\n").replace(/\n+$/, "");
    return copy;
  });
  pre.replaceWith(...made);
}

// Splits a table that is too high for a page, and repeats its head in each part.
function cutTable(table) {
  const rows = [...table.querySelectorAll("tbody > tr")];
  const most = ROOM - 90 - (table.tHead?.offsetHeight ?? 0);
  const parts = Math.ceil(table.offsetHeight / most);
  if (parts < 2) return;
  const even = Math.ceil(rows.length / parts);
  for (let start = (parts - 1) * even; start > 0; start -= even) {
    const copy = table.cloneNode(true);
    copy.tBodies[0].replaceChildren(...rows.splice(start));
    table.after(copy);
  }
}

// Returns the blocks of a slide (headings, paragraphs, lists, code, output, figures, views), each with its cell and its
// step.
function blocksOf(section) {
  section.querySelectorAll(":scope > .body > .cell > pre").forEach(cutLong);
  section.querySelectorAll(":scope > .body > .cell > table").forEach(cutTable);
  const blocks = [...section.querySelectorAll(":scope > .body > .cell")].flatMap((cell, number) =>
    [...cell.children].map((element) => {
      if (/^\s*Predict first\./.test(element.textContent) && ["P", "DIV"].includes(element.tagName)) {
        element.classList.add("predict");
        element.removeAttribute("style"); // the notebook's own frame
      }
      element.dataset.step = cell.dataset.step;
      const kind = isHeading(element) ? "heading" : cell.classList[1];
      return { element, cell: number, step: cell.dataset.step, kind };
    }),
  );
  blocks.forEach(({ element }, order) => (element.dataset.order = order)); // two columns may change the order
  return blocks;
}

// Stores the height of each block, as drawn now, under a name.
function measure(blocks, name) {
  for (const block of blocks) block[name] = block.element.getBoundingClientRect().height;
}

// Returns the cost of a page break before a block: headings should stay with what follows, an output with its code, and
// a cell in one piece.
function breakCost(before, block) {
  if (before.kind === "heading") return 9;
  if (before.element.matches(".predict, .view.asks")) return -0.4; // prefer a new page for the answer
  if (block.element.matches(".predict, .view.asks")) return 0.7; // keeps a question with what it is about
  if (isPicture(block.element) && block.cell !== before.cell) return 0.25; // keep a picture with its words
  if (before.cell === block.cell) return 0.6;
  if (before.kind === "source" && block.kind === "result") return 0.7;
  return before.kind === "prose" && block.kind !== "prose" ? 0.3 : 0;
}

// Returns the height of blocks that stand one below the other. name: of the stored heights, "normal" or "dense".
const stacked = (blocks, name) => blocks.reduce((sum, block) => sum + block[name] + GAP, -GAP);

// Returns the blocks for two columns as { left, right }, or null if they do not fit: code beside its output, or words
// beside a picture that is not wide.
function halves(blocks, name) {
  const rest = blocks.filter(({ kind }) => kind !== "heading");
  const small = name === "dense" ? 0.75 : 1;
  const [first] = rest;
  if (first?.kind === "source" && rest.length > 1 && rest.every(({ lines }) => lines)) {
    const [left, right] = [[first], rest.slice(1)];
    const widths = [first.lines, Math.max(...right.map(({ lines }) => lines))];
    return small * (widths[0] + widths[1]) + 24 <= WIDTH ? { left, right } : null;
  }
  const pictures = rest.filter(({ element }) => isPicture(element));
  const words = rest.filter(({ element }) => element.matches("p, ul, ol, blockquote, .predict"));
  if (pictures.length !== 1 || !words.length || pictures.length + words.length < rest.length) return null;
  const letters = words.reduce((sum, { element }) => sum + element.textContent.length, 0);
  const width = pictures[0].element.getBoundingClientRect().width;
  return letters <= 420 && pictures[0].natural <= 640 && width > 0 ? { left: words, right: pictures } : null;
}

// Returns the height of a page of these blocks, in one column or in two, whichever is lower.
function heightOf(blocks, name) {
  const tall = stacked(blocks, name);
  const two = halves(blocks, name);
  if (!two) return tall;
  const head = blocks.filter(({ kind }) => kind === "heading");
  const words = (side) => (isPicture(side[0].element) || side[0].lines ? 1 : 2.1); // half the width, twice the height
  const sides = [two.left, two.right].map((side) => words(side) * stacked(side, name));
  return Math.min(tall, Math.max(...sides) + (head.length ? stacked(head, name) + GAP : 0));
}

// Returns the cost of a page of these blocks: least in normal type, more if it is nearly empty, in dense type or too
// full. running: px that the repeated title takes.
function pageCost(blocks, running) {
  const room = ROOM - running;
  const normal = heightOf(blocks, "normal");
  if (normal <= room) return 1 + (normal < 0.2 * room ? 0.3 : 0);
  const dense = heightOf(blocks, "dense");
  return dense <= room ? 1.5 : 60 * (dense / room);
}

// Returns the indices of the blocks that begin a page, chosen by dynamic programming for the least total cost.
function pagesOf(blocks) {
  const best = [{ cost: 0 }];
  for (let end = 1; end <= blocks.length; end++) {
    best[end] = { cost: Infinity };
    for (let start = end - 1; start >= 0; start--) {
      const page = blocks.slice(start, end);
      let cost = best[start].cost + pageCost(page, page[0].kind === "heading" ? 0 : RUNNING);
      if (start) cost += breakCost(blocks[start - 1], blocks[start]);
      if (cost < best[end].cost) best[end] = { cost, start };
    }
  }
  const starts = [];
  for (let end = blocks.length; end > 0; end = best[end].start) starts.unshift(best[end].start);
  return starts;
}

const STATEMENT = 190; // the most letters of a text that stands alone in large type

// Returns the layout of a page: as the notebook's metadata says, else by what is on the page.
function layoutOf(section, blocks) {
  if (section.dataset.layout) return section.dataset.layout;
  const rest = blocks.filter(({ kind }) => kind !== "heading").map(({ element }) => element);
  const are = (selector) => rest.length > 0 && rest.every((element) => element.matches(selector));
  if (rest.some((element) => element.matches(".choices"))) return "question";
  if (halves(blocks, "normal") && isBetterBeside(blocks)) return "beside";
  if (rest.some((element) => element.matches(".predict, .view.asks"))) return "question";
  if (rest.length === 1 && are("figure, .view")) return "whole";
  if (are("table, p") && rest.some((element) => element.matches("table"))) return "table";
  const letters = rest.reduce((sum, element) => sum + element.textContent.trim().length, 0);
  return are("p, ul, ol, blockquote") && letters <= STATEMENT ? "statement" : "text";
}

// Two columns are for pictures, and for code and output that are long or would fill a page. Short code has its output
// below it.
function isBetterBeside(blocks) {
  if (blocks.some(({ element }) => isPicture(element))) return true;
  const [code, ...results] = blocks.filter(({ kind }) => kind !== "heading");
  return Math.min(code.normal, stacked(results, "normal")) > 120 || heightOf(blocks, "normal") > 0.75 * ROOM;
}

// reveal.js may have scaled the slide, so measured heights are compared in this ratio.
const ratioOf = (section) => section.getBoundingClientRect().height / HEIGHT || 1;
const isTooFull = (section) =>
  section.querySelector(".body").getBoundingClientRect().height > HEIGHT * ratioOf(section) + 0.5;

// Makes a page fit: denser text first, then captions moved to the notes; then pictures grow into the room, or all
// shrinks.
function fit(section) {
  const body = section.querySelector(".body");
  const pictures = [...body.querySelectorAll(":scope > :is(figure, .view), :scope > .half > :is(figure, .view)")];
  const fits = () => !isTooFull(section) && body.scrollWidth <= body.clientWidth + 1;
  const scale = (factor) => {
    body.style.zoom = factor;
    body.style.minHeight = `${HEIGHT / factor}px`; // keeps the content centred on the slide
  };
  scale(1);
  const captions = body.querySelectorAll("figcaption");
  const steps = [() => {}, () => body.classList.add("dense"), () => captions.forEach((one) => tell(section, one))];
  for (const step of steps) {
    step();
    if (fits()) break;
  }
  // Views with maps are left out, since `share` has given them their room already.
  const growing = pictures.filter((part) => zoomed(part) && !part.querySelector(".av-map")).map(zoomed);
  const least = growing.map((part) => Number(part.style.zoom || 1));
  const grow = (factor) => growing.forEach((part, number) => setZoom(part, least[number] * factor));
  if (growing.length && largest(grow, 1, 2, fits)) return;
  if (!fits()) largest(scale, 0.3, 1, fits);
}

// Moves a caption that has no room to the presenter's notes.
function tell(section, caption) {
  const words = document.createElement("p");
  words.innerHTML = `<strong>Below the figure:</strong> ${caption.textContent.trim()}`;
  section.querySelector("aside.notes")?.append(words);
  caption.remove();
}

// Applies the largest factor between low and high with which all fits, found by bisection, and returns true; if none
// does, applies the lowest and returns false.
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

// Estimates the seconds that a page takes, to divide the minutes of its slide: reading aloud, and waiting for a show of
// hands or for somebody to move a view.
function secondsOf(blocks) {
  const read = blocks.filter(({ element }) => !isPicture(element));
  const words = read.reduce((sum, { element }) => sum + element.textContent.split(/\s+/).length, 0);
  const asks = blocks.some(({ element }) => element.matches(".predict, .asks, .choices"));
  const shows = blocks.some(({ element }) => isPicture(element));
  return 10 + Math.min(words, 120) / 2 + 30 * asks + 30 * shows;
}

// Returns a page with some blocks of a slide. number: which page of the slide it is, from 0. share: its part of the
// slide's minutes, from 0 to 1.
function newPage(section, blocks, number, share) {
  const page = document.createElement("section");
  const body = document.createElement("div");
  const layout = layoutOf(section, blocks);
  Object.assign(page.dataset, section.dataset, { part: number, minutes: section.dataset.minutes * share });
  page.className = "page";
  body.className = `body ${layout}`;
  if (blocks[0].kind !== "heading") {
    const running = document.createElement("p");
    Object.assign(running, { className: "running", textContent: section.dataset.title });
    body.append(running);
  }
  const two = layout === "beside" && halves(blocks, "normal");
  if (two) {
    body.append(...blocks.filter(({ kind }) => kind === "heading").map(({ element }) => element));
    for (const side of [two.left, two.right]) {
      const half = document.createElement("div");
      half.className = "half";
      half.append(...side.map(({ element }) => element));
      body.append(half);
    }
  } else {
    blocks.find(({ kind }) => kind !== "heading")?.element.classList.add("first");
    body.append(...blocks.map(({ element }) => element));
  }
  const title = blocks[0].kind === "heading" && blocks[0].element.textContent.trim().replaceAll(" ", "-");
  if (title && !document.getElementById(title)) page.id = title; // the anchor by which a link in the notebook names it
  page.append(body);
  const notes = section.querySelector("aside.notes");
  if (notes) page.append(notes.cloneNode(true));
  // A page opens with its first step shown, so that nobody looks at an empty one.
  const first = Math.min(...blocks.map(({ step }) => +step));
  const later = (element, index) => {
    element.classList.add("fragment");
    element.dataset.fragmentIndex = index;
  };
  for (const { element, step } of blocks) {
    if (+step > first) later(element, 2 * step);
    element.querySelectorAll(".states > .now").forEach((now) => later(now, 2 * step + 1));
  }
  return page;
}

// Waits two frames: views update their layout after a change of width before the next frame is painted.
const settled = () => new Promise((go) => requestAnimationFrame(() => requestAnimationFrame(go)));

// Lays out all slides as they will be shown, and replaces each by its pages. root: the element that holds them.
async function paginate(root) {
  const { classList } = document.documentElement;
  classList.add("measuring");
  const sections = [...root.querySelectorAll("section[data-key]")];
  for (const section of sections) section.classList.add("page");
  const plans = sections.map((section) => {
    const blocks = blocksOf(section);
    section.querySelector(".body").replaceChildren(...blocks.map((block) => block.element));
    return { section, blocks };
  });
  const blocks = plans.flatMap((plan) => plan.blocks);
  const pictures = blocks.map(({ element }) => element).filter(isPicture);
  root.querySelectorAll("math[display=block]").forEach(shrink);
  for (const block of blocks) if (block.element.matches("pre")) block.lines = widthOf(block.element);
  for (const { element, lines } of blocks) {
    element.classList.toggle("small", lines > WIDTH - 20);
    element.classList.toggle("wraps", element.matches(".output") && lines * 0.77 > WIDTH - 20); // long lines of text
  }
  for (const part of root.querySelectorAll(".view")) part.style.setProperty("--av-high", HEIGHT);
  pictures.forEach(enlarge);
  await settled();
  pictures.forEach(enlarge); // again, since a larger view may show labels that it had hidden
  await settled();
  measure(blocks, "normal");
  for (const block of blocks) if (isPicture(block.element)) block.natural = pictureWidth(block.element);
  classList.add("dense");
  measure(blocks, "dense");
  classList.remove("dense");
  const pages = plans.flatMap(({ section, blocks }) => {
    const starts = section.dataset.layout === "cover" ? [0] : pagesOf(blocks);
    const parts = starts.map((start, i) => blocks.slice(start, starts[i + 1]));
    const seconds = parts.map(secondsOf);
    const all = seconds.reduce((sum, one) => sum + one);
    const made = parts.map((part, number) => newPage(section, part, number, seconds[number] / all));
    section.replaceWith(...made);
    return made;
  });
  for (let turn = 0; turn < 2; turn++) {
    await settled();
    pages.forEach(share);
    dispatchEvent(new Event("resize"));
  }
  await settled();
  pages.forEach(fit);
  await settled();
  pages.filter(isTooFull).forEach(fit);
  classList.remove("measuring");
}

// Returns the width in px of a picture by itself: of a figure's image, or of a view's choices, bars or cells. Any other
// view takes all the width that there is, so Infinity.
function pictureWidth(element) {
  const inside = element.matches(".view") ? ".av-choices, .av-bars, .av-cells" : "img";
  const inner = element.querySelector(inside);
  return inner ? inner.getBoundingClientRect().width : Infinity;
}
