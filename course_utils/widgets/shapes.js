// Follow a number through split and merge. Python has drawn each way; here a number is chosen, and marked in every stage.
const shapesView = guarded((model, root) => {
	const ways = model.get("ways"), names = model.get("names");
	const mixed = make("p", { role: "status" }), chosen = make("b"), body = make("div", { class: "av-body" });
	const set = (name, value) => (model.set(name, value), model.save_changes(), draw());
	const way = select("way", ways.map(({ name }) => name), 0, (index) => set("way", index));
	const pick = (cell) => cell?.dataset.n && set("number", +cell.dataset.n);

	body.onpointerdown = ({ target }) => pick(target); // hover is on its way elsewhere
	body.onkeydown = (event) => {
		const step = arrow(event), stage = event.target;
		if (step) pick(stage.querySelectorAll("rect")[+stage.ariaValueNow + step[0] * stage.dataset.columns + step[1]]);
	};

	let drawn;
	function draw() {
		const index = model.get("way"), number = model.get("number");
		if (drawn !== index) body.innerHTML = ways[(drawn = way.input.selectedIndex = index)].drawn;
		mixed.textContent = ways[index].told;
		chosen.textContent = names[number];
		for (const cell of body.querySelectorAll("rect")) {
			const { n, i, at } = cell.dataset, stage = cell.closest("div");
			if (!cell.classList.toggle("av-here", n == number)) continue;
			stage.lastChild.textContent = at;
			Object.assign(stage, { ariaValueNow: i, ariaValueText: `${names[number]}: ${at}` });
		}
	}
	draw();
	model.on("change", draw);
	root.append(make("div", { class: "av-bar" }, way, chosen), mixed, body);
	return () => model.off("change", draw);
});
