// The panel of attention heads: a thumbnail of each head on one scale, a large heatmap of the chosen head, and lines
// from the chosen query to the keys.

import { button, checkbox, make, select } from "../shared/elements.js";
import { clamp, rounded, rowOf, sum } from "../shared/numbers.js";
import { hasSmallHeads, headSide, heightAround, heightLeft, isNarrow, roomOf, watchRoom } from "../shared/room.js";
import { theme } from "../shared/theme.js";
import { axisName, say } from "../shared/words.js";
import { Heatmap } from "./heatmap.js";
import { linksPicture, queryAt } from "./links.js";
import { Thumbs } from "./thumbs.js";

const [FIRST, SECOND, BOTH, DIFFERENCE] = [0, 1, 2, 3]; // what to show of two runs: the mode of a panel
const MODE_NAMES = [say("first"), say("second"), say("side by side"), say("difference")];

const namesOf = ({ shape, tokens, keyTokens }) => JSON.stringify([shape, tokens, keyTokens]);

export class HeadsPanel {
  // state: shape [layers, heads, rows, columns]; tokens, keyTokens; values, and other, those of a second run or null;
  // high, the largest weight, and spread, the largest difference; colours, and diverging, the palettes of weights and
  // of differences; axis and positions, the name of the layers and their labels.
  // choice: layer, head and query. onPick(choice): called when the reader chooses in this panel. An owner can also set
  // onPainted(), which is called after every painting.
  constructor(state, choice, onPick) {
    Object.assign(this, { state, onPick, mode: FIRST }, choice);
    this.theme = theme(() => {
      this.paintThumbs();
      this.refit();
    });
    const onCell = (cell, how) => this.onCell(cell, how);
    this.main = new Heatmap(onCell);
    this.second = new Heatmap(onCell);
    this.thumbs = new Thumbs((head) => this.pick({ head }));
    this.links = make("div", { class: "av-links", onclick: (event) => this.onLink(event) });
    this.status = make("p", { class: "av-status", role: "status" });
    this.queryPlace = make("span");
    this.bar = make("div", { class: "av-bar" }, this.queryPlace);
    if (state.other) this.bar.append(select(say("show"), MODE_NAMES, (mode) => this.setMode(mode)));
    this.bar.append(this.more(state.shape[1] > 1));
    const maps = [this.main.element, this.second.element];
    this.body = make("div", { class: "av-body" }, this.thumbs.element, ...maps, this.links);
    this.line = make("div", { class: "av-line" }, this.status);
    this.element = make("div", {}, this.bar, this.line, this.body);
    this.unwatch = watchRoom(this.element, () => this.fit());
    this.build();
  }

  // Create what few readers need, behind a "…": the entropy of each head, if there are several, and saving a picture.
  more(hasThumbs) {
    const label = say("More: entropy of the heads, saving a picture");
    const name = { title: say("More: entropy, saving"), "aria-label": label };
    const withEntropy = (on) => this.thumbs.element.classList.toggle("av-with-entropy", on);
    const saving = ["png", "svg"].map((kind) =>
      button(kind.toUpperCase(), say("Save the chosen head as {kind}", { kind }), () => this.main.save(kind)),
    );
    const parts = [...(hasThumbs ? [checkbox(say("entropy of each head"), withEntropy)] : []), ...saving];
    return make("details", { class: "av-more" }, make("summary", { textContent: "…", ...name }), ...parts);
  }

  leave() {
    this.theme.leave();
    this.unwatch();
  }

  // Lay the panel out for its present width: the maps take the room that the thumbnails leave, and the links are shown
  // only if the maps beside them stay large.
  fit() {
    const width = this.element.clientWidth;
    const high = heightAround(this.element);
    const left = heightLeft(this.body);
    if (!width || (width === this.width && high === this.high && left === this.left)) return;
    [this.width, this.high, this.left] = [width, high, left];
    const maps = this.body.querySelectorAll(".av-map:not([hidden])").length;
    const narrow = isNarrow(width, maps);
    this.element.classList.toggle("av-narrow", narrow);
    this.element.classList.toggle("av-small-heads", hasSmallHeads(width));
    this.thumbs.fit(left == null || narrow ? null : headSide(this.state.shape[1], left));
    const line = left != null && narrow ? this.thumbs.element.offsetHeight : 0; // the heads above the map
    this.room = roomOf(width, this.thumbs.element.offsetWidth, maps, high, left == null ? null : left - line);
    this.links.hidden = !this.room.hasLinks;
    this.refit();
    this.thumbs.scrollTo(this.head);
  }

  // Lay out again although the width is the same: other heads, or another number of maps, leave other room.
  fitAnew() {
    this.width = null;
    this.fit();
  }

  // Build the elements that depend on the number of heads and on the tokens.
  build() {
    const { shape, tokens } = this.state;
    this.thumbs.build(shape[1]);
    const queries = tokens.map((token, i) => `${i} ${token}`);
    this.querySelect = select(say("query"), queries, (query) => this.pick({ query }));
    this.queryPlace.replaceChildren(this.querySelect);
    this.paintThumbs();
  }

  // Show a choice of the reader, and report it to onPick; choose() only shows one that was made elsewhere.
  pick(choice) {
    this.choose(choice);
    this.onPick?.(choice);
  }

  choose(choice) {
    const { layer } = this;
    Object.assign(this, choice, { hover: null });
    if (this.layer === layer) this.thumbs.mark(this.head);
    else this.paintThumbs();
    this.paintMain();
  }

  setMode(mode) {
    this.mode = mode;
    this.paintThumbs();
    this.paintMain();
    this.fitAnew();
  }

  // Paint the maps after a change of room or theme; a view that adds a map of its own replaces this method.
  refit() {
    this.paintMain();
  }

  // Return what a mode shows of a head, as the argument of Heatmap.show.
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
    if (layers > 1) place.push(say("{axis} {number}", { axis: axisName(axis), number: positions[this.layer] }));
    if (heads > 1) place.push(say("head {head}", { head }));
    const title = place.join(say(", ")) || say("attention");
    return this.mode === FIRST ? title : say("{title}: {mode}", { title, mode: MODE_NAMES[mode] });
  }

  // The mode of the thumbnails and of the main map: if both runs are shown, these show the first.
  get mainMode() {
    return this.mode === BOTH ? FIRST : this.mode;
  }

  // The run that is shown alone, or beside the other: 0 or 1; null if their difference is shown.
  get run() {
    return this.mode === DIFFERENCE ? null : Number(this.mode === SECOND);
  }

  paintThumbs() {
    this.thumbs.paint((head) => this.map(this.mainMode, head), this.mode !== DIFFERENCE);
    this.thumbs.mark(this.head);
  }

  paintMain() {
    const isBoth = this.mode === BOTH;
    this.second.element.hidden = !isBoth;
    this.main.show(this.map(this.mainMode));
    if (isBoth) this.second.show(this.map(SECOND));
    this.querySelect.put(this.query);
    this.links.innerHTML = linksPicture(this.main.map, this.room?.whole);
    this.status.textContent = this.summary();
    this.onPainted?.();
  }

  onLink({ clientX, clientY }) {
    const { left, top, height } = this.links.firstChild.getBoundingClientRect();
    const query = queryAt(clientX - left, clientY - top, height, this.main.map.rows);
    if (query != null) this.pick({ query });
  }

  onCell(cell, how) {
    if (how !== "hover") {
      if (cell) this.pick({ query: cell.row, column: cell.column });
    } else if (cell?.row !== this.hover?.row || cell?.column !== this.hover?.column) {
      this.hover = cell;
      this.paintMain();
    }
  }

  // Return the status text: the chosen cell, and what is unusual about the weights.
  summary() {
    const { values, start, rows, columns, rowNames, columnNames, row, column } = this.main.map;
    const total = sum(rowOf(this.main.map, row));
    const missing = values.slice(start, start + rows * columns).filter(Number.isNaN).length;
    const parts = [say("query {name}", { name: rowNames[row] })];
    if (column != null) parts.push(`→ ${columnNames[column]} ${rounded(this.main.at(row, column))}`);
    if (this.mode !== DIFFERENCE) parts.push(say("· row sum {sum}", { sum: rounded(total) }));
    const isOff = Math.abs(total - 1) > 0.02;
    if (this.mode !== DIFFERENCE && isOff) parts.push(say("(not 1: dropped, masked or not normalised)"));
    if (missing) parts.push(say("· {missing} nan, in grey", { missing }));
    return parts.join(" ");
  }

  // Replace the weights; the choice stays, and is clamped to the new shape.
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
