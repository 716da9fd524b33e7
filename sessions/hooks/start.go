package hooks

import (
	"cmp"
	"strings"
	"time"

	"autopilot/sessions/taskfile"
)

// SessionStart tells an agent whose session starts where the list stands. The log is the end of harness-progress.txt.
func SessionStart(list taskfile.TaskList, log string, now time.Time) Answer {
	text := look(list, now).summary()
	if last := lastOf(log); last != "" {
		text += "\nHARNESS: last_log=" + last
	}
	return tell(text)
}

// SessionStartUnreadable is the answer of the session start where the task file cannot be read.
func SessionStartUnreadable(err error) Answer {
	return tell("HARNESS: CONFIG error: harness-tasks.json cannot be read: " + short(err.Error()) +
		"\nPut it back from harness-tasks.json.bak, or ask a human; write nothing over it.")
}

// lastOf is the last STATS line of the log, or else its last line.
func lastOf(log string) string {
	last, stats := "", ""
	for l := range strings.Lines(log) {
		if l = strings.TrimSpace(l); l != "" {
			last = l
		}
		if strings.Contains(" "+l+" ", " STATS ") {
			stats = l
		}
	}
	return short(cmp.Or(stats, last))
}
