// How questions are answered by the form of a session's page.
import { fits, readable } from "./looks.mjs";

// asks fails where the page doesn't show the open question with all of its options.
async function asks(stage, page, options) {
	await stage.sees(page, "Your answer", "#question");
	const shown = await page.locator(".choice").evaluateAll((all) => all.map((c) => ({ name: c.querySelector("input").value, text: c.innerText })));
	stage.wants("the options " + options.map((o) => o.name), shown.map((o) => o.name).join() === options.map((o) => o.name).join(), shown);
	for (const [n, option] of options.entries()) {
		stage.wants(`${option.word} and "${option.label}"`, shown[n].text.includes(option.word) && shown[n].text.includes(option.label), shown[n].text);
	}
}

// fill chooses an option and writes why, as a finger or a mouse does.
async function fill(page, { option, reason, summary, phase }, touch) {
	const choice = page.locator(`.choice:has(input[value="${option}"])`);
	await (touch ? choice.tap() : choice.click());
	if (reason) {
		await page.getByLabel("Reason, or what should change").fill(reason);
	}
	if (summary) {
		await page.getByLabel("What you did").fill(summary);
	}
	if (phase) {
		await page.getByLabel("Phase to run again").selectOption(String(phase));
	}
}

// question: on a phone every option is there, nothing is too wide or too small, and a finger answers.
export async function question(stage, { path, name, options, ...answer }) {
	stage.step("the question on a phone");
	const page = await stage.open(path, { screen: "phone", theme: "dark" });
	await asks(stage, page, options);
	await stage.shot(page, `question ${name}`);
	await fits(stage, page);
	await readable(stage, page);
	await give(stage, page, answer, true);
}

// scriptless: the same form answers without script.
export async function scriptless(stage, { path, ...answer }) {
	stage.step("open the question without script");
	await give(stage, await stage.open(path, { script: false }), answer, false);
}

async function give(stage, page, answer, touch) {
	const { option, word, reason } = answer;
	stage.step(`choose ${option}${reason ? ` because "${reason}"` : ""}, and press Answer only`);
	await fill(page, answer, touch);
	const button = page.getByRole("button", { name: "Answer only" });
	await (touch ? button.tap() : button.click());
	await stage.sees(page, `Answered: ${word}.`, ".said");
}

// withoutReason: the page keeps what was chosen, and says that the reason is missing.
export async function withoutReason(stage, { path, option, word }) {
	const page = await stage.open(path);
	stage.step(`choose ${option} without its reason`);
	stage.expected.push(/status of 422/);
	await fill(page, { option });
	await page.getByRole("button", { name: "Answer only" }).click();
	await stage.sees(page, `${word} needs a reason`, ".problem");
	stage.wants(`${option} still chosen`, await page.locator(`input[value="${option}"]`).isChecked());
	stage.step("the page that said so follows on");
	await page.evaluate(() => globalThis.refresh());
	await stage.sees(page, "live", "#line");
	stage.step("it is loaded by its address");
	await page.goto(page.url());
	await stage.sees(page, "Your answer", "#question");
}

// elsewhere: who answers a question that somebody else answered meanwhile reads who did. What they wrote is not lost unseen.
export async function elsewhere(stage, { path, option, decision, by }) {
	const page = await stage.open(path);
	stage.step("write a reason, while somebody else answers");
	await fill(page, { option, reason: "split it in two" });
	await stage.deed("answer");
	await stage.sees(page, decision, "#transcript");
	stage.step("press Answer only after somebody else did");
	stage.expected.push(/status of 409/);
	await page.getByRole("button", { name: "Answer only" }).click();
	await stage.sees(page, "was answered already", ".problem");
	await stage.sees(page, by, ".problem");
}
