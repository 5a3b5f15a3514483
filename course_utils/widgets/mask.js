// A mask painted cell by cell, beside the weights that it leaves.
const RULES = { causal: (_, row, column) => column <= row, everything: () => true, nothing: () => false, invert: (open) => !open };

// Where nothing is open the weights are 0; the plain formula would divide 0 by 0.
function softmax(scores, open) {
	const high = Math.max(-1e38, ...scores.filter((_, i) => open[i])), exps = scores.map((score, i) => open[i] && Math.exp(score - high));
	const total = exps.reduce((a, b) => a + b) || 1;
	return exps.map((exp) => exp / total);
}

const maskPainter = guarded((model, root) => {
	const keyTokens = model.get("tokens"), size = keyTokens.length, scores = [...decode(model.get("scores"), size * size)];
	const state = () => {
		const rows = model.get("cells").map((open, i) => softmax(scores.slice(i * size, (i + 1) * size), open));
		const tokens = keyTokens.map((token, i) => (rows[i].some(Number) ? "" : "∅ ") + token);
		return { shape: [1, 1, size, size], tokens, keyTokens, values: rows.flat(), high: 1, colours: palette(model.get("palette")) };
	};
	const draw = () => {
		panel.load(state());
		mask.show({ ...panel.map(0), values: model.get("cells").flat(), title: "may attend", say: Boolean });
	};
	const put = (rule) => {
		model.set("cells", model.get("cells").map((row, i) => row.map((open, j) => rule(open, i, j))));
		model.save_changes();
		draw();
	};
	const mask = new Heatmap((cell, how) => {
		if (!cell || how === "hover") return;
		panel.pick({ query: cell.row, column: cell.column });
		if (how === "pick") put((open, i, j) => open !== (i === cell.row && j === cell.column));
	});
	const panel = new HeadsPanel(state(), { layer: 0, head: 0, query: size - 1 }, draw);
	for (const name in RULES) panel.query_.before(button(name, "", () => put(RULES[name])));
	panel.main.element.before(mask.element);
	root.className += " av-mask";
	panel.status.after("∅: nothing to attend to, weights 0. Plain softmax: nan.");
	root.append(panel.element);
	draw();
	model.on("change:cells", draw);
});
