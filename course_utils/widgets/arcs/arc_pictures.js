// The picture of each step from a weight down to its numbers, as a DOM element. An arc is as in arc_steps.js, and has
// three more properties: colours (a palette of signed numbers), dark (whether the page is) and width (in px).
// What has the attribute data-key or data-feature chooses that key or feature when it is clicked.

import { paint } from "../maps/heatmap.js";
import { colourOf, css } from "../shared/colours.js";
import { heard, make } from "../shared/elements.js";
import { sum } from "../shared/numbers.js";
import { END, MARK, MIDDLE, escaped, marked, rect, short, svg, text, widthOf } from "../shared/svg.js";
import { say } from "../shared/words.js";
import { written } from "./arc_steps.js";
import { delivered, inputOf, keyOf, lengthOf, products, queryOf } from "./head_numbers.js";
import { runningSums, scores, terms, weightOf } from "./head_numbers.js";

const SHOWN = { share: 10, delivered: 6 }; // how many words have a row of their own
const CELL = 18; // px: the height of a strip of numbers
const BARS = 150; // px: the height of the bars that add up
const LETTER = 7; // px: the width of a letter in a picture
const POSITIVE = "var(--av-chosen)";
const NEGATIVE = "var(--av-negative)";

const drawn = (width, height, inner) => {
  const picture = make("div");
  picture.innerHTML = svg(width, height, inner);
  return picture;
};

const line = (path, opacity, more = "") =>
  `<path d="${path}" fill="none" stroke="currentColor" stroke-opacity="${opacity}" ${more}/>`;

// Return the indices of the largest numbers in their order, with that of one more, `kept`, among them.
function most(values, count, kept) {
  const order = values.map((_, i) => i).sort((a, b) => (b === kept) - (a === kept) || values[b] - values[a]);
  return order.slice(0, count).sort((a, b) => a - b);
}

const othersOf = ({ length }) => say("{number} others", { number: length });

// Return a table as an element. head: the names of the columns. rows: { cells, an array of HTML; key, or null }.
function table(caption, head, rows, chosen) {
  const element = make("table", { class: "av-arc-table" });
  const row = ({ cells: [first, ...rest], key }) => {
    const how = key == null ? "" : ` data-key="${key}"${key === chosen ? ' class="av-arc-chosen"' : ""}`;
    return `<tr${how}><th scope="row">${first}</th>${rest.map((cell) => `<td>${cell}</td>`).join("")}</tr>`;
  };
  const names = head.map((name) => (name ? `<th scope="col">${name}</th>` : "<td></td>")).join("");
  element.innerHTML =
    `<caption class="av-heard">${escaped(caption)}</caption><thead><tr>${names}</tr></thead>` +
    `<tbody>${rows.map(row).join("")}</tbody>`;
  return element;
}

// Softmax: the row of the query as a table, with a bar for e to the power of each score.
function shareTable({ numbers, weights, query, key, names }) {
  const row = scores(numbers, query);
  const exps = row.map(Math.exp);
  const largest = Math.max(...exps);
  const shown = most(weights, SHOWN.share, key);
  const bar = (exp) => `<i style="--share:${(exp / largest).toFixed(4)}"></i><span>${written(exp)}</span>`;
  const rows = shown.map((i) => {
    return { key: i, cells: [escaped(names.keys[i]), written(row[i]), bar(exps[i]), written(weights[i])] };
  });
  const others = row.map((_, i) => i).filter((i) => !shown.includes(i));
  const of = (values) => sum(others.map((i) => values[i]));
  if (others.length) rows.push({ cells: [othersOf(others), "", bar(of(exps)), written(of(weights))] });
  rows.push({ cells: [say("all"), "", `<span>${written(sum(exps))}</span>`, written(sum(weights))] });
  const head = ["", say("score"), say("e to that power"), say("share")];
  return table(say("The row of {query}", names), head, rows, key);
}

// The scores of the row on a line, from the smallest to the largest.
function scoreLine({ numbers, weights, query, key, names, width }) {
  const row = scores(numbers, query);
  const [low, high] = [Math.min(0, ...row), Math.max(0, ...row)];
  const side = 34;
  const x = (score) => side + ((score - low) / (high - low || 1)) * (width - 2 * side);
  const [ground, taken] = [96, []];
  const order = most(weights, row.length, key).sort((a, b) => (b === key) - (a === key) || row[b] - row[a]);
  const dots = order.map((i) => {
    const name = short(names.keys[i]);
    const half = (widthOf(name) * LETTER) / 2 + 3;
    const at = Math.min(Math.max(x(row[i]), half), width - half);
    // A name stands in the lowest line that has room for it; a fifth line would take more than it tells.
    const free = (level) => taken.every(([l, from, to]) => l !== level || at + half < from || at - half > to);
    const level = [0, 1, 2, 3].find(free);
    if (level != null) taken.push([level, at - half, at + half]);
    const top = ground - 14 - 18 * level;
    const label =
      level == null
        ? ""
        : line(`M${x(row[i])} ${ground - 5}V${top + 4}`, 0.35) +
          text(at, top, name, `${MIDDLE}${i === key ? ' font-weight="bold"' : ""}`);
    const look = i === key ? `r="7" fill="${POSITIVE}"` : 'r="4" fill-opacity=".55"';
    return `<g data-key="${i}">${label}<circle cx="${x(row[i])}" cy="${ground}" ${look}/></g>`;
  });
  const axis = line(`M${x(low)} ${ground}H${x(high)}`, 0.5);
  const end = (score) => text(x(score), ground + 24, written(score), MIDDLE);
  const apart = [low, high, 0].filter((score, i) => i < 2 || Math.min(x(0) - x(low), x(high) - x(0)) > 50);
  return drawn(width, ground + 30, axis + dots.reverse().join("") + apart.map(end).join(""));
}

// A strip of numbers as coloured cells. Returns SVG. top: its upper edge.
function strip({ colours, dark, feature }, values, width, top, high = Math.max(...values.map(Math.abs))) {
  const cell = width / values.length;
  const cells = Array.from(values, (value, i) => {
    const fill = css(colourOf({ colours, dark, low: -high, high: high || 1 }, value));
    return rect(i * cell, top, cell + 0.3, CELL, `fill="${fill}" data-feature="${i}"`);
  });
  return cells.join("") + (feature == null ? "" : marked(feature * cell, top, cell, CELL, 2));
}

// The products of query and key as bars that add up: each begins where the one before it ends.
function productBars(arc) {
  const { numbers, query, key, feature, names, width } = arc;
  const all = products(numbers, query, key);
  const sums = runningSums(all);
  const [low, high] = [Math.min(...sums), Math.max(...sums)];
  const top = 2 * (CELL + 22) + 16;
  const y = (value) => top + ((high - value) / (high - low || 1)) * BARS;
  const cell = width / all.length;
  const hasRoom = cell >= 22;
  const bars = all.map((value, i) => {
    const [from, to] = [y(sums[i]), y(sums[i + 1])];
    const look = `fill="${value < 0 ? NEGATIVE : POSITIVE}"${i === feature ? "" : ' fill-opacity=".6"'}`;
    const bar = rect(i * cell + 1, Math.min(from, to), cell - 2, Math.max(1, Math.abs(to - from)), look);
    const join = line(`M${i * cell + 1} ${to}H${Math.min(width, (i + 2) * cell - 1)}`, 0.4);
    const isTold = hasRoom && Math.abs(value) > 0.05 * (high - low);
    const tenths = value.toFixed(1).replace("-", "−");
    const told = isTold ? text((i + 0.5) * cell, Math.min(from, to) - 3, tenths, MIDDLE) : "";
    const target = rect(i * cell, top, cell, BARS, 'fill="none" pointer-events="all"');
    return `<g data-feature="${i}">${target}${bar}${join}${told}</g>`;
  });
  const mark = rect(feature * cell, top - 12, cell, BARS + 14, `fill="${MARK}" fill-opacity=".12"`);
  const zero = line(`M0 ${y(0)}H${width}`, 0.5, 'stroke-dasharray="2 3"');
  const together = say("together {sum}", { sum: written(sums.at(-1)) });
  const total = text(width - 2, top + BARS + 18, together, `${END} font-weight="bold"`);
  const parts = [
    text(0, 13, say("query of {name}", { name: short(names.query) })),
    strip(arc, queryOf(numbers, query), width, 18),
    text(0, CELL + 35, say("× key of {name}", { name: short(names.keys[key]) })),
    strip(arc, keyOf(numbers, key), width, CELL + 40),
    mark,
    zero,
    ...bars,
    text(0, top + BARS + 18, say("= their products, added up")),
    total,
  ];
  const picture = drawn(width, top + BARS + 24, parts.join(""));
  const lines = all.map((value, i) => {
    const parts = [queryOf(numbers, query)[i], keyOf(numbers, key)[i], value, sums[i + 1]];
    return { cells: [i, ...parts.map(written)] };
  });
  const head = [say("number"), say("query"), say("key"), say("product"), say("sum so far")];
  picture.append(heard(table(say("The products"), head, lines)));
  return picture;
}

const spread = (values) => 3 * Math.sqrt(sum(Array.from(values, (value) => value * value)) / values.length);

// The token's vector, W_query with one row framed, their products as a running sum, and the query.
function queryPicture(arc) {
  const { numbers, query, feature, names, colours, dark, width } = arc;
  const map = (values, rows, height) => {
    const canvas = make("canvas", { style: `width:${width}px;height:${height}px`, "aria-hidden": "true" });
    const high = spread(values);
    paint(canvas, { values, start: 0, rows, columns: numbers.width, colours, dark, low: -high, high });
    return canvas;
  };
  const tall = 3 * numbers.dim;
  const label = (textContent) => make("small", { textContent });
  const frame = make("div", { class: "av-arc-row", style: `top:${3 * feature - 1}px;height:5px` });
  const sums = runningSums([...terms(numbers, query, feature), numbers.bias[feature]]);
  const [low, high] = [Math.min(...sums), Math.max(...sums)];
  const room = 70;
  const x = (i) => (i / (sums.length - 1)) * (width - 6);
  const y = (value) => 6 + ((high - value) / (high - low || 1)) * (room - 12);
  const points = sums.map((value, i) => `${x(i).toFixed(1)} ${y(value).toFixed(1)}`).join("L");
  const last = sums.at(-1);
  const curve = drawn(
    width,
    room,
    line(`M0 ${y(0)}H${width}`, 0.5, 'stroke-dasharray="2 3"') +
      `<path d="M${points}" fill="none" stroke="${POSITIVE}" stroke-width="1.5"/>` +
      `<circle cx="${x(sums.length - 1)}" cy="${y(last)}" r="5" fill="${POSITIVE}"/>`,
  );
  const sizes = { query: names.query, width: numbers.width, dim: numbers.dim, feature, last: written(last) };
  return make(
    "div",
    { class: "av-arc-strips" },
    label(say("the vector of {query}, {width} numbers", sizes)),
    map(inputOf(numbers, query), 1, CELL),
    label(say("× W_query, {dim} rows of {width}; row {feature} is framed", sizes)),
    make("div", { class: "av-map" }, map(numbers.weight, numbers.dim, tall), frame),
    label(say("= {width} products, added up one after the other, and the bias: {last}", sizes)),
    curve,
    label(say("the query of {query}, {dim} numbers; number {feature} is framed", sizes)),
    drawn(width, CELL + 2, strip(arc, queryOf(numbers, query), width, 1)),
  );
}

// What the keys with the largest weights deliver: weight times value, and the sum of all.
function deliveredTable(arc) {
  const { numbers, weights, key, names, width } = arc;
  const parts = weights.map((weight, i) => delivered(numbers, i, weight));
  const lengths = parts.map(lengthOf);
  const whole = parts[0].map((_, i) => sum(parts.map((part) => part[i])));
  const high = Math.max(...whole.map(Math.abs));
  const across = Math.max(90, width - 235);
  const picture = (values) => svg(across, CELL, strip({ ...arc, feature: null }, values, across, 0, high));
  const shown = most(weights, SHOWN.delivered, key);
  const rows = shown.map((i) => {
    return { key: i, cells: [escaped(names.keys[i]), written(weights[i]), picture(parts[i]), written(lengths[i])] };
  });
  const others = parts.filter((_, i) => !shown.includes(i));
  if (others.length) {
    const together = whole.map((_, i) => sum(others.map((part) => part[i])));
    rows.push({ cells: [othersOf(others), "", picture(together), written(lengthOf(together))] });
  }
  rows.push({ cells: [say("all"), "", picture(whole), written(lengthOf(whole))] });
  const head = ["", say("weight"), say("× value, {dim} numbers", numbers), say("length")];
  return table(say("What is delivered to {query}", names), head, rows, key);
}

export const PICTURES = {
  share: shareTable,
  score: scoreLine,
  products: productBars,
  query: queryPicture,
  delivered: deliveredTable,
};
