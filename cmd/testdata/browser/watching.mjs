// How an open page follows what happens.

// enter: the printed address lets one browser in, and leads to the session. Another browser gets told how to get in.
export async function enter(stage, { invitation, title }) {
	stage.step("open the printed address");
	const page = await stage.open(invitation);
	await stage.sees(page, "Needs you", "#list");
	stage.wants("an address without the token", page.url() === stage.base + "/", page.url());
	stage.step("open the session");
	await page.getByRole("link", { name: title }).click();
	await stage.sees(page, title, "h1");
	stage.wants("a title that says how many sessions need somebody", (await page.title()).startsWith("(1) " + title), await page.title());
	stage.step("open the printed address in another browser");
	stage.expected.push(/status of 401/);
	const other = await stage.open(invitation);
	await stage.sees(other, "401 Unauthorized", "h1");
	await stage.sees(other, "was used already");
}

// follows: a page that was open before the run goes on shows all of it, up to the end, without being loaded again.
export async function follows(stage, { path }) {
	stage.step("open the question");
	const page = await stage.open(path);
	const still = await stage.open(path, { motion: "reduce" });
	for (const one of [page, still]) {
		await stage.sees(one, "Your answer", "#question");
		await one.evaluate(() => { globalThis.notLoadedAgain = true; });
	}
	stage.step("the question is answered at a terminal");
	await stage.deed("answer");
	await stage.loses(page, ".gate");
	await stage.sees(page, "Next:", "#now");
	stage.step("the run goes on");
	await stage.deed("run");
	await stage.sees(page, "running", "#head .pill");
	await stage.sees(page, "run_command", "#now");
	await stage.sees(page, "build 0/1", ".step.active");
	await stage.sees(page, "Write the greeting", ".tasks");
	await stage.shot(page, "a run");
	stage.step("what moves");
	const moving = (one) => one.evaluate(() => document.getAnimations().filter((a) => a.playState === "running").length);
	stage.wants("a step that pulses", await moving(page) > 0);
	await stage.sees(still, "build 0/1", ".step.active");
	stage.wants("no animation where less motion is wished", await moving(still) === 0);
	stage.step("the run comes to its next question");
	await stage.deed("let go");
	await stage.sees(page, "1/1 Write the greeting", "#transcript");
	await stage.sees(page, "complete", "#phases .pill");
	await stage.loses(page, "#now .now");
	await stage.loses(page, ".step.active");
	await stage.sees(page, "Start the final review?", "#question");
	const loadedOnce = (one) => one.evaluate(() => globalThis.notLoadedAgain === true);
	stage.wants("the page that was opened, not loaded again", await loadedOnce(page));
	stage.step("press Answer and continue, while another page is open");
	await stage.sees(still, "Start the final review?", "#question");
	await page.getByRole("button", { name: "Answer and continue" }).click();
	await stage.sees(page, "The session continues.", ".said");
	for (const one of [page, still]) {
		await stage.sees(one, "done", "#head .pill.done");
		await stage.loses(one, ".gate");
	}
	await stage.shot(page, "a run that ended");
	stage.wants("the other page that was opened, not loaded again", await loadedOnce(still));
}

// keepsTyping: what a person types and opens stays as it is, and where it is, while the page follows.
export async function keepsTyping(stage, { path }) {
	stage.step("type a reason");
	const page = await stage.open(path);
	const reason = page.getByLabel("Reason, or what should change");
	const note = page.getByLabel("Note to the next agent run");
	const top = async () => Math.round((await page.locator(".gate").boundingBox()).y);
	await page.locator(".choice").nth(1).click();
	await reason.pressSequentially("Two tasks, ");
	const before = await top();
	stage.step("the session goes on while the cursor is in the reason");
	await stage.deed("note", "The first note.");
	await stage.sees(page, "The first note.", "#transcript");
	await reason.pressSequentially("please.");
	const same = async (where) => {
		stage.wants(`the reason as typed, ${where}`, await reason.inputValue() === "Two tasks, please.", await reason.inputValue());
		stage.wants(`the second choice, ${where}`, await page.locator(".choice input").nth(1).isChecked());
		stage.wants(`the question where it was, ${where}`, await top() === before, `${before} before, ${await top()} now`);
	};
	await same("with the cursor in it");
	stage.step("the session goes on while something is open beside it");
	await page.getByText("Answer in a terminal").click();
	await page.getByText("Note, pause, stop").click();
	await note.fill("Keep it short.");
	await page.locator("h1").click();
	await stage.deed("note", "The second note.");
	await stage.sees(page, "The second note.", "#transcript");
	await same("with the cursor elsewhere");
	stage.wants("the note as typed", await note.inputValue() === "Keep it short.", await note.inputValue());
	stage.step("another session changes");
	await stage.deed("another session");
	await stage.sees(page, "2 need you", "#waits");
	await same("after another session changed");
}

// stale: a page that can't reach its server says so, and that runs go on. It catches up once it can.
export async function stale(stage, { path }) {
	const page = await stage.open(path);
	await stage.sees(page, "live", "#line");
	stage.step("the connection is lost");
	stage.expected.push(/ERR_FAILED|ERR_CONNECTION_REFUSED|ERR_INCOMPLETE_CHUNKED_ENCODING/);
	await page.route("**/*", (route) => route.abort());
	await stage.deed("note", "While nobody looked.");
	await stage.sees(page, "Connection lost at", "#line.lost");
	await stage.sees(page, "Runs go on.", "#line");
	await stage.loses(page, "body:not(.stale)");
	stage.step("it comes back");
	await page.unroute("**/*");
	await page.evaluate(() => globalThis.refresh());
	await stage.sees(page, "While nobody looked.", "#transcript");
	await stage.sees(page, "live", "#line:not(.lost)");
	await stage.loses(page, "body.stale");
	stage.step("autopilot serve ends");
	await stage.deed("end");
	await stage.sees(page, "Runs go on.", "#line.lost");
}
