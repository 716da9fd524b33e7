// Plays scenarios in Chromium for cmd/browser_test.go. It reads one request a line, {scenario, with}, and answers each with
// {passed} or {failed}. Between them it may ask for a deed, {deed, with}, that only the test can do: to run autopilot, to look
// into a session. The test answers that with {did}.
import { createInterface } from "node:readline";
import { createRequire } from "node:module";
import { Stage } from "./stage.mjs";
import * as answers from "./answers.mjs";
import * as commenting from "./commenting.mjs";
import * as looks from "./looks.mjs";
import * as watching from "./watching.mjs";

const scenarios = { ...answers, ...commenting, ...looks, ...watching };
const installed = createRequire(process.env.BROWSER_TOOLS + "/package.json");
const { chromium } = installed("playwright-core");
const axe = installed("axe-core").source;

const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
const hear = async () => JSON.parse((await lines.next()).value ?? "null");
const say = (what) => process.stdout.write(JSON.stringify(what) + "\n");
const ask = async (deed, what) => {
	say({ deed, with: what ?? null });
	return (await hear()).did;
};

process.stdout.on("error", () => process.exit(1)); // the test is gone

const browser = await chromium.launch({ executablePath: process.env.BROWSER_PROGRAM, args: ["--disable-gpu", "--disable-dev-shm-usage"] });
for (let request = await hear(); request; request = await hear()) {
	const stage = new Stage({ browser, axe, ask, scenario: request.scenario, ...request.with });
	try {
		await scenarios[request.scenario](stage, request.with);
		stage.quiet();
		say({ passed: true });
	} catch (problem) {
		say({ failed: await stage.explained(problem) });
	} finally {
		await stage.close();
	}
}
await browser.close();
