# Makes a table of the lines of go test -bench: the median of each metric, and whether it keeps to its goal.
function median(key,   n, i, j, v, all) {
	n = count[key]
	for (i = 1; i <= n; i++) all[i] = value[key, i]
	for (i = 2; i <= n; i++)
		for (j = i; j > 1 && all[j] + 0 < all[j - 1] + 0; j--) { v = all[j]; all[j] = all[j - 1]; all[j - 1] = v }
	return n % 2 ? all[(n + 1) / 2] : (all[n / 2] + all[n / 2 + 1]) / 2
}
function time(ns) { return ns >= 1e9 ? sprintf("%.1f s", ns / 1e9) : ns >= 1e6 ? sprintf("%.1f ms", ns / 1e6) : sprintf("%.0f us", ns / 1e3) }
function row(what, ours, theirs, measured, goal, met) { printf "%-26s %10s %10s %10s %10s  %s\n", what, ours, theirs, measured, goal, met }
function judged(what, ours, theirs, unit, measured, goal) {
	row(what, ours, theirs, sprintf(unit, measured), "<= " sprintf(unit, goal), measured <= goal ? "met" : "missed")
}
/^Benchmark/ {
	name = $1
	sub(/^Benchmark/, "", name)
	sub(/-[0-9]+$/, "", name)
	if (!(name in seen)) { seen[name] = 1; names[++total] = name }
	for (i = 3; i < NF; i += 2) { key = name SUBSEP $(i + 1); value[key, ++count[key]] = $i }
}
END {
	row("what", "ours", "theirs", "measured", "goal", "")
	for (n = 1; n <= total; n++) {
		name = names[n]
		if (count[name, "ratio"] && !count[name, "goal-ratio"])
			row(name, time(median(name SUBSEP "ours-ns")), time(median(name SUBSEP "theirs-ns")), sprintf("%.2f x", median(name SUBSEP "ratio")), "", "")
		else if (count[name, "ratio"]) {
			judged(name, time(median(name SUBSEP "ours-ns")), time(median(name SUBSEP "theirs-ns")), "%.2f x", median(name SUBSEP "ratio"), median(name SUBSEP "goal-ratio"))
			if (count[name, "goal-ms"]) judged(name, "", "", "%.1f ms", median(name SUBSEP "ours-ns") / 1e6, median(name SUBSEP "goal-ms"))
		}
		if (count[name, "git/task"]) judged(name " git calls a task", "", "", "%d", median(name SUBSEP "git/task"), median(name SUBSEP "goal-git"))
		if (count[name, "page-ns"]) judged(name " page", "", "", "%.1f ms", median(name SUBSEP "page-ns") / 1e6, median(name SUBSEP "goal-page-ns") / 1e6)
		if (count[name, "zipped-B"]) judged(name " zipped", "", "", "%.1f kB", median(name SUBSEP "zipped-B") / 1024, median(name SUBSEP "goal-zipped-B") / 1024)
		if (count[name, "peak-B"]) judged(name " memory", "", "", "%.1f MB", median(name SUBSEP "peak-B") / 1048576, median(name SUBSEP "goal-B") / 1048576)
	}
}
