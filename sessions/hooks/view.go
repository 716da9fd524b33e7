package hooks

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"autopilot/autopilot/machine"
	"autopilot/sessions/taskfile"
)

// view is a task list as one worker sees it.
type view struct {
	list    taskfile.TaskList
	able    []taskfile.ListedTask // could begin now, the next one first
	running []taskfile.ListedTask
}

// look sorts a list for a worker. Where several work at a time, a task whose holder's lease is past could be taken over:
// a claim reaps it first.
func look(list taskfile.TaskList, now time.Time) view {
	v := view{list: list}
	for _, t := range list.Tasks {
		if t.Status == machine.TaskRunning {
			v.running = append(v.running, t)
		}
	}
	if list.Config.IsConcurrent() {
		list.Tasks = slices.Clone(list.Tasks)
		list.Reap(now)
	}
	v.able = list.Eligible()
	return v
}

// held lists the running tasks that one of these workers has; with unnamed also those that nobody claimed by name.
func (v view) held(unnamed bool, workers ...string) []taskfile.ListedTask {
	var held []taskfile.ListedTask
	for _, t := range v.running {
		by := t.Holder()
		if by == "" && unnamed || by != "" && slices.Contains(workers, by) {
			held = append(held, t)
		}
	}
	return held
}

// counts is "completed=1 pending=2 failed=1 in_progress=1 total=5", without what there is none of. Blocked are those of
// the pending ones that can never begin.
func (v view) counts() string {
	c := v.list.Counts()
	var b strings.Builder
	for _, part := range []struct {
		name string
		n    int
	}{
		{"completed", c.Completed}, {"pending", c.Pending}, {"failed", c.Failed}, {"in_progress", c.Running}, {"blocked", c.Blocked},
	} {
		if part.n > 0 {
			fmt.Fprintf(&b, "%s=%d ", part.name, part.n)
		}
	}
	fmt.Fprintf(&b, "total=%d", c.Total)
	return b.String()
}

// summary is the counts with the next task.
func (v view) summary() string {
	if len(v.able) == 0 {
		return "HARNESS: " + v.counts()
	}
	return "HARNESS: " + v.counts() + " next=" + named(v.able[0])
}

// named is "task-001: title".
func named(t taskfile.ListedTask) string {
	id, title := short(t.ID), short(t.Title)
	if title == "" {
		return id
	}
	return id + ": " + title
}

// maxText is how much of a text of the task file or the log stands in an answer, in characters.
const maxText = 220

// short is a text on one line, cut to a length that an agent reads.
func short(s string) string {
	return cut(strings.Join(strings.Fields(clip(s, 8*maxText)), " "), maxText)
}

// cut shortens a text to a number of characters, and shows that it did.
func cut(s string, most int) string {
	if runes := []rune(s); len(runes) > most {
		return string(runes[:most-3]) + "..."
	}
	return s
}

// clip takes at most so many bytes of a text, so that cutting one of megabytes stays cheap.
func clip(s string, most int) string { return s[:min(len(s), most)] }
