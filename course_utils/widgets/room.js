// How much room the maps of a panel have. Widths and heights in px.

const NARROW = 560; // of a view whose heads stand in one line above the map
const MEDIUM = 860; // of a view whose heads are small
const GAP = 14;
const LINKS = 226; // of the links, with their gap
const LARGE = 380; // of a map beside which links may stand
const [LOWEST, HIGHEST] = [130, 470]; // of a map's cells
const AROUND = 330; // of a window, what JupyterLab and the view have above and below the cells

export const isNarrow = (width) => width < NARROW;
export const hasSmallHeads = (width) => width < MEDIUM;

// How high the window is, or what the page around a view says instead: a slide is as high on any screen.
export const heightAround = (element) => Number(getComputedStyle(element).getPropertyValue("--av-high")) || innerHeight;

// In how many columns so many heads stand.
export function columnsFor(heads) {
  if (heads > 16) return 12;
  if (heads > 9 || heads % 4 === 0) return 4;
  return Math.min(heads, 3);
}

// width: of the view; heads: of what stands beside the maps; maps: how many stand side by side; high: the window.
// Returns whether the links have a place too, and the width of a map and the height of its cells.
export function roomOf(width, heads, maps, high) {
  const beside = isNarrow(width) || !heads ? 0 : heads + GAP;
  const count = isNarrow(width) ? 1 : maps;
  const whole = (width - beside) / count - GAP;
  const less = whole - LINKS / count;
  const hasLinks = less >= LARGE;
  return { hasLinks, width: hasLinks ? less : whole, height: Math.max(LOWEST, Math.min(HIGHEST, high - AROUND)) };
}
