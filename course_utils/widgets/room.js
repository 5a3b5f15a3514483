// The layout of a HeadsPanel: how much room its maps have. Widths and heights are in px.

const NARROW = 560; // in a view narrower than this, the heads stand in one line above the map
const MEDIUM = 860; // in a view narrower than this, the heads are small
const GAP = 14;
const LINKS = 226; // the width of the links, with their gap
const LARGE = 380; // a map beside the links must be at least as wide as this
const [LOWEST, HIGHEST] = [130, 470]; // px: the limits for the height of a map
const AROUND = 330; // the height that JupyterLab and the view take above and below the cells of a map

export const isNarrow = (width) => width < NARROW;
export const hasSmallHeads = (width) => width < MEDIUM;

// Return the height of the window, or the CSS variable --av-high if the page sets it, as a slide of fixed height does.
export const heightAround = (element) => Number(getComputedStyle(element).getPropertyValue("--av-high")) || innerHeight;

// Return the number of columns in which the thumbnails of some heads are arranged.
export function columnsFor(heads) {
  if (heads > 16) return 12;
  if (heads > 9 || heads % 4 === 0) return 4;
  return Math.min(heads, 3);
}

// width: the width of the view. heads: the width of the thumbnails. maps: the number of maps side by side. high: the
// height of the window. Returns whether there is room for the links, the width of a map, and the height of its cells.
export function roomOf(width, heads, maps, high) {
  const beside = isNarrow(width) || !heads ? 0 : heads + GAP;
  const count = isNarrow(width) ? 1 : maps;
  const whole = (width - beside) / count - GAP;
  const less = whole - LINKS / count;
  const hasLinks = less >= LARGE;
  return { hasLinks, width: hasLinks ? less : whole, height: Math.max(LOWEST, Math.min(HIGHEST, high - AROUND)) };
}
