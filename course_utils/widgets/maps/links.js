// The links of a HeadsPanel: lines from the chosen query to the keys, thicker for larger weights.

import { clamp } from "../shared/numbers.js";
import { END, MARK, short, svg, text } from "../shared/svg.js";

const WIDTH = 212;
const FROM = 78; // where the names of the queries end
const TO = 134; // where the names of the keys begin
const MOST = 400; // px: the largest height
const LETTER = 14; // the height of a name
const NEGATIVE = "var(--av-negative)"; // the colour of a negative difference

// Return the links of the chosen row of a map as SVG text. map: as Heatmap.show takes it. most: the height that they
// may have, in px, or null.
export function linksPicture(map, most) {
  const { rows, columns, rowNames, columnNames, row, column } = map;
  const height = Math.max(60, Math.min(most ?? MOST, MOST, 22 * Math.max(rows, columns)));
  const parts = [
    ...lines(map, height),
    ...names(rowNames, height, FROM, END, row),
    ...names(columnNames, height, TO, "", column),
  ];
  return svg(WIDTH, height, parts.join(""));
}

// Return the row of the query at (x, y) px from the left and top of the picture, or null if no query is there.
export function queryAt(x, y, height, rows) {
  return x < 100 ? clamp(Math.floor((y / height) * rows), rows) : null;
}

const middle = (i, count, height) => ((i + 0.5) * height) / count;

function lines({ values, start, rows, columns, row, high }, height) {
  const y = middle(row, rows, height);
  return Array.from({ length: columns }, (_, column) => {
    const weight = values[start + row * columns + column];
    const share = Math.min(1, Math.abs(weight) / high) || 0; // a share of the largest weight; 0 for nan
    if (share < 0.01) return "";
    const path = `M${FROM + 4} ${y}L${TO - 4} ${middle(column, columns, height)}`;
    const look = `stroke-width="${1 + 7 * share}" opacity="${0.15 + 0.85 * share}"`;
    return `<path d="${path}" stroke="${weight < 0 ? NEGATIVE : MARK}" ${look}/>`;
  });
}

// Return the names as SVG texts; if there is no room for all, only every n-th, and the chosen one.
function names(all, height, x, anchor, chosen) {
  const every = Math.ceil((LETTER * all.length) / height);
  return all.map((name, i) => {
    if (i % every && i !== chosen) return "";
    const more = i === chosen ? `${anchor} font-weight="bold"` : anchor;
    return text(x, middle(i, all.length, height) + 4, short(name), more);
  });
}
