// What the scenarios share: pages that were let in, checks that say what they wanted, and what the pages said instead.
import { mkdirSync } from "node:fs";
import { join } from "node:path";

// patience is how long a page may take to show something; a run has to get there first.
const patience = 30_000;

// screens are what pages are looked at with.
export const screens = {
	desktop: { viewport: { width: 1280, height: 800 } },
	phone: { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, hasTouch: true, isMobile: true },
};

export class Stage {
	constructor({ browser, axe, ask, scenario, base, cookie, name }) {
		Object.assign(this, { browser, axe, base, cookie, deed: ask });
		this.title = name ? `${scenario}, ${name}` : scenario;
		this.now = "begin";
		this.contexts = [];
		this.complaints = [];
		this.expected = [];
	}

	// open gives a page on a kind of screen, with script or without, that autopilot serve let in.
	async open(path, { screen = "desktop", theme = "light", script = true, motion = "no-preference" } = {}) {
		const context = await this.browser.newContext({ ...screens[screen], colorScheme: theme, javaScriptEnabled: script, reducedMotion: motion });
		this.contexts.push(context);
		context.setDefaultTimeout(patience);
		const page = await context.newPage();
		this.page = page;
		page.on("console", (said) => ["error", "warning"].includes(said.type()) && this.complaints.push(`${page.url()}: ${said.text()}`));
		page.on("pageerror", (problem) => this.complaints.push(`${page.url()}: ${problem.stack ?? problem}`));
		if (this.cookie) {
			await context.addCookies([{ ...this.cookie, url: this.base }]);
		}
		await page.goto(this.base + path);
		return page;
	}

	// step names what is done next, for what is said of a failure.
	step(name) {
		this.now = name;
	}

	// wants fails where a fact is not as it should be.
	wants(what, is, found) {
		if (!is) {
			throw new Error(`wanted: ${what}` + (found === undefined ? "" : `\nfound:  ${typeof found === "string" ? found : JSON.stringify(found)}`));
		}
	}

	// sees waits until a part of the page says something.
	async sees(page, text, part = "body") {
		this.page = page;
		try {
			await page.locator(part).filter({ hasText: text }).first().waitFor({ state: "attached" });
		} catch (problem) {
			if (problem.name !== "TimeoutError") {
				throw problem;
			}
			throw new Error(`wanted: ${part} with ${text}\nfound:  ${await textOf(page, part)}`);
		}
	}

	// loses waits until a part of the page is gone.
	async loses(page, part) {
		this.page = page;
		try {
			await page.locator(part).first().waitFor({ state: "detached" });
		} catch {
			throw new Error(`wanted: no ${part}\nfound:  ${await textOf(page, part)}`);
		}
	}

	// quiet fails where the browser complained of anything but what the scenario said it would.
	quiet() {
		this.now = "what the browser complained of";
		const left = this.complaints.filter((said) => !this.expected.some((pattern) => pattern.test(said)));
		this.wants("no error in the console, and nothing that the policy forbids", left.length === 0, left.join("\n        "));
	}

	// shot keeps a picture of the page, where BROWSER_SHOTS names a folder.
	async shot(page, name) {
		if (process.env.BROWSER_SHOTS) {
			mkdirSync(process.env.BROWSER_SHOTS, { recursive: true });
			await page.screenshot({ path: join(process.env.BROWSER_SHOTS, name.replaceAll(/[^\w.-]+/g, "-") + ".png"), fullPage: true });
		}
	}

	// explained is what a person needs to understand a failure.
	async explained(problem) {
		const said = [`${this.title}: ${this.now}`, problem.message.startsWith("wanted:") ? problem.message : problem.stack];
		if (this.page && !this.page.isClosed()) {
			await this.shot(this.page, "failed " + this.title).catch(() => {});
			said.push(`the page ${this.page.url()} said:`, await textOf(this.page, "body"));
		}
		return said.join("\n");
	}

	async close() {
		await Promise.all(this.contexts.map((context) => context.close()));
	}
}

// textOf is the text that a person sees, without empty lines.
async function textOf(page, part) {
	const texts = await page.locator(part).allInnerTexts().catch((problem) => [problem.message]);
	return texts.join("\n").split("\n").filter((line) => line.trim()).slice(0, 80).join("\n  ") || "(nothing)";
}
