// Keeps the page as the server would write it now. Without this script the page loads itself anew every ten seconds.
"use strict";

const line = document.getElementById("line");
const session = document.body.dataset.session;
let asked = false, again = false;

// refresh takes the parts of the page that changed since it was written. Text only ever comes from the server's own page.
async function refresh() {
	if (asked) {
		again = true;
		return;
	}
	asked = true;
	try {
		const answer = await fetch(location.href, { headers: { Accept: "text/html", "X-Autopilot": "follows" } });
		const next = new DOMParser().parseFromString(await answer.text(), "text/html");
		if (!answer.ok) {
			lost(next.querySelector("main p")?.textContent ?? answer.statusText);
			return;
		}
		document.title = next.title;
		for (const part of document.querySelectorAll("[data-part]")) {
			if (!next.getElementById(part.id)) {
				part.remove();
			}
		}
		let before = null;
		for (const part of [...next.querySelectorAll("[data-part]")]) {
			before = replace(document.getElementById(part.id), part, before);
		}
		found();
	} catch {
		lost("");
	} finally {
		asked = false;
		if (again) {
			again = false;
			setTimeout(refresh, 1000);
		}
	}
}

// replace puts a part in the place of the old one, or behind the one before it, and gives what stands there then. It leaves alone
// what a person is in, and what they opened stays open.
function replace(old, part, before) {
	if (!old) {
		before?.after(part);
		return part;
	}
	const open = [...old.querySelectorAll("details")].map((d) => d.open);
	part.querySelectorAll("details").forEach((d, n) => { d.open = open[n] ?? d.open; });
	if (old.outerHTML === part.outerHTML || old.contains(document.activeElement) || old.contains(getSelection().anchorNode) && !getSelection().isCollapsed) {
		return old;
	}
	keepTyped(old, part);
	old.replaceWith(part);
	return part;
}

// keepTyped takes over what was written and chosen, unless it was for another question.
function keepTyped(old, part) {
	const gate = (of) => of.querySelector("[name=gate]")?.value;
	if (gate(old) !== gate(part)) {
		return;
	}
	for (const field of old.querySelectorAll("textarea, input[type=radio]")) {
		const same = [...part.querySelectorAll(`[name=${field.name}]`)].find((f) => f.type !== "radio" || f.value === field.value);
		if (same && field.type === "radio") {
			same.checked = field.checked;
		} else if (same) {
			same.value = field.value;
		}
	}
}

function lost(why) {
	line.textContent = why || "Connection lost at " + new Date().toLocaleTimeString() + ". Runs go on. Trying again.";
	line.className = "lost";
	document.body.classList.add("stale");
}

function found() {
	line.textContent = "live";
	line.className = "";
	document.body.classList.remove("stale");
}

// ago says an age as the server does.
function ago(seconds) {
	if (seconds < 60) {
		return Math.max(0, Math.floor(seconds)) + " s";
	}
	if (seconds < 3600) {
		return Math.floor(seconds / 60) + " min";
	}
	if (seconds < 48 * 3600) {
		return Math.floor(seconds / 3600) + " h";
	}
	return Math.floor(seconds / 86400) + " days";
}

setInterval(() => {
	for (const time of document.querySelectorAll("time[data-age]")) {
		const text = ago((Date.now() - Date.parse(time.dateTime)) / 1000);
		if (time.textContent !== text) {
			time.textContent = text;
		}
	}
}, 1000);

const live = document.querySelector("main [data-part]") !== null; // a plan or a diff stays as it was opened
if (live && session && document.getElementById("now")) { // a task or an agent run is looked at less often than a session
	const events = new EventSource("/api/v1/events?session=" + encodeURIComponent(session));
	for (const kind of ["session", "now", "reset"]) {
		events.addEventListener(kind, refresh);
	}
	events.onopen = found;
	events.onerror = () => lost("");
}
if (live) {
	setInterval(refresh, session ? 15000 : 3000);
}

// The server writes the theme that a browser chose into each page, so that none is shown in the wrong one first.
const theme = document.getElementById("theme");
theme.hidden = false;
theme.addEventListener("click", () => {
	const root = document.documentElement;
	const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
	root.dataset.theme = dark ? "light" : "dark";
	document.cookie = "theme=" + root.dataset.theme + "; path=/; max-age=31536000; SameSite=Strict";
});

// step moves the focus to the next or the previous of some elements.
function step(selector, by) {
	const all = [...document.querySelectorAll(selector)];
	const at = all.indexOf(document.activeElement);
	all[at < 0 && by < 0 ? all.length - 1 : Math.min(Math.max(at + by, 0), all.length - 1)]?.focus();
}

// choose marks the n-th answer. It is sent by its button alone.
function choose(n) {
	const option = document.querySelectorAll("#question input[type=radio]")[n];
	if (option) {
		option.checked = true;
		option.focus();
	}
}

const keys = {
	j: ["next session or agent run", () => step("[data-row]", 1)],
	k: ["previous one", () => step("[data-row]", -1)],
	n: ["next file, finding or attempt", () => step("[data-stop]", 1)],
	p: ["previous one", () => step("[data-stop]", -1)],
	a: ["go to the question", () => (document.querySelector("#question input:checked") ?? document.querySelector("#question input[type=radio]"))?.focus()],
	"1": ["to 9: choose an answer; its button sends it", null],
	"?": ["show these keys", showKeys],
};

// showKeys lists the keys, and those of the links of this page.
function showKeys() {
	const box = document.createElement("dialog");
	const all = Object.entries(keys).map(([key, [does]]) => [key, does]);
	for (const link of document.querySelectorAll("[data-key]")) {
		all.push([link.dataset.key, link.textContent]);
	}
	for (const [key, does] of all) {
		const row = document.createElement("p"), name = document.createElement("kbd");
		name.textContent = key;
		row.append(name, " " + does);
		box.append(row);
	}
	const close = document.createElement("button");
	close.textContent = "Close";
	close.addEventListener("click", () => box.close());
	box.append(close);
	box.addEventListener("close", () => box.remove());
	document.body.append(box);
	box.showModal();
}

const help = document.getElementById("keys");
help.hidden = false;
help.addEventListener("click", showKeys);

document.addEventListener("keydown", (event) => {
	const typing = event.target.closest?.("textarea, dialog, select, input:not([type=radio])");
	if (event.key === "Escape" && typing) {
		typing.blur();
		return;
	}
	if (typing || event.ctrlKey || event.metaKey || event.altKey) {
		return;
	}
	if (event.key >= "1" && event.key <= "9") {
		choose(event.key - 1);
		return;
	}
	const link = [...document.querySelectorAll("[data-key]")].find((l) => l.dataset.key === event.key);
	if (link) {
		link.click();
	} else if (Object.hasOwn(keys, event.key)) {
		keys[event.key][1]?.();
	} else {
		return;
	}
	event.preventDefault();
});
