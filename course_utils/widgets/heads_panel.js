// Many heads on one scale, the chosen one large, its chosen query as lines to the keys.

import { button, make, select } from "./elements.js";
import { Heatmap, paint } from "./heatmap.js";
import { arrow } from "./keys.js";
import { linksPicture, queryAt } from "./links.js";
import { clamp, entropy, rounded } from "./numbers.js";
import { columnsFor, hasSmallHeads, heightAround, isNarrow, roomOf } from "./room.js";
import { theme } from "./theme.js";

export const FIRST = "first";
const [SECOND, BOTH, DIFFERENCE] = ["second", "side by side", "difference"];
const MODES = [FIRST, SECOND, BOTH, DIFFERENCE]; // what is shown of two runs

const namesOf = ({ shape, tokens, keyTokens }) => JSON.stringify([shape, tokens, keyTokens]);

export class HeadsPanel {
  // state: shape [layers, heads, rows, columns], tokens, keyTokens, values, other, high, spread, colours, diverging,
  // axis, positions; choice: layer, head, query; onPick(choice), where the reader chose; onPainted()
  constructor(state, choice, onPick) {
    Object.assign(this, { state, onPick, mode: FIRST }, choice);
    this.theme = theme(() => this.paint());
    const onCell = (cell, how) => this.onCell(cell, how);
    this.main = new Heatmap(onCell);
    this.second = new Heatmap(onCell);
    this.thumbs = make("div", { class: "av-heads", role: "radiogroup", "aria-label": "Head" });
    this.links = make("div", { class: "av-links", onclick: (event) => this.onLink(event) });
    this.status = make("p", { class: "av-status", role: "status" });
    this.queryPlace = make("span");
    this.bar = make("div", { class: "av-bar" }, this.queryPlace);
    if (state.other) this.bar.append(select("show", MODES, 0, (index) => this.setMode(MODES[index])));
    this.bar.append(this.saveButton("png"), this.saveButton("svg"));
    const maps = [this.main.element, this.second.element];
    this.body = make("div", { class: "av-body" }, this.thumbs, ...maps, this.links);
    this.element = make("div", {}, this.bar, this.status, this.body);
    this.watcher = new ResizeObserver(() => this.fit());
    this.watcher.observe(this.element);
    this.resized = () => this.fit();
    addEventListener("resize", this.resized);
    this.build();
  }

  leave() {
    this.theme.leave();
    this.watcher.disconnect();
    removeEventListener("resize", this.resized);
  }

  saveButton(kind) {
    return button(kind.toUpperCase(), `Save the chosen head as ${kind}`, () => this.main.save(kind));
  }

  // The maps take the room that the heads leave. The links stand beside them only where a map stays large.
  fit() {
    const width = this.element.clientWidth;
    const high = heightAround(this.element);
    if (!width || (width === this.width && high === this.high)) return;
    [this.width, this.high] = [width, high];
    this.element.classList.toggle("av-narrow", isNarrow(width));
    this.element.classList.toggle("av-small-heads", hasSmallHeads(width));
    const maps = this.body.querySelectorAll(".av-map:not([hidden])").length;
    this.room = roomOf(width, this.thumbs.offsetWidth, maps, high);
    this.links.hidden = !this.room.hasLinks;
    this.refit();
    const chosen = this.buttons[this.head]; // heads in one line: the chosen one is in sight
    this.thumbs.scrollLeft = chosen.offsetLeft - this.thumbs.offsetLeft - chosen.offsetWidth;
  }

  // With other heads, or another number of maps, there is other room.
  fitAnew() {
    this.width = null;
    this.fit();
  }

  // What depends on the number of heads and on the tokens.
  build() {
    const { shape, tokens } = this.state;
    const heads = shape[1];
    this.thumbs.hidden = heads < 2;
    this.columns = columnsFor(heads);
    this.thumbs.style.gridTemplateColumns = `repeat(${this.columns},auto)`;
    this.buttons = Array.from({ length: heads }, (_, head) => this.thumb(head));
    this.thumbs.replaceChildren(...this.buttons, make("small", { textContent: "head, and its entropy" }));
    const queries = tokens.map((token, i) => `${i} ${token}`);
    this.querySelect = select("query", queries, this.query, (query) => this.pick({ query }));
    this.queryPlace.replaceChildren(this.querySelect);
    this.paintThumbs();
  }

  thumb(head) {
    const canvas = make("canvas");
    const caption = make("span");
    const onclick = () => this.pick({ head });
    const element = make("button", { type: "button", role: "radio", onclick }, canvas, caption);
    element.onkeydown = (event) => {
      const step = arrow(event);
      const next = step && head + step[0] * this.columns + step[1];
      if (!this.buttons[next]) return;
      this.buttons[next].focus(); // first: it lays out all that has changed
      this.pick({ head: next });
    };
    return Object.assign(element, { canvas, caption });
  }

  // The reader's choice; one that was made elsewhere is only shown.
  pick(choice) {
    this.choose(choice);
    this.onPick?.(choice);
  }

  choose(choice) {
    const { layer } = this;
    Object.assign(this, choice, { hover: null });
    if (this.layer === layer) this.markThumbs();
    else this.paintThumbs();
    this.paintMain();
  }

  setMode(mode) {
    this.mode = mode;
    this.paint();
    this.fitAnew();
  }

  // Once the room is known; a view with a map of its own beside these draws that, too.
  refit() {
    this.paintMain();
  }

  paint() {
    this.paintThumbs();
    this.paintMain();
  }

  // What a mode shows of a head, as a Heatmap takes it.
  map(mode, head = this.head) {
    const { state } = this;
    const [, heads, rows, columns] = state.shape;
    const map = {
      values: mode === SECOND ? state.other : state.values,
      start: (this.layer * heads + head) * rows * columns,
      rows,
      columns,
      rowNames: state.tokens,
      columnNames: state.keyTokens,
      title: this.title(mode, head),
      colours: state.colours,
      dark: this.theme.dark,
      low: 0,
      high: state.high,
      room: this.room,
      row: this.hover?.row ?? this.query,
      column: (this.hover ?? this).column,
    };
    if (mode !== DIFFERENCE) return map;
    state.difference ??= state.other.map((value, i) => value - state.values[i]);
    return { ...map, values: state.difference, colours: state.diverging, low: -state.spread, high: state.spread };
  }

  title(mode, head) {
    const { shape, axis, positions } = this.state;
    const [layers, heads] = shape;
    const place = [];
    if (layers > 1) place.push(`${axis} ${positions[this.layer]}`);
    if (heads > 1) place.push(`head ${head}`);
    return (place.join(", ") || "attention") + (this.mode === FIRST ? "" : `: ${mode}`);
  }

  // Where both runs are shown, the thumbs and the large picture show the first of them.
  get mainMode() {
    return this.mode === BOTH ? FIRST : this.mode;
  }

  paintThumbs() {
    this.buttons.forEach((element, head) => {
      const map = this.map(this.mainMode, head);
      paint(element.canvas, map);
      const told = this.mode === DIFFERENCE ? "" : rounded(entropy(map));
      element.caption.replaceChildren(`${head}`, make("small", { textContent: told }));
      element.setAttribute("aria-label", `head ${head}` + (told && `, entropy ${told}`));
    });
    this.markThumbs();
  }

  markThumbs() {
    this.buttons.forEach((element, head) => {
      element.setAttribute("aria-checked", head === this.head);
      element.tabIndex = head === this.head ? 0 : -1;
    });
  }

  paintMain() {
    const isBoth = this.mode === BOTH;
    this.second.element.hidden = !isBoth;
    this.main.show(this.map(this.mainMode));
    if (isBoth) this.second.show(this.map(SECOND));
    this.querySelect.input.selectedIndex = this.query;
    this.links.innerHTML = linksPicture(this.main.map);
    this.status.textContent = this.told();
    this.onPainted?.();
  }

  onLink({ clientX, clientY }) {
    const { left, top, height } = this.links.firstChild.getBoundingClientRect();
    const query = queryAt(clientX - left, clientY - top, height, this.main.map.rows);
    if (query != null) this.pick({ query });
  }

  onCell(cell, how) {
    if (how === "hover") return this.onHover(cell);
    if (cell) this.pick({ query: cell.row, column: cell.column });
  }

  onHover(cell) {
    if (cell?.row === this.hover?.row && cell?.column === this.hover?.column) return;
    this.hover = cell;
    this.paintMain();
  }

  // The chosen cell in words, and what is wrong with the weights.
  told() {
    const { values, start, rows, columns, rowNames, columnNames, row, column } = this.main.map;
    let sum = 0;
    for (let i = 0; i < columns; i++) sum += this.main.at(row, i);
    let missing = 0;
    for (let i = start; i < start + rows * columns; i++) missing += Number.isNaN(values[i]);
    const parts = [`query ${rowNames[row]}`];
    if (column != null) parts.push(`→ ${columnNames[column]} ${rounded(this.main.at(row, column))}`);
    if (this.mode !== DIFFERENCE) parts.push(`· row sum ${rounded(sum)}`);
    const isOff = Math.abs(sum - 1) > 0.02;
    if (this.mode !== DIFFERENCE && isOff) parts.push("(not 1: dropped, masked or not normalised)");
    if (missing) parts.push(`· ${missing} nan, in grey`);
    return parts.join(" ");
  }

  // New weights in the same view; the choice stays where it still exists.
  load(state) {
    const before = namesOf(this.state);
    Object.assign(this.state, state, { difference: null });
    const [layers, heads, rows, columns] = this.state.shape;
    this.layer = clamp(this.layer, layers);
    this.head = clamp(this.head, heads);
    this.query = clamp(this.query, rows);
    if (this.column != null) this.column = clamp(this.column, columns);
    this.hover = null;
    if (namesOf(this.state) === before) this.paintThumbs();
    else {
      this.build();
      this.fitAnew();
    }
    this.paintMain();
  }
}
