// How a person works through plan and diff: comments on lines, keys, light and dark.

// comments: a comment on a line of the plan or the diff goes with the answer, also where no script runs.
export async function comments(stage, { path, place, script, view, option }) {
	stage.step(`${view} from the question`);
	const page = await stage.open(path, { script });
	await page.getByRole("link", { name: view }).click();
	stage.step("follow the number of a line");
	await page.getByRole("link", { name: `Comment on ${place}`, exact: true }).click();
	const box = page.getByRole("textbox", { name: `Comment on ${place}` });
	if (script) {
		await page.waitForFunction(() => document.activeElement?.name === "text");
	}
	await box.fill("Ask the store.");
	await stage.shot(page, `a comment, script ${script}`);
	await page.getByRole("button", { name: "Add the comment" }).click();
	await stage.sees(page, "Ask the store.", ".mine");
	stage.step("go back to the question, and answer it");
	await page.getByRole("link", { name: "1 comment goes" }).click();
	await stage.sees(page, "Your comments go with it:", "#question");
	stage.wants(`${option} chosen beforehand`, await page.locator(`input[value="${option}"]`).isChecked());
	await page.getByRole("button", { name: "Answer only" }).click();
	await stage.sees(page, `Answered: ${option}.`, ".said");
}

// keys: everything can be reached without a mouse, and the theme that was chosen stays.
export async function keys(stage, { path }) {
	const page = await stage.open(path);
	const at = (end) => page.waitForURL((url) => url.pathname.endsWith(end));
	stage.step("press ?");
	await page.keyboard.press("?");
	await stage.sees(page, "next session or agent run", "dialog");
	await page.keyboard.press("Escape");
	await stage.loses(page, "dialog");
	stage.step("press 2 and a at the question");
	await page.keyboard.press("2");
	stage.wants("the second choice", await page.locator(".choice input").nth(1).isChecked());
	await page.locator("h1").click();
	await page.keyboard.press("a");
	stage.wants("the cursor in the question", await page.locator(".choice input").nth(1).evaluate((e) => e === document.activeElement));
	stage.step("a key within a text is a letter");
	await page.getByLabel("Reason, or what should change").fill("");
	await page.keyboard.type("dh?2");
	stage.wants("the letters", await page.getByLabel("Reason, or what should change").inputValue() === "dh?2");
	await page.keyboard.press("Escape");
	stage.step("press r, b, d, n, h");
	await page.keyboard.press("r");
	await at("/runs");
	await page.keyboard.press("b");
	await at(path);
	await page.keyboard.press("d");
	await at("/diff");
	await page.keyboard.press("n");
	stage.wants("the first file", await page.evaluate(() => document.activeElement.matches("h2[data-stop]")));
	await page.keyboard.press("h");
	await at("/");
	await page.keyboard.press("j");
	await page.keyboard.press("Enter");
	await at(path);
	stage.step("choose the other theme");
	const back = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
	const light = await back();
	await page.getByRole("button", { name: "Light or dark" }).click();
	const dark = await back();
	stage.wants("another background", light !== dark, dark);
	await page.reload();
	stage.wants("the same after the page is loaded again", await back() === dark, await back());
}
