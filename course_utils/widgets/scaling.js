// What head_dim and temperature do to scores and softmax. Python has measured every setting; here one is chosen and shown.
const scalingView = guarded((model, root) => {
	const set = (name, value) => (model.set(name, value), model.save_changes(), draw());
	const sliders = ["head_dim", "temperature"].map((name) => {
		const values = model.get(`${name}s`);
		return Object.assign(slider(name, 0, values.length - 1, 1, 0, (at) => set(name, values[at])), { name, values });
	});
	const tick = make("input", { type: "checkbox", onchange: () => set("divided", tick.checked) });
	const body = make("div", { class: "av-body" }), told = make("p", { class: "av-status", role: "status" });
	body.innerHTML = model.get("drawn");
	const bars = body.querySelectorAll(".av-scaling rect"), words = model.get("words");
	const heights = decode(model.get("heights"), bars.length * words.length, 150);

	function draw() {
		let setting = 0;
		for (const { input, shown, name, values } of sliders) {
			input.ariaValueText = shown.textContent = model.get(name);
			input.value = values.indexOf(model.get(name));
			setting = setting * values.length + +input.value;
		}
		setting = 2 * setting + (tick.checked = model.get("divided"));
		told.textContent = words[setting];
		bars.forEach((bar, i) => bar.setAttribute("height", heights[setting * bars.length + i]));
	}
	draw();
	model.on("change", draw);
	root.append(make("div", { class: "av-bar" }, ...sliders, labelled("divide by the root of head_dim", tick)), told, body);
	return () => model.off("change", draw);
});
