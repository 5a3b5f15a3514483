// How much room a view has: in JupyterLab the height of the notebook's panel, less what must be seen with the picture;
// elsewhere the height of the window or of a slide. Widths and heights are in px.

const NARROW = 560; // in a view narrower than this, the heads stand in one line above the map
const STACKED = 760; // in a view narrower than this, two maps side by side would be too small for their numbers
const MEDIUM = 860; // in a view narrower than this, the heads are small
const WIDE = 720; // a view at least as wide as this has its controls beside its picture, in a panel
const LOW = 900; // that is lower than this
const GAP = 14;
const LINKS = 226; // the width of the links, with their gap
const LARGE = 380; // a map beside the links must be at least as wide as this, or as its height allows
const [LOWEST, HIGHEST] = [130, 470]; // the limits for the height of a map in a window or on a slide
const AROUND = 330; // the height that a page and the view take above and below the cells of a map
const BELOW = 14; // what JupyterLab leaves below a view
const [FEWEST, MOST] = [110, 216]; // the limits for the least height of a map in JupyterLab; then the view scrolls
const LETTER = 12; // the height of a label, for which each row needs room
const [LEAST_HEAD, LARGEST_HEAD, CAPTION] = [28, 70, 27]; // a thumbnail, and its caption and frame

const PANEL = ".jp-WindowedPanel-outer";
const BLOCKS = ".jp-RenderedMarkdown > :is(h2, h3, p, ul, ol, blockquote, div)";

export const isNarrow = (width, maps) => width < (maps > 1 ? STACKED : NARROW);
export const hasSmallHeads = (width) => width < MEDIUM;

// Return the height of the window, or the CSS variable --av-high if the page sets it, as a slide of fixed height does.
export const heightAround = (element) => Number(getComputedStyle(element).getPropertyValue("--av-high")) || innerHeight;

// Return the height that is left for a part of a view in JupyterLab's panel, below what stands above that part: the
// code, the view's controls, and the question, which is the last paragraph of the cell before. Elsewhere, return null.
export function heightLeft(part) {
  const panel = part.closest(PANEL);
  if (!panel) return null;
  const cell = part.closest(".jp-Cell");
  const view = cell?.querySelector(".jp-InputArea") ?? part.closest(".av");
  const question = [...(cell?.previousElementSibling?.querySelectorAll(BLOCKS) ?? [])].at(-1) ?? view;
  const above = part.getBoundingClientRect().top - question.getBoundingClientRect().top;
  return panel.clientHeight - above - BELOW;
}

// Return whether the controls of a view stand beside its picture: in JupyterLab, where its panel is wide and low.
export const isBeside = (root) => (root.closest(PANEL)?.clientHeight ?? LOW) < LOW && root.clientWidth >= WIDE;

// Call onChange() whenever the size of a view changes, or the room that JupyterLab's panel has for it.
// Returns leave(), to call when the view is removed.
export function watchRoom(element, onChange) {
  const watched = new Set();
  const watch = (part) => {
    if (!part || watched.has(part)) return;
    watched.add(part);
    watcher.observe(part);
  };
  const watcher = new ResizeObserver(() => {
    const cell = element.closest(".jp-Cell");
    for (const part of [element.closest(PANEL), cell, cell?.previousElementSibling]) watch(part); // not there at first
    onChange();
  });
  watch(element);
  addEventListener("resize", onChange);
  return () => {
    watcher.disconnect();
    removeEventListener("resize", onChange);
  };
}

// Return the number of columns in which the thumbnails of some heads are arranged.
export function columnsFor(heads) {
  if (heads > 16) return 12;
  if (heads > 9 || heads % 4 === 0) return 4;
  return Math.min(heads, 3);
}

// Return the largest side of the thumbnails of some heads that fit a height.
export function headSide(heads, height) {
  const rows = Math.ceil(heads / columnsFor(heads));
  return Math.max(LEAST_HEAD, Math.min(LARGEST_HEAD, Math.floor(height / rows) - CAPTION));
}

// Return the height of the cells of a map. room: as roomOf returns it. around: what the map needs above and below them.
export function cellsHeight({ height, whole }, rows, around) {
  if (whole == null) return height;
  const least = Math.max(FEWEST, Math.min(MOST, LETTER * rows));
  return Math.max(least, Math.min(HIGHEST, whole - around));
}

// width: the width of the view. heads: the width of the thumbnails. maps: the number of maps side by side. high: the
// height of the window. whole: the height that is left for the maps with their labels, or null; then it follows
// from `high`. Returns whether there is room for the links, the width of a map, the height of its cells, and `whole`.
export function roomOf(width, heads, maps, high, whole = null) {
  const narrow = isNarrow(width, maps);
  const beside = narrow || !heads ? 0 : heads + GAP;
  const count = narrow ? 1 : maps;
  const all = (width - beside) / count - GAP;
  const less = all - LINKS / count;
  const hasLinks = less >= Math.min(LARGE, whole ?? LARGE);
  const height = Math.max(LOWEST, Math.min(HIGHEST, high - AROUND));
  return { hasLinks, width: hasLinks ? less : all, height, whole };
}
