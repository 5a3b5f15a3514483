// Splits each slide into as many pages as its cells need, and gives each page its sizes.
"use strict";
const { make } = courseViews["elements.js"];
const LABEL = 20; // px: the smallest size of a label in a figure or a view
const LARGEST = 2.2; // the largest zoom of a view or a figure

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

function shrink(formula) {
  const { width } = formula.parentElement.getBoundingClientRect();
  const size = parseFloat(getComputedStyle(formula).fontSize);
  if (formula.scrollWidth > width) formula.style.fontSize = `${Math.floor((size * width) / formula.scrollWidth)}px`;
}

// reveal.js may have scaled the slide, so measured heights are compared in this ratio.
const ratioOf = (section) => section.getBoundingClientRect().height / HEIGHT || 1;
const isTooFull = (section) =>
  section.querySelector(".body").getBoundingClientRect().height > HEIGHT * ratioOf(section) + 0.5;

// Makes a page fit: denser text first, then captions to the notes; then pictures grow into the room, or all shrinks.
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
  const shorten = () => captions.forEach((caption) => moveToNotes(section, caption));
  const steps = [() => {}, () => body.classList.add("dense"), shorten];
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

function moveToNotes(section, caption) {
  const label = make("strong", { textContent: say("Below the figure:") });
  section.querySelector("aside.notes")?.append(make("p", {}, label, ` ${caption.textContent.trim()}`));
  caption.remove();
}

// Applies the largest factor between low and high with which all fits, found by bisection; else the lowest, and false.
function largest(apply, low, high, fits) {
  apply(high);
  if (fits()) return true;
  apply(low);
  const lowFits = fits();
  while (lowFits && high - low > 0.015) {
    const middle = (low + high) / 2;
    apply(middle);
    if (fits()) low = middle;
    else high = middle;
  }
  apply(low);
  return lowFits;
}

// Returns a page with some blocks of a slide. number: which page of the slide it is, from 0. share: its part of the
// slide's minutes, from 0 to 1.
function newPage(section, blocks, number, share) {
  const page = make("section", { class: "page" });
  const layout = layoutOf(section, blocks);
  const body = make("div", { class: `body ${layout}` });
  Object.assign(page.dataset, section.dataset, { part: number, minutes: section.dataset.minutes * share });
  if (blocks[0].kind !== "heading") body.append(make("p", { class: "running", textContent: section.dataset.title }));
  const code = blocks.map(({ element }) => element).filter((element) => element.matches("pre"));
  const isSmall = code.some((element) => element.matches(".small"));
  for (const element of code) element.classList.toggle("small", isSmall); // one size of code on a page
  const two = layout === "beside" && halves(blocks, "normal");
  if (two) {
    body.append(...blocks.filter(({ kind }) => kind === "heading").map(({ element }) => element));
    for (const side of [two.left, two.right])
      body.append(make("div", { class: "half" }, ...side.map(({ element }) => element)));
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
    const all = seconds.reduce((sum, part) => sum + part);
    const pages = parts.map((part, number) => newPage(section, part, number, seconds[number] / all));
    section.replaceWith(...pages);
    return pages;
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
