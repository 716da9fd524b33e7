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
		const answer = await fetch(location.href, { headers: { Accept: "text/html" } });
		const next = new DOMParser().parseFromString(await answer.text(), "text/html");
		if (!answer.ok) {
			lost(next.querySelector("main p")?.textContent ?? answer.statusText);
			return;
		}
		document.title = next.title;
		for (const part of next.querySelectorAll("[data-part]")) {
			replace(document.getElementById(part.id), part);
		}
		for (const part of document.querySelectorAll("[data-part]")) {
			if (!next.getElementById(part.id)) {
				part.remove();
			}
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

// replace leaves alone what a person is in, and what they opened stays open.
function replace(old, part) {
	if (!old) {
		document.getElementById("transcript")?.before(part);
		return;
	}
	if (old.outerHTML === part.outerHTML || old.contains(document.activeElement) || old.contains(getSelection().anchorNode) && !getSelection().isCollapsed) {
		return;
	}
	const open = [...old.querySelectorAll("details")].map((d) => d.open);
	part.querySelectorAll("details").forEach((d, n) => { d.open = open[n] ?? d.open; });
	old.replaceWith(part);
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

if (session) {
	const events = new EventSource("/api/v1/events?session=" + encodeURIComponent(session));
	for (const kind of ["session", "now", "reset"]) {
		events.addEventListener(kind, refresh);
	}
	events.onopen = found;
	events.onerror = () => lost("");
}
setInterval(refresh, session ? 15000 : 3000);
