// Cuts a slide into blocks, and chooses which of them share a page, and in which layout.
"use strict";
const { say } = courseViews["words.js"]; // of views.js, which the deck loads before this script
const HEIGHT = 720;
const GAP = 18; // px between the blocks of a page
const ROOM = HEIGHT - 66; // px of height within the padding of a page
const WIDTH = 1180;
const RUNNING = 46; // px: the repeated title on a continued page, and the gap below it

// Returns how long a text is, in letters; a Chinese one is as wide as two, and half a word.
const wideIn = (text) => (text.match(/[\u2e80-\uffef]/g) ?? []).length;
const lengthOf = (text) => text.length + wideIn(text);

const isHeading = (element) => /^H[1-4]$/.test(element.tagName);
const isPicture = (element) => element.matches("figure, .view");

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
  const copies = pieces.map((piece) => {
    const copy = pre.cloneNode(true);
    (copy.querySelector("code") ?? copy).innerHTML = piece.join("\n").replace(/\n+$/, "");
    return copy;
  });
  pre.replaceWith(...copies);
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

// Returns the blocks of a slide (headings, paragraphs, code, figures, views, …), each with its cell and its step.
function blocksOf(section) {
  section.querySelectorAll(":scope > .body > .cell > pre").forEach(cutLong);
  section.querySelectorAll(":scope > .body > .cell > table").forEach(cutTable);
  const blocks = [...section.querySelectorAll(":scope > .body > .cell")].flatMap((cell, number) =>
    [...cell.children].map((element) => {
      if (element.textContent.trimStart().startsWith(say("Predict first.")) && ["P", "DIV"].includes(element.tagName)) {
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

function measure(blocks, name) {
  for (const block of blocks) block[name] = block.element.getBoundingClientRect().height;
}

// Returns the cost of a page break before a block: headings stay with what follows, and a cell in one piece.
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

// Returns two columns as { left, right }, or null: code beside its output, or words beside a picture that is not wide.
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
  const letters = words.reduce((sum, { element }) => sum + lengthOf(element.textContent), 0);
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

// Returns the cost of a page: more if nearly empty, dense or too full. running: px that the repeated title takes.
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
  const letters = rest.reduce((sum, element) => sum + lengthOf(element.textContent.trim()), 0);
  return are("p, ul, ol, blockquote") && letters <= STATEMENT ? "statement" : "text";
}

// Two columns are for pictures, and for code and output that are long; short code has its output below it.
function isBetterBeside(blocks) {
  if (blocks.some(({ element }) => isPicture(element))) return true;
  const [code, ...results] = blocks.filter(({ kind }) => kind !== "heading");
  return Math.min(code.normal, stacked(results, "normal")) > 120 || heightOf(blocks, "normal") > 0.75 * ROOM;
}

// Estimates the seconds that a page takes, to divide the minutes of its slide: reading aloud, and waiting for a show of
// hands or for somebody to move a view.
function secondsOf(blocks) {
  const read = blocks.filter(({ element }) => !isPicture(element));
  const count = (text) => text.split(/\s+/).length + wideIn(text) / 2;
  const words = read.reduce((sum, { element }) => sum + count(element.textContent), 0);
  const asks = blocks.some(({ element }) => element.matches(".predict, .asks, .choices"));
  const shows = blocks.some(({ element }) => isPicture(element));
  return 10 + Math.min(words, 120) / 2 + 30 * asks + 30 * shows;
}
