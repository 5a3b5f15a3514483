// Many heads on one scale, the chosen one large, its chosen query as lines to the keys.

const MODES = ["first", "second", "side by side", "difference"];

// Mean over the rows of -w log w, in nats; rows that hold nan are left out.
function entropy({ values, start, rows, columns }) {
	let total = 0, counted = 0;
	for (let first = start; first < start + rows * columns; first += columns) {
		let row = 0;
		for (let i = first; i < first + columns; i++) row -= values[i] > 0 ? values[i] * Math.log(values[i]) : values[i] * 0;
		if (row === row) (total += row), counted++;
	}
	return total / counted;
}

class HeadsPanel {
	// state: shape [layers, heads, rows, columns], tokens, keyTokens, values, other, high, spread, colours, diverging,
	// axis, positions; choice: layer, head, query; onPick(choice)
	constructor(state, choice, onPick) {
		Object.assign(this, { state, onPick, mode: 0 }, choice);
		const onCell = (cell, how) => this.onCell(cell, how);
		[this.main, this.second] = [new Heatmap(onCell), new Heatmap(onCell)];
		this.thumbs = make("div", { class: "av-heads", role: "radiogroup", "aria-label": "Head" });
		this.links = make("div", { class: "av-links", onclick: (event) => this.onLink(event) });
		this.status = make("p", { class: "av-status", role: "status" });
		this.query_ = make("span");
		this.bar = make("div", { class: "av-bar" }, this.query_);
		if (state.other) this.bar.append(select("show", MODES, 0, (mode) => ((this.mode = mode), this.paintThumbs(), this.paintMain())));
		for (const kind of ["png", "svg"]) this.bar.append(button(kind.toUpperCase(), `Save the chosen head as ${kind}`, () => this.main.save(kind)));
		const body = make("div", { class: "av-body" }, this.thumbs, this.main.element, this.second.element, this.links);
		this.element = make("div", {}, this.bar, this.status, body);
		this.build();
	}

	build() {
		const { shape: [, heads], tokens } = this.state;
		this.thumbs.hidden = heads < 2;
		this.columns = heads > 16 ? 12 : heads > 9 || heads % 4 === 0 ? 4 : Math.min(heads, 3);
		this.thumbs.style.gridTemplateColumns = `repeat(${this.columns},auto)`;
		this.buttons = Array.from({ length: heads }, (_, head) => this.thumb(head));
		this.thumbs.replaceChildren(...this.buttons, make("small", { textContent: "head, and its entropy" }));
		this.choice = select("query", tokens.map((token, i) => `${i} ${token}`), this.query, (query) => this.pick({ query }));
		this.query_.replaceChildren(this.choice);
		this.paintThumbs();
	}

	thumb(head) {
		const canvas = make("canvas"), caption = make("span");
		const element = make("button", { type: "button", role: "radio", onclick: () => this.pick({ head }) }, canvas, caption);
		element.onkeydown = (event) => {
			const step = arrow(event), next = step && head + step[0] * this.columns + step[1];
			if (!this.buttons[next]) return;
			this.buttons[next].focus(); // first: it lays out all that has changed
			this.pick({ head: next });
		};
		return Object.assign(element, { canvas, caption });
	}

	pick(choice) {
		const { layer } = this;
		Object.assign(this, choice, { hover: null });
		this.layer === layer ? this.mark() : this.paintThumbs();
		this.paintMain();
		this.onPick?.(choice);
	}

	// What a mode shows of a head.
	map(mode, head = this.head) {
		const { state } = this, { shape: [layers, heads, rows, columns], values, other, high, spread } = state;
		const place = [layers > 1 && `${state.axis} ${state.positions[this.layer]}`, heads > 1 && `head ${head}`].filter(Boolean).join(", ");
		const map = {
			values: mode === 1 ? other : values, colours: state.colours, low: 0, high, rows, columns,
			start: (this.layer * heads + head) * rows * columns, rowNames: state.tokens, columnNames: state.keyTokens,
			title: (place || "attention") + (this.mode ? `: ${MODES[mode]}` : ""), row: this.hover?.row ?? this.query, column: (this.hover ?? this).column,
		};
		if (mode < 3) return map;
		state.difference ??= other.map((value, i) => value - values[i]);
		return { ...map, values: state.difference, colours: state.diverging, low: -spread, high: spread };
	}

	paintThumbs() {
		this.buttons.forEach((element, head) => {
			const map = this.map(this.mode === 2 ? 0 : this.mode, head);
			paint(element.canvas, map);
			const told = this.mode === 3 ? "" : rounded(entropy(map));
			element.caption.replaceChildren(`${head}`, make("small", { textContent: told }));
			element.setAttribute("aria-label", `head ${head}` + (told && `, entropy ${told}`));
		});
		this.mark();
	}

	mark() {
		this.buttons.forEach((element, head) => {
			element.setAttribute("aria-checked", head === this.head);
			element.tabIndex = head === this.head ? 0 : -1;
		});
	}

	paintMain() {
		const both = this.mode === 2;
		this.second.element.hidden = !both;
		this.main.show(this.map(both ? 0 : this.mode));
		if (both) this.second.show(this.map(1));
		this.choice.input.selectedIndex = this.query;
		this.paintLinks();
		this.tell();
	}

	paintLinks() {
		const { map } = this.main, { rows, columns, rowNames, columnNames, row, column } = map;
		const height = Math.max(60, Math.min(400, 22 * Math.max(rows, columns))), from = 78, to = 134;
		const place = (i, count) => ((i + 0.5) * height) / count;
		const names = (names, x, more, marked) => names.map((name, i) => {
			const bold = i === marked, hidden = i % Math.ceil((14 * names.length) / height);
			return hidden && !bold ? "" : text(x, place(i, names.length) + 4, short(name), more + (bold ? ' font-weight="bold"' : ""));
		});
		const lines = columnNames.map((_, i) => {
			const weight = this.main.at(row, i), share = Math.min(1, Math.abs(weight) / map.high) || 0;
			const colour = weight < 0 ? "#2369bd" : MARK;
			return share < 0.01 ? "" : `<path d="M${from + 4} ${place(row, rows)}L${to - 4} ${place(i, columns)}" stroke="${colour}" stroke-width="${1 + 7 * share}" opacity="${0.15 + 0.85 * share}"/>`;
		});
		this.links.innerHTML = svg(212, height, [...lines, ...names(rowNames, from, END, row), ...names(columnNames, to, "", column)].join(""));
	}

	onLink({ clientX, clientY }) {
		const box = this.links.firstChild.getBoundingClientRect(), { rows } = this.main.map;
		if (clientX - box.left < 100) this.pick({ query: clamp(Math.floor(((clientY - box.top) / box.height) * rows), rows) });
	}

	onCell(cell, how) {
		if (how !== "hover") return cell && this.pick({ query: cell.row, column: cell.column });
		if (cell?.row === this.hover?.row && cell?.column === this.hover?.column) return;
		this.hover = cell;
		this.paintMain();
	}

	tell() {
		const { map } = this.main, { values, start, rows, columns, row, column } = map;
		let sum = 0, missing = 0;
		for (let i = 0; i < columns; i++) sum += this.main.at(row, i);
		for (let i = start; i < start + rows * columns; i++) missing += values[i] !== values[i];
		const parts = [`query ${map.rowNames[row]}`];
		if (column != null) parts.push(`→ ${map.columnNames[column]} ${rounded(this.main.at(row, column))}`);
		if (this.mode < 3) parts.push(`· row sum ${rounded(sum)}` + (Math.abs(sum - 1) > 0.02 ? " (not 1: dropped, masked or not normalised)" : ""));
		if (missing) parts.push(`· ${missing} nan, in grey`);
		this.status.textContent = parts.join(" ");
	}

	// New weights in the same view; the choice stays where it still exists.
	load(state) {
		const names = ({ shape, tokens, keyTokens }) => JSON.stringify([shape, tokens, keyTokens]);
		const before = names(this.state);
		Object.assign(this.state, state, { difference: null });
		const [layers, heads, rows, columns] = this.state.shape;
		Object.assign(this, { layer: clamp(this.layer, layers), head: clamp(this.head, heads), query: clamp(this.query, rows), hover: null });
		if (this.column != null) this.column = clamp(this.column, columns);
		names(this.state) === before ? this.paintThumbs() : this.build();
		this.paintMain();
	}
}

function headsState(model) {
	const shape = model.get("shape"), high = model.get("high"), other = model.get("other");
	const count = shape.reduce((a, b) => a * b);
	return {
		shape, high, other: other.byteLength ? decode(other, count, high) : null, values: decode(model.get("weights"), count, high),
		tokens: model.get("tokens"), keyTokens: model.get("key_tokens"), axis: model.get("axis"), positions: model.get("positions"),
		spread: model.get("spread"), colours: palette(model.get("palette")), diverging: palette(model.get("diverging")),
	};
}

// Choosing in one copy of the view, or in Python, chooses in all of them.
function makeHeads(model, root, makePicker) {
	const names = ["layer", "head", "query"];
	const chosen = () => Object.fromEntries(names.map((name) => [name, model.get(name)]));
	const tell = (choice) => {
		for (const name of names) if (name in choice) model.set(name, choice[name]);
		requestAnimationFrame(() => setTimeout(() => model.save_changes())); // after the picture
	};
	const panel = new HeadsPanel(headsState(model), chosen(), tell);
	if (panel.state.shape[0] > 1) makePicker(panel);
	root.append(panel.element);
	panel.paintMain();
	const follow = () => {
		if (names.every((name) => panel[name] === model.get(name))) return;
		panel.onPick = null;
		panel.pick(chosen());
		panel.onPick = tell;
	};
	for (const name of names) model.on(`change:${name}`, follow);
	return () => names.forEach((name) => model.off(`change:${name}`, follow));
}

// What shows the layer is set after each painting, whoever chose it.
function followLayer(panel, follow) {
	const paintMain = panel.paintMain.bind(panel);
	panel.paintMain = () => (paintMain(), follow());
}

const headsView = guarded((model, root) =>
	makeHeads(model, root, (panel) => {
		const picker = select(panel.state.axis, panel.state.positions, panel.layer, (layer) => panel.pick({ layer }));
		panel.bar.prepend(picker);
		followLayer(panel, () => (picker.input.selectedIndex = panel.layer));
	}),
);
