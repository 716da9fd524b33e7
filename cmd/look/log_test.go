package look

import (
	"strings"
	"testing"
)

func TestLogFitsANarrowTerminal(t *testing.T) {
	lines := "[2026-01-02T15:04:05Z] [SESSION-1] INIT\n" +
		"[2026-01-02T15:04:06Z] [SESSION-1] Starting [task-001] Write the greeting (base=88c852fc)\n" +
		"no line of the program's\n" +
		"[2026-01-03T00:00:00Z] [SESSION-2] CHECKPOINT question g13 (continue): Phase 1 is complete. Go on?\n"
	want := "2026-01-02 (UTC), run 1\n15:04:05  INIT\n15:04:06  Starting [task-001] Write the\n          greeting (base=88c852fc)\n" +
		"no line of the program's\n" +
		"2026-01-03 (UTC), run 2\n00:00:00  CHECKPOINT question g13 (continue):\n          Phase 1 is complete. Go on?\n"
	first, rest, _ := strings.Cut(lines, "no line")
	shown := &logText{width: 46}
	if got := shown.of(first) + shown.of("no line"+rest); got != want {
		t.Errorf("printed\n%s\nwant\n%s", got, want)
	}
	if got := (&logText{}).of(lines); got != lines {
		t.Errorf("without a terminal:\n%s", got)
	}
}
