package taskfile

import (
	"strconv"
	"strings"
	"time"

	"autopilot/autopilot/jsonedit"
	"autopilot/autopilot/machine"
)

// What other programs, agents and hands write into a list never makes it unreadable: a value of the wrong kind counts as one
// that is not there.

// blankTask is a task of which the file says nothing.
func blankTask() ListedTask {
	return ListedTask{Status: machine.TaskPending, MaxAttempts: DefaultListedAttempts}
}

// blankList is a list of which the file says nothing.
func blankList() TaskList {
	return TaskList{Config: ListConfig{
		ConcurrencyMode:    Exclusive,
		MaxTasksPerSession: DefaultTasksPerSession,
		MaxSessions:        DefaultSessions,
	}}
}

func readList(n jsonedit.Node) TaskList {
	l := blankList()
	read(n, "version", countOf, &l.Version)
	readMaybe(n, "created", timeOf, &l.Created)
	config := n.Member("session_config")
	read(config, "concurrency_mode", wordOf, &l.Config.ConcurrencyMode)
	read(config, "max_tasks_per_session", countOf, &l.Config.MaxTasksPerSession)
	read(config, "max_sessions", countOf, &l.Config.MaxSessions)
	read(n, "session_count", countOf, &l.SessionCount)
	readMaybe(n, "last_session", timeOf, &l.LastSession)
	for i, e := range n.Member("tasks").Elements() {
		if e.Kind() == '{' {
			l.Tasks = append(l.Tasks, readTask(e))
		} else {
			l.NoTasks = append(l.NoTasks, i)
		}
	}
	return l
}

func readTask(n jsonedit.Node) ListedTask {
	t := blankTask()
	read(n, "id", wordOf, &t.ID)
	read(n, "title", wordOf, &t.Title)
	read(n, "description", wordOf, &t.Description)
	t.Steps = linesOf(n.Member("steps"))
	read(n, "status", wordOf, &t.Status)
	read(n, "priority", wordOf, &t.Priority)
	t.DependsOn = dependencies(n.Member("depends_on"))
	read(n, "attempts", countOf, &t.Attempts)
	read(n, "max_attempts", countOf, &t.MaxAttempts)
	readMaybe(n, "started_at_commit", wordOf, &t.StartedAtCommit)
	validation := n.Member("validation")
	read(validation, "command", textOf, &t.Validation.Command)
	read(validation, "timeout_seconds", countOf, &t.Validation.TimeoutSeconds)
	readMaybe(n.Member("on_failure"), "cleanup", textOf, &t.OnFailure.Cleanup)
	t.ChangesTests = linesOf(n.Member("changes_tests"))
	t.ErrorLog = linesOf(n.Member("error_log"))
	for _, e := range n.Member("checkpoints").Elements() {
		t.Checkpoints = append(t.Checkpoints, readMilestone(e))
	}
	readMaybe(n, "completed_at", timeOf, &t.CompletedAt)
	readMaybe(n, "claimed_by", wordOf, &t.ClaimedBy)
	readMaybe(n, "lease_expires_at", timeOf, &t.LeaseExpiresAt)
	readMaybe(n, "claimed_at", timeOf, &t.ClaimedAt)
	readMaybe(n, "failed_at", timeOf, &t.FailedAt)
	read(n, "commit", wordOf, &t.Commit)
	read(n, "outages", countOf, &t.Outages)
	return t
}

func readMilestone(n jsonedit.Node) Milestone {
	var m Milestone
	read(n, "step", countOf, &m.Step)
	read(n, "total", countOf, &m.Total)
	read(n, "description", wordOf, &m.Description)
	read(n, "timestamp", timeOf, &m.Timestamp)
	return m
}

// read takes over a member, where it can be read.
func read[V any](n jsonedit.Node, key string, as func(jsonedit.Node) (V, bool), to *V) {
	if v, ok := as(n.Member(key)); ok {
		*to = v
	}
}

// readMaybe is read for what may be missing.
func readMaybe[V any](n jsonedit.Node, key string, as func(jsonedit.Node) (V, bool), to **V) {
	if v, ok := as(n.Member(key)); ok {
		*to = &v
	}
}

// wordOf reads a text. Other values than texts count as they are written; null and the empty text are none.
func wordOf(n jsonedit.Node) (string, bool) {
	word := n.Text()
	return word, word != "" && n.Kind() != 'n'
}

// textOf reads what is a text and nothing else.
func textOf(n jsonedit.Node) (string, bool) { return n.Text(), n.Kind() == '"' }

// maxCount is the highest number that is taken from a file: what is added to it must still be one.
const maxCount = 1 << 30

// countOf reads a whole number, also one that is written as a text. There are none below 0.
func countOf(n jsonedit.Node) (int, bool) {
	text := strings.TrimSpace(n.Text())
	x, err := strconv.ParseFloat(text, 64)
	if text == "" || strings.Trim(text, "+-.0123456789eE") != "" || err != nil && x == 0 {
		return 0, false
	}
	return int(min(max(x, 0), maxCount)), true
}

// layouts are the ways to write a time that the other programs take; one without a zone is UTC.
var layouts = []string{
	time.RFC3339Nano, "2006-01-02T15:04:05.999999999", "2006-01-02 15:04:05.999999999Z07:00", "2006-01-02 15:04:05.999999999",
	"2006-01-02T15:04Z07:00", "2006-01-02T15:04", "2006-01-02 15:04", time.DateOnly,
}

func timeOf(n jsonedit.Node) (time.Time, bool) {
	text, ok := textOf(n)
	if !ok {
		return time.Time{}, false
	}
	text = strings.TrimSpace(text)
	for _, layout := range layouts {
		if t, err := time.Parse(layout, text); err == nil {
			return t.UTC(), true
		}
	}
	return time.Time{}, false
}

// linesOf reads a list of texts; an element of another kind counts as it is written.
func linesOf(n jsonedit.Node) []string {
	var lines []string
	for _, e := range n.Elements() {
		lines = append(lines, e.Text())
	}
	return lines
}

// dependencies reads depends_on. What is neither a list nor null cannot be met: it counts as one dependency on a task
// that no list has.
func dependencies(n jsonedit.Node) []string {
	if kind := n.Kind(); kind != '[' && kind != 'n' && kind != 0 {
		return []string{NoDependencyList}
	}
	return linesOf(n)
}
