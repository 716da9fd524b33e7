// How pages look: what people with a small screen, a keyboard, a screen reader or bad eyes need.

// fits fails where a page is wider than its screen, where a finger would miss a button, or where a text has little of the page.
export async function fits(stage, page) {
	const { wide, small, cut } = await page.evaluate(() => {
		const place = (e) => `${e.tagName.toLowerCase()}${e.className ? "." + e.className : ""} "${e.textContent.trim().slice(0, 40)}"`;
		const across = document.documentElement.clientWidth;
		const scrolls = (e) => e && (["auto", "scroll", "hidden"].includes(getComputedStyle(e).overflowX) || scrolls(e.parentElement));
		return {
			wide: document.documentElement.scrollWidth <= across ? [] : [...document.body.querySelectorAll("*")]
				.filter((e) => e.getBoundingClientRect().right > across + 0.5 && !scrolls(e))
				.map((e) => `${place(e)} ends at ${Math.round(e.getBoundingClientRect().right)} of ${across}`),
			small: [...document.querySelectorAll("button, .choice")]
				.map((e) => [e, e.getBoundingClientRect()])
				.filter(([, box]) => box.width > 0 && (box.height < 44 || box.width < 44))
				.map(([e, box]) => `${place(e)} is ${Math.round(box.width)} × ${Math.round(box.height)}`),
			cut: [...document.querySelectorAll(".code")].flatMap((e) => {
				const box = e.getBoundingClientRect();
				return [...(box.width < across * 0.6 ? [e] : []), ...[...e.querySelectorAll(".beside")].filter((b) => b.getBoundingClientRect().right > box.right)].map(place);
			}),
		};
	});
	stage.wants("texts with most of the page, and what stands beside their lines in sight", cut.length === 0, cut.join("\n        "));
	stage.wants("a page no wider than the screen", wide.length === 0, wide.slice(0, 5).join("\n        "));
	stage.wants("buttons and choices of at least 44 × 44 px", small.length === 0, small.join("\n        "));
}

// readable fails where axe-core finds something serious or critical.
export async function readable(stage, page) {
	await page.evaluate(stage.axe);
	const { violations } = await page.evaluate(() => globalThis.axe.run(document, { preload: false, resultTypes: ["violations"] }));
	const grave = violations.filter((v) => ["serious", "critical"].includes(v.impact))
		.flatMap((v) => v.nodes.map((node) => `${v.id}: ${node.html.slice(0, 160)}\n          ${node.failureSummary.replaceAll("\n", "\n          ")}`));
	stage.wants("nothing that axe-core calls serious or critical", grave.length === 0, grave.slice(0, 8).join("\n        "));
}

// everyPage looks at pages on each screen and in each theme.
export async function everyPage(stage, { pages }) {
	for (const screen of ["desktop", "phone"]) {
		for (const theme of ["light", "dark"]) {
			for (const [name, path] of Object.entries(pages)) {
				stage.step(`${name}, ${screen}, ${theme}`);
				if (path === "/nowhere") {
					stage.expected.push(/status of 404/);
				}
				const page = await stage.open(path, { screen, theme });
				await stage.shot(page, `${name} ${screen} ${theme}`);
				await fits(stage, page);
				if ((screen === "phone") === (theme === "dark")) { // each page and each theme once; it takes long
					await readable(stage, page);
				}
				await page.context().close();
			}
		}
	}
}
