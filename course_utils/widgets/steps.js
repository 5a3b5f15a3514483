// Heads over training: a slider through the stored steps, and curves.

function curvePicture(curves, positions, now) {
	const width = 440, height = 130, left = 46, right = width - 110, bottom = height - 26;
	const all = Object.values(curves).flat().filter(Number.isFinite), low = Math.min(0, ...all), high = Math.max(...all, low + 1e-9);
	const x = (i) => left + (i * (right - left)) / Math.max(1, positions.length - 1);
	const y = (value) => 10 + ((high - value) * (bottom - 10)) / (high - low);
	const drawn = Object.entries(curves).map(([name, values], index) => {
		const hue = ["#0173b2", "#de8f05", "#029e73", "#d55e00"][index % 4], dashes = index ? `stroke-dasharray="${7 - index} 3"` : "";
		return `<polyline points="${values.map((value, i) => (value == null ? "" : `${x(i)},${y(value)}`)).join(" ")}" fill="none" stroke="${hue}" stroke-width="2" ${dashes}/>` +
			(values[now] == null ? "" : `<circle cx="${x(now)}" cy="${y(values[now])}" r="4" fill="${hue}"/>`) + rect(right + 10, 10 + 18 * index, 10, 10, `fill="${hue}"`) +
			text(right + 26, 19 + 18 * index, `${name} ${rounded(values[now])}`);
	});
	return svg(width, height, text(left - 6, 14, rounded(high), END) + text(left - 6, bottom, rounded(low), END) +
		`<path d="M${x(now)} 10V${bottom}" stroke="currentColor" stroke-dasharray="3 3"/>` + text(x(now), height - 8, `step ${positions[now]}`, MIDDLE) + drawn.join(""));
}

const stepsView = guarded((model, root) =>
	makeHeads(model, root, (panel) => {
		const { shape: [steps], positions } = panel.state, curves = model.get("curves"), names = Object.keys(curves);
		const picture = make("div", { role: "img" });
		const picker = slider("step", 0, steps - 1, 1, panel.layer, (layer) => panel.pick({ layer }));
		panel.bar.prepend(picker);
		if (names.length) panel.bar.after(picture);
		followLayer(panel, () => {
			const now = panel.layer, told = `step ${positions[now]}` + names.map((name) => `, ${name} ${rounded(curves[name][now])}`).join("");
			picker.input.value = now;
			picker.shown.textContent = positions[now];
			picker.input.setAttribute("aria-valuetext", told);
			picture.setAttribute("aria-label", `Curve at ${told}`);
			if (names.length) picture.innerHTML = curvePicture(curves, positions, now);
		});
	}),
);
