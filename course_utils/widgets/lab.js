// Controls of the reader's function. While an answer is outstanding, moves are only noted: the last wins.

// A setting is the text or the tick itself, or a position among the control's values.
function labControl({ name, kind, values }, onMove) {
	const property = { text: "value", checkbox: "checked", choice: "selectedIndex", slider: "valueAsNumber" }[kind];
	const move = () => (put(label.input[property]), onMove(label.input[property]));
	const label =
		kind === "choice" ? select(name, values, 0, move)
		: kind === "slider" ? slider(name, 0, values.length - 1, 1, 0, move)
		: labelled(name, make("input", { type: kind, oninput: move }));
	const put = (value) => {
		label.input[property] = value;
		if (label.shown) label.shown.textContent = label.input.ariaValueText = values[value];
	};
	return Object.assign(label, { put });
}

const attentionLab = guarded((model, root) => {
	const prints = make("pre", { class: "av-prints" }), error = make("p", { class: "av-error", role: "alert" });
	const settings = {}, controls = {};
	let panel, asked, again;

	const ask = () => {
		again = asked;
		if (asked) return;
		root.ariaBusy = true;
		asked = Math.random();
		model.send({ rev: asked, settings });
	};
	for (const control of model.get("controls")) {
		controls[control.name] = labControl(control, (value) => ((settings[control.name] = value), ask()));
	}
	const show = () => {
		const answer = model.get("answer"), { shape, tokens, high } = answer;
		if (answer.rev === asked) asked = 0;
		root.ariaBusy = !!asked;
		if (again) ask();
		if (!asked) for (const name in controls) controls[name].put((settings[name] = answer.settings[name]));
		prints.textContent = answer.prints;
		error.textContent = answer.error;
		if (!shape.length) return;
		const values = decode(model.get("weights"), shape.reduce((a, b) => a * b), high);
		const state = { shape, tokens, keyTokens: tokens, values, high, colours: palette(model.get("palette")) };
		if (!panel) root.append((panel = new HeadsPanel(state, { layer: 0, head: 0, query: 0 })).element);
		panel.load(state);
	};
	const last = button("Run again", "New random draw", ask);
	root.append(make("div", { class: "av-bar av-lab" }, ...Object.values(controls), last), prints, error);
	show();
	model.on("change:answer", show);
});
