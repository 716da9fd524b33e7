package taskfile

import (
	"fmt"
	"strings"
	"time"

	"autopilot/autopilot/words"
)

// ProgressLine is one line of progress.txt, the log for grep:
// `[ISO time] [SESSION-n] TYPE [task-id]? [CATEGORY]? message`.
type ProgressLine struct {
	Time     time.Time // the clock's when zero
	Session  int       // the number of the run; that of the state when 0
	Type     string    // INIT Starting Completed ERROR CHECKPOINT ROLLBACK RECOVERY STATS LOCK WARN
	Task     string
	Category string // ENV_SETUP CONFIG TASK_EXEC TEST_FAIL TIMEOUT DEPENDENCY SESSION_TIMEOUT
	Message  string // line breaks are folded
	Key      string // a line with a key is written once; "" is none
}

// String is the line without its end.
func (p ProgressLine) String() string {
	parts := []string{
		"[" + p.Time.UTC().Format("2006-01-02T15:04:05Z") + "]", fmt.Sprintf("[SESSION-%d]", p.Session), p.Type,
	}
	for _, tag := range []string{p.Task, p.Category} {
		if tag != "" {
			parts = append(parts, "["+tag+"]")
		}
	}
	if p.Message != "" {
		parts = append(parts, words.OneLine(p.Message))
	}
	if p.Key != "" {
		parts = append(parts, "{#"+p.Key+"}")
	}
	return strings.Join(parts, " ")
}
