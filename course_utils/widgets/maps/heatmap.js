// A matrix as coloured cells, with labels, numbers, marks and a scale.

import { colourOf, css, ink, wordOf } from "../shared/colours.js";
import { heard, make } from "../shared/elements.js";
import { arrow } from "../shared/keys.js";
import { clamp, rounded } from "../shared/numbers.js";
import { cellsHeight } from "../shared/room.js";
import { END, MIDDLE, escaped, marked, rect, short, svg, text, turned, widthOf } from "../shared/svg.js";
import { say } from "../shared/words.js";

// Sizes are in px, for a font size of LETTERS; most of them grow with the font size of the page.
const LETTERS = 13;
const TOP = 26; // room for the title
const UNDER = 8; // below the labels
const LARGEST_CELL = 52;
const CELL_WITH = { unsigned: 29, signed: 38, word: 34 }; // the smallest cells in which these are written
const SCALE = 64; // the width of the scale, with its numbers
const ROOM = { width: 440, height: 370 }; // the default width of the whole map, and the default height of its cells
const LETTER = 12; // the height of a label
const TELL_AFTER = 100; // ms after the last change before the table for screen readers is rebuilt

const roomFor = (names, scale) => 12 + 18 * scale + 7 * scale * Math.max(...names.map((name) => widthOf(short(name))));

// Paint the cells of a map, one pixel each, which CSS enlarges. Closed cells of a mask stay transparent, so that the
// hatching behind them shows.
export function paint(canvas, map) {
  const { values, start, rows, columns, isMask } = map;
  canvas.classList.toggle("av-mask-cells", Boolean(isMask));
  // Setting a size, even the same, empties a canvas, which costs time.
  if (canvas.width !== columns) canvas.width = columns;
  if (canvas.height !== rows) canvas.height = rows;
  const context = canvas.getContext("2d");
  const image = context.createImageData(columns, rows);
  const pixels = new Uint32Array(image.data.buffer);
  if (isMask) {
    const may = wordOf(getComputedStyle(canvas).color);
    for (let i = 0; i < pixels.length; i++) pixels[i] = values[start + i] ? may : 0;
  } else {
    for (let i = 0; i < pixels.length; i++) pixels[i] = colourOf(map, values[start + i]);
  }
  context.putImageData(image, 0, 0);
}

// A heatmap with its labels. A map, which show() takes, is an object with: values, a flat array from whose index start
// on the rows are read; rows, columns, their numbers; rowNames, columnNames, title; colours (a palette), dark, low and
// high; row and column, the marked cell, or null; say(value), which formats a value (default: two decimals); room, the
// width of the whole map and the height of its cells, in px; isMask, whether values are true and false.
export class Heatmap {
  // onCell(cell, how): called with { row, column }, or null outside the cells, when the pointer moves ("hover"), when
  // an arrow key is pressed ("key"), and for a click, Enter or the space bar ("pick").
  constructor(onCell) {
    this.cells = make("canvas");
    this.frame = make("div");
    this.picked = make("div", { class: "av-heatmap", role: "application", tabindex: 0 }, this.cells, this.frame);
    this.row = make("table");
    this.element = make("div", { class: "av-map" }, this.picked, heard(this.row));
    this.gradient = `av${Math.random()}`; // an id must be unique in the page
    this.picked.onpointermove = (event) => onCell(this.cellAt(event), "hover");
    this.picked.onpointerleave = () => onCell(null, "hover");
    this.picked.onclick = (event) => onCell(this.cellAt(event), "pick");
    this.picked.onkeydown = (event) => {
      const step = arrow(event);
      if (step) onCell(this.cellBeside(step), event.key.startsWith("Arrow") ? "key" : "pick");
    };
  }

  cellAt({ clientX, clientY }) {
    const { left, top, width, height } = this.cells.getBoundingClientRect();
    const { rows, columns } = this.map;
    const row = Math.floor(((clientY - top) / height) * rows);
    const column = Math.floor(((clientX - left) / width) * columns);
    return row >= 0 && row < rows && column >= 0 && column < columns ? { row, column } : null;
  }

  cellBeside([down, right]) {
    const { rows, columns, row, column } = this.map;
    return { row: clamp((row ?? 0) + down, rows), column: clamp((column ?? 0) + right, columns) };
  }

  show(map) {
    this.map = { say: rounded, ...map };
    const { rows, columns, rowNames, columnNames, room = ROOM } = map;
    if (this.element.isConnected) this.scale ??= parseFloat(getComputedStyle(this.element).fontSize) / LETTERS;
    const scale = this.scale ?? 1;
    const left = roomFor(rowNames, scale);
    const wide = (room.width - left - SCALE * scale) / columns;
    const below = roomFor(columnNames, scale);
    const high = cellsHeight(room, rows, TOP + below + UNDER);
    const cell = Math.max(1, Math.min(LARGEST_CELL * scale, wide, high / rows));
    this.box = { left, cell, width: cell * columns, height: cell * rows, below, scale };
    const { width, height } = this.box;
    paint(this.cells, map);
    this.cells.style.cssText = `left:${left}px;top:${TOP}px;width:${width}px;height:${height}px`;
    this.frame.innerHTML = this.picture();
    this.picked.setAttribute("aria-label", this.name());
    clearTimeout(this.telling); // wait: a table takes longer to lay out than a map, and nobody can listen that fast
    this.telling = setTimeout(() => this.tellRow(), TELL_AFTER);
  }

  at(row, column) {
    return this.map.values[this.map.start + row * this.map.columns + column];
  }

  name() {
    const { title, rows, columns, rowNames, columnNames, row, column } = this.map;
    let where = "";
    if (row != null) where += say(", {row}", { row: rowNames[row] });
    if (row != null && column != null) {
      const weight = this.map.say(this.at(row, column));
      where += say(" to {column}: {weight}", { column: columnNames[column], weight });
    }
    const places = { title, rows, columns, where };
    return say("Heatmap of {title}, {rows} queries by {columns} keys{where}. Arrow keys move.", places);
  }

  // Write the chosen row as a table for screen readers.
  tellRow() {
    const { values, start, row, columnNames, rowNames, title } = this.map;
    const shown = [values, start, row, title];
    if (shown.every((part, i) => part === this.shown?.[i])) return; // most moves of the pointer stay in the row
    this.shown = shown;
    const cell = (i) => `<td>${this.map.say(this.at(row, i))}</td>`;
    const weight = (name, i) => `<tr><th scope="row">${escaped(name)}</th>${cell(i)}</tr>`;
    const words = say("{title}, row of {row}", { title, row: rowNames[row] ?? "" });
    const caption = `<caption>${escaped(words)}</caption>`;
    this.row.innerHTML = row == null ? "" : caption + columnNames.map(weight).join("");
  }

  // Return the SVG of everything but the cells; behind: SVG to put behind it, such as the cells of a saved picture.
  picture(behind = "") {
    const { left, cell, width, height, below, scale } = this.box;
    const scaleLeft = left + width + 12;
    const scaleHeight = Math.max(height, 60);
    const parts = [
      `<title>${escaped(this.map.title)}</title>`,
      behind,
      text(left, 16, this.map.title, 'font-weight="bold"'),
      this.namesPicture(),
      this.map.isMask ? "" : this.scalePicture(scaleLeft, scaleHeight),
      this.hasNumbers() ? this.numbersPicture() : "",
      this.marksPicture(),
    ];
    return svg(scaleLeft + 52 * scale, TOP + Math.max(height + below, scaleHeight) + UNDER, parts.join(""));
  }

  hasNumbers() {
    const { low, isMask } = this.map;
    const kind = isMask ? "word" : low < 0 ? "signed" : "unsigned";
    return this.box.cell >= CELL_WITH[kind] * this.box.scale;
  }

  namesPicture() {
    const { left, cell, width, height, below, scale } = this.box;
    const { rowNames, columnNames, row, column } = this.map;
    // If cells are smaller than letters, only every n-th has a label, and the chosen one in place of its neighbours.
    const every = Math.ceil((LETTER * scale) / cell);
    const isLabelled = (i, chosen) => i === chosen || (i % every === 0 && !(Math.abs(i - chosen) < every));
    const along = (names, chosen, draw) => {
      return names.map((name, i) => (isLabelled(i, chosen) ? draw(short(name), (i + 0.5) * cell + 4) : "")).join("");
    };
    return [
      turned(4 + 8 * scale, TOP + height / 2, say("query"), MIDDLE),
      along(rowNames, row, (name, y) => text(left - 6, TOP + y, name, END)),
      text(left + width / 2, TOP + height + below, say("key"), MIDDLE),
      along(columnNames, column, (name, x) => turned(left + x, TOP + height + 6, name, END)),
    ].join("");
  }

  scalePicture(x, height) {
    const { low, high, say, colours, dark } = this.map;
    const colour = (i) => css(colours[dark ? "dark" : "light"][clamp(i * 32, 256)]);
    const stops = Array.from({ length: 9 }, (_, i) => `<stop offset="${i / 8}" stop-color="${colour(8 - i)}"/>`);
    return [
      `<linearGradient id="${this.gradient}" x2="0" y2="1">${stops.join("")}</linearGradient>`,
      rect(x, TOP, 10, height, `fill="url(#${this.gradient})"`),
      text(x + 14, TOP + 9, say(high)),
      text(x + 14, TOP + height, say(low)),
    ].join("");
  }

  numbersPicture() {
    const { left, cell } = this.box;
    const { map } = this;
    const number = (_, i) => {
      const value = map.values[map.start + i];
      const x = left + ((i % map.columns) + 0.5) * cell;
      const y = TOP + (Math.floor(i / map.columns) + 0.5) * cell + 4;
      const fill = map.isMask ? "currentColor" : ink(colourOf(map, value));
      return text(x, y, map.say(value), `${MIDDLE} fill="${fill}"`);
    };
    return Array.from({ length: map.rows * map.columns }, number).join("");
  }

  marksPicture() {
    const { left, cell, width } = this.box;
    const { row, column } = this.map;
    if (row == null) return "";
    const wholeRow = marked(left - 1, TOP + row * cell - 1, width + 2, cell + 2, 2);
    return column == null ? wholeRow : wholeRow + marked(left + column * cell, TOP + row * cell, cell, cell, 3);
  }

  // Download the map in the light theme, whatever the theme of the page. "svg" keeps lines and text sharp at any size;
  // "png" is the same picture, rendered at twice its size.
  save(kind) {
    const { map } = this;
    this.show({ ...map, dark: false });
    const address = "data:image/svg+xml," + encodeURIComponent(this.savedPicture());
    this.show(map);
    const download = (href) => make("a", { href, download: `attention.${kind}` }).click();
    if (kind === "svg") return download(address);
    const image = new Image();
    image.onload = () => {
      const canvas = make("canvas", { width: 2 * image.width, height: 2 * image.height });
      canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
      download(canvas.toDataURL());
    };
    image.src = address;
  }

  savedPicture() {
    const { left, width, height } = this.box;
    const paper = rect(0, 0, "100%", "100%", 'fill="#fff"');
    const place = `x="${left}" y="${TOP}" width="${width}" height="${height}"`;
    const look = 'preserveAspectRatio="none" style="image-rendering:pixelated"';
    const cells = `<image ${place} ${look} href="${this.cells.toDataURL()}"/>`;
    const frame = make("i", { style: "color-scheme: light" });
    this.element.append(frame);
    const resolved = (_, name) => {
      frame.style.color = `var(${name})`;
      return getComputedStyle(frame).color;
    };
    const picture = this.picture(paper + cells).replace(/var\((--[\w-]+)\)/g, resolved);
    frame.remove();
    return picture.replace("currentColor", "#111").replace("<svg ", '<svg font-family="system-ui,sans-serif" ');
  }
}
