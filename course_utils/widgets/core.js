// Shared by every view. Nothing is imported, so a view works offline.

// Functions, text and ticks are properties, the rest attributes.
function make(tag, props = {}, ...children) {
	const element = document.createElement(tag);
	for (const [name, value] of Object.entries(props)) {
		if (typeof value === "function" || name === "textContent" || name === "checked") element[name] = value;
		else element.setAttribute(name, value);
	}
	element.append(...children);
	return element;
}

const escaped = (text) => String(text).replace(/[&<>"]/g, (c) => `&#${c.charCodeAt(0)};`);
const rounded = (value) => (value == null || value !== value ? "nan" : value.toFixed(2));
const clamp = (value, count) => Math.max(0, Math.min(count - 1, value));

// Pictures are SVG in the colour of the page's text, so they follow its theme. A long name is cut short.
const SVG = 'xmlns="http://www.w3.org/2000/svg" font-family="system-ui,sans-serif" font-size="12" fill="currentColor"';
const svg = (width, height, inner) => `<svg ${SVG} width="${width}" height="${height}" aria-hidden="true">${inner}</svg>`;
const short = (name) => (name.length > 12 ? name.slice(0, 11) + "…" : name);
const text = (x, y, words, more = "") => `<text x="${x}" y="${y}" ${more}>${escaped(words)}</text>`;
const rect = (x, y, width, height, more = "") => `<rect x="${x}" y="${y}" width="${width}" height="${height}" ${more}/>`;
const END = 'text-anchor="end"', MIDDLE = 'text-anchor="middle"', MARK = "#e8590c";
const marked = (x, y, width, height, line) => rect(x, y, width, height, `fill="none" stroke="${MARK}" stroke-width="${line}"`);

// Numbers travel as float32, or, where that would be large, as bytes: 0 to 254 for 0 to high, 255 for nan.
function decode(view, count, high) {
	if (view.byteLength === 4 * count) return new Float32Array(view.buffer.slice(view.byteOffset, view.byteOffset + 4 * count));
	const values = new Float32Array(count), meant = Array.from({ length: 256 }, (_, byte) => (byte < 255 ? (byte * high) / 254 : NaN));
	for (let i = 0; i < count; i++) values[i] = meant[view.getUint8(i)];
	return values;
}

// 256 colours as the words of an image; nan is grey.
const NAN_COLOUR = 0xffbfbfbf;
function palette(view) {
	const bytes = new Uint8Array(view.buffer, view.byteOffset, 768);
	return Uint32Array.from({ length: 256 }, (_, i) => (255 << 24) | (bytes[3 * i + 2] << 16) | (bytes[3 * i + 1] << 8) | bytes[3 * i]);
}
const colourOf = ({ colours, low, high }, value) =>
	value !== value ? NAN_COLOUR : colours[clamp(Math.round(((value - low) / (high - low || 1)) * 255), 256)];
const css = (word) => `rgb(${word & 255},${(word >> 8) & 255},${(word >> 16) & 255})`;
const isLight = (word) => 0.21 * (word & 255) + 0.72 * ((word >> 8) & 255) + 0.07 * ((word >> 16) & 255) > 120;

// One pixel a cell; the style sheet makes them larger.
function paint(canvas, map) {
	const { values, start, rows, columns } = map;
	if (canvas.width !== columns || canvas.height !== rows) [canvas.width, canvas.height] = [columns, rows];
	const context = canvas.getContext("2d"), image = context.createImageData(columns, rows);
	const pixels = new Uint32Array(image.data.buffer);
	for (let i = 0; i < pixels.length; i++) pixels[i] = colourOf(map, values[start + i]);
	context.putImageData(image, 0, 0);
}

// The step that a key means, in rows and columns.
function arrow(event) {
	const step = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1], Enter: [0, 0], " ": [0, 0] }[event.key];
	if (step) event.preventDefault();
	return step;
}

// map: values, start, rows, columns, rowNames, columnNames, colours, low, high, title; what is marked: row, column; say(value).
class Heatmap {
	// onCell(cell or null, "hover" | "key" | "pick")
	constructor(onCell) {
		this.cells = make("canvas");
		this.frame = make("div");
		this.element = make("div", { class: "av-heatmap", role: "img", tabindex: 0 }, this.cells, this.frame);
		const at = (event) => {
			const box = this.cells.getBoundingClientRect(), { rows, columns } = this.map;
			const row = Math.floor(((event.clientY - box.top) / box.height) * rows);
			const column = Math.floor(((event.clientX - box.left) / box.width) * columns);
			return row >= 0 && row < rows && column >= 0 && column < columns ? { row, column } : null;
		};
		this.element.onpointermove = (event) => onCell(at(event), "hover");
		this.element.onpointerleave = () => onCell(null, "hover");
		this.element.onclick = (event) => onCell(at(event), "pick");
		this.element.onkeydown = (event) => {
			const step = arrow(event), { rows, columns, row, column } = this.map;
			if (step) onCell({ row: clamp((row ?? 0) + step[0], rows), column: clamp((column ?? 0) + step[1], columns) }, event.key.startsWith("Arrow") ? "key" : "pick");
		};
	}

	show(map) {
		this.map = map = { say: rounded, ...map };
		const { rows, columns, rowNames, columnNames, row, column } = map;
		const wide = (names) => 30 + 7 * Math.max(...names.map((name) => short(name).length));
		const left = wide(rowNames), top = 26, cell = Math.min(46, (370 - left) / columns, 370 / rows);
		this.box = { left, top, cell, width: cell * columns, height: cell * rows, below: wide(columnNames) };
		paint(this.cells, map);
		this.cells.style.cssText = `left:${left}px;top:${top}px;width:${cell * columns}px;height:${cell * rows}px`;
		this.frame.innerHTML = this.svg();
		const where = row == null ? "" : `, ${rowNames[row]}` + (column == null ? "" : ` to ${columnNames[column]}: ${map.say(this.at(row, column))}`);
		this.element.setAttribute("aria-label", `Heatmap of ${map.title}, ${rows} queries by ${columns} keys${where}. Arrow keys move.`);
	}

	at(row, column) {
		return this.map.values[this.map.start + row * this.map.columns + column];
	}

	// All but the cells, or, to be saved, with them.
	svg(saved = "") {
		const { map } = this, { left, top, cell, width, height, below } = this.box;
		const { rows, columns, rowNames, columnNames, row, column, low, high, colours } = map;
		const every = Math.ceil(12 / cell); // where cells are smaller than letters, only every so many are named
		const along = (names, draw) => names.map((name, i) => (i % every ? "" : draw(short(name), (i + 0.5) * cell + 4))).join("");
		const turned = (x, y, words, more) => text(x, y, words, `${more} transform="rotate(-90 ${x} ${y})"`);
		const stops = [8, 7, 6, 5, 4, 3, 2, 1, 0].map((i) => `<stop offset="${1 - i / 8}" stop-color="${css(colours[clamp(i * 32, 256)])}"/>`);
		const bar = `<linearGradient id="${this.gradient ??= `av${Math.random()}`}" x2="0" y2="1">${stops.join("")}</linearGradient>`;
		const x = left + width + 12, tall = Math.max(height, 60);
		return svg(x + 52, top + Math.max(height + below, tall) + 8, `<title>${escaped(map.title)}</title>${bar}` + saved +
			text(left, 16, map.title, 'font-weight="bold"') + turned(12, top + height / 2, "query", MIDDLE) +
			along(rowNames, (name, y) => text(left - 6, top + y, name, END)) + text(left + width / 2, top + height + below, "key", MIDDLE) +
			along(columnNames, (name, across) => turned(left + across, top + height + 6, name, END)) +
			rect(x, top, 10, tall, `fill="url(#${this.gradient})"`) + text(x + 14, top + 9, map.say(high)) + text(x + 14, top + tall, map.say(low)) +
			(cell < 34 ? "" : this.numbers()) +
			(row == null ? "" : marked(left - 1, top + row * cell - 1, width + 2, cell + 2, 2)) +
			(row == null || column == null ? "" : marked(left + column * cell, top + row * cell, cell, cell, 3)));
	}

	numbers() {
		const { map } = this, { left, top, cell } = this.box;
		const number = (i) => {
			const value = map.values[map.start + i], x = left + ((i % map.columns) + 0.5) * cell, y = top + (Math.floor(i / map.columns) + 0.5) * cell + 4;
			return text(x, y, map.say(value), `${MIDDLE} fill="${isLight(colourOf(map, value)) ? "#000" : "#fff"}"`);
		};
		return Array.from({ length: map.rows * map.columns }, (_, i) => number(i)).join("");
	}

	// "svg" keeps lines and text sharp at any size; "png" is that, drawn at twice the size.
	save(kind) {
		const { left, top, width, height } = this.box;
		const cells = `<image x="${left}" y="${top}" width="${width}" height="${height}" preserveAspectRatio="none" style="image-rendering:pixelated" href="${this.cells.toDataURL()}"/>`;
		const source = this.svg(rect(0, 0, "100%", "100%", 'fill="#fff"') + cells).replace("currentColor", "#111");
		const address = "data:image/svg+xml," + encodeURIComponent(source);
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
}

// Controls: a label around what is moved, which stands in .input.
function labelled(name, input, ...more) {
	return Object.assign(make("label", {}, make("span", { textContent: name }), input, ...more), { input });
}

function select(name, options, chosen, onChange) {
	const input = make("select", { onchange: () => onChange(input.selectedIndex) }, ...options.map((option) => make("option", { textContent: option })));
	input.selectedIndex = chosen;
	return labelled(name, input);
}

function slider(name, low, high, step, value, onInput) {
	const shown = make("output", { textContent: value });
	const input = make("input", { type: "range", min: low, max: high, step, value, "aria-label": name });
	input.oninput = () => ((shown.textContent = input.value), onInput(+input.value));
	return Object.assign(labelled(name, input, shown), { shown });
}

const button = (words, title, onclick) => make("button", { type: "button", textContent: words, title, onclick });

// What goes wrong while a view is built is said in the view.
const guarded = (build) => ({ model, el }) => {
	// Plain keys stay in the view: JupyterLab would move to another cell, or, at a letter, even add one.
	const keep = (event) => event.ctrlKey || event.metaKey || event.altKey || event.shiftKey || event.key === "Escape" || event.stopPropagation();
	const root = make("div", { class: "av", onkeydown: keep });
	el.append(root);
	try {
		return build(model, root);
	} catch (error) {
		root.replaceChildren(make("p", { class: "av-error", role: "alert", textContent: `This view could not be drawn: ${error.message}` }));
	}
};
