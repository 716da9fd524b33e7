# Makes the tables of docs/performance.md of what BenchmarkOutcome prints: first of the program of before, then of this one.
FNR == 1 { files++ }
$1 ~ /^BenchmarkOutcome\/(asked|automatic)/ {
	way = files == 1 ? "before" : $1 ~ /asked/ ? "asked" : "automatic"
	for (i = 3; i < NF; i += 2) value[way, $(i + 1)] = $i
	for (key in pending) {
		value[way, key] = pending[key]
		delete pending[key]
	}
}
/^ +bytes by (persona|section)$/ { kind = $3; next }
/^ +bytes an executor/ || NF == 0 { kind = "" }
kind != "" {
	name = $0
	sub(/^ +/, "", name)
	sub(/ +[0-9]+$/, "", name)
	pending[kind " " name] = $NF
	if (!((kind, name) in seen)) { seen[kind, name] = 1; names[kind, ++total[kind]] = name }
}
function number(n) {
	n += 0
	if (n != int(n)) return sprintf("%.1f", n)
	if (n < 1e3) return n
	return n < 1e6 ? sprintf("%d,%03d", int(n / 1e3), n % 1e3) : sprintf("%d,%03d,%03d", int(n / 1e6), int(n / 1e3) % 1e3, n % 1e3)
}
function told(way, key) { return (way, key) in value ? number(value[way, key]) : "" }
function row(name, key, goal, verdict) {
	printf "| %s | %s | %s | %s |%s\n", name, told("before", key), told("asked", key), told("automatic", key), goal == "" ? " | |" : " " goal " | " verdict " |"
}
function change(from, to, key) { return 100 * value[to, key] / value[from, key] - 100 }
function judged(is, most) { return sprintf("%+.0f %%: %s", is, is <= most ? "met" : "missed") }
function most(key, limit,   n) {
	n = value["asked", key] > value["automatic", key] ? value["asked", key] : value["automatic", key]
	return n <= limit ? "met" : "missed"
}
function sizes(kind, heading,   i, name) {
	printf "\n| %s | before | asked | automatic |\n|---|---|---|---|\n", heading
	for (i = 1; i <= total[kind]; i++) {
		name = names[kind, i]
		printf "| %s | %s | %s | %s |\n", name, told("before", kind " " name), told("asked", kind " " name), told("automatic", kind " " name)
	}
}
END {
	print "| | before | asked | automatic | goal | |\n|---|---|---|---|---|---|"
	row("dispatches", "dispatches", "", "")
	row("requests", "requests", "", "")
	row("bytes sent", "sent-B", "-40 % for the same dispatches", judged(change("before", "asked", "sent-B"), -40))
	printf "| of these, what no request before had at its beginning | %s | %s | %s | | %+.0f %% |\n", told("before", "fresh-B"), told("asked", "fresh-B"), told("automatic", "fresh-B"), change("before", "asked", "fresh-B")
	printf "| bytes sent, automatic beside asked | | | %+.0f %% | +25 %% | %s |\n", change("asked", "automatic", "sent-B"), change("asked", "automatic", "sent-B") <= 25 ? "met" : "missed"
	row("gates that a person answered", "answers", "-60 %", judged(change("before", "automatic", "answers"), -60))
	row("of these, answered with fix", "fixes", "", "")
	row("lines of 40 bytes and more that a request has twice, % of its text", "doubled-%", "5 %", most("doubled-%", 5))
	row("an executor's first request beside task and code, bytes", "executor-B", "10,240", most("executor-B", 10240))
	row("of these, what the program itself adds: not guide, phase, criteria, plan", "executor-own-B", "10,240", most("executor-own-B", 10240))
	row("prefix in common with the request before it, within a dispatch, %", "prefix-within-%", "", "")
	row("the same, of a dispatch's first request, %", "prefix-between-%", "", "")
	row("prefix in common with any request before it, of a dispatch's first request, %", "prefix-any-%", "", "")
	sizes("persona", "bytes sent, by persona")
	sizes("section", "bytes sent, by section of the first prompt")
}
