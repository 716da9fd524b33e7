package tasks

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"autopilot/autopilot/jsonedit"
	"autopilot/autopilot/machine"
	"autopilot/sessions/taskfile"
)

// comparison is of a list with what it was: everything that only the program, or a person between two tasks, may change
// becomes what it was. New tasks stay, as nobody began them.
type comparison struct {
	before taskfile.TaskList
	own    string                                 // the id of the task that is worked on
	passed func(was, is taskfile.ListedTask) bool // whether other workers can have done that, in a concurrent list
	told   []string                               // what was put back, an entry each
	weaker bool                                   // of the own task what decides what checks it was changed
}

// putBack makes a list what it was.
func (c *comparison) putBack(list *taskfile.TaskList) {
	c.head(list)
	found, now := places(list.Tasks), map[place]int{}
	for i, p := range found {
		now[p] = i
	}
	known := map[place]bool{}
	for i, p := range places(c.before.Tasks) {
		known[p] = true
		if at, there := now[p]; there {
			c.entry(p, c.before.Tasks[i], &list.Tasks[at])
			continue
		}
		c.told = append(c.told, p.id+" was removed")
		c.weaker = c.weaker || p.id == c.own
		list.Tasks = append(list.Tasks, c.before.Tasks[i])
	}
	for i, p := range found {
		if !known[p] {
			c.added(p, &list.Tasks[i])
		}
	}
}

// place tells entries apart that hands gave the same id.
type place struct {
	id string
	n  int
}

func places(tasks []taskfile.ListedTask) []place {
	seen := map[string]int{}
	all := make([]place, len(tasks))
	for i, t := range tasks {
		all[i] = place{t.ID, seen[t.ID]}
		seen[t.ID]++
	}
	return all
}

// head puts back what is beside the tasks. Runs of other workers may have been counted.
func (c *comparison) head(list *taskfile.TaskList) {
	right := c.before
	if c.before.Config.IsConcurrent() && list.SessionCount >= right.SessionCount {
		right.SessionCount, right.LastSession = list.SessionCount, list.LastSession
	}
	was, is := right, *list
	was.Tasks, is.Tasks = nil, nil
	if texts, _ := differing(was, is); len(texts) > 0 {
		c.told = append(c.told, strings.Join(texts, ", "))
		right.Tasks = list.Tasks
		*list = right
	}
}

// entry puts a task back that was there before.
func (c *comparison) entry(p place, was taskfile.ListedTask, is *taskfile.ListedTask) {
	right := was
	right.Checkpoints, right.ErrorLog = grown(was.Checkpoints, is.Checkpoints), grown(was.ErrorLog, is.ErrorLog)
	if same(was.ClaimedBy, is.ClaimedBy) {
		right.LeaseExpiresAt = is.LeaseExpiresAt
	}
	if c.before.Config.IsConcurrent() && p.id != c.own && c.passed(was, *is) {
		right = progressed(was, *is)
	}
	texts, fields := differing(right, *is)
	if len(texts) == 0 {
		return
	}
	c.told = append(c.told, p.id+": "+strings.Join(texts, ", "))
	c.weaker = c.weaker || p.id == c.own && weakens(fields)
	*is = right
}

// added lets a new task begin as nobody's.
func (c *comparison) added(p place, is *taskfile.ListedTask) {
	right := progressed(*is, taskfile.ListedTask{Status: machine.TaskPending})
	if c.before.Config.IsConcurrent() && c.passed(right, *is) {
		return
	}
	right.ErrorLog = is.ErrorLog
	if texts, _ := differing(right, *is); len(texts) > 0 {
		c.told = append(c.told, p.id+", which is new: "+strings.Join(texts, ", "))
		*is = right
	}
}

// progressed is a task with what another one tells of how far it came.
func progressed(t, by taskfile.ListedTask) taskfile.ListedTask {
	t.Status, t.Attempts, t.StartedAtCommit, t.ErrorLog, t.Checkpoints = by.Status, by.Attempts, by.StartedAtCommit, by.ErrorLog, by.Checkpoints
	t.ClaimedBy, t.ClaimedAt, t.LeaseExpiresAt = by.ClaimedBy, by.ClaimedAt, by.LeaseExpiresAt
	t.CompletedAt, t.FailedAt, t.Commit = by.CompletedAt, by.FailedAt, by.Commit
	return t
}

// grown is a list that was only added to; any other change is none.
func grown[T any](was, is []T) []T {
	if len(was) == 0 || len(is) >= len(was) && bytes.Equal(jsonedit.Compact(was), jsonedit.Compact(is[:len(was)])) {
		return is
	}
	return was
}

func same(a, b *string) bool { return a == b || a != nil && b != nil && *a == *b }

// differing tells in which fields of the format two values differ, each as text for people and by its name.
func differing(right, is any) (texts, names []string) {
	was, now := map[string]json.RawMessage{}, map[string]json.RawMessage{}
	_, _ = json.Unmarshal(jsonedit.Compact(right), &was), json.Unmarshal(jsonedit.Compact(is), &now)
	for _, name := range slices.Sorted(maps.Keys(merged(was, now))) {
		if before, after := some(was[name]), some(now[name]); before != after {
			names = append(names, name)
			texts = append(texts, fmt.Sprintf("%s was %s and became %s", name, shown(before), shown(after)))
		}
	}
	return texts, names
}

func merged(a, b map[string]json.RawMessage) map[string]json.RawMessage {
	all := maps.Clone(a)
	maps.Copy(all, b)
	return all
}

// maxShown is how much of a value is told.
const maxShown = 1000

// some is a value as it is written; what is absent, null or empty is none.
func some(raw json.RawMessage) string {
	switch text := string(raw); text {
	case "", "null", "[]", `""`:
		return "nothing"
	default:
		return text
	}
}

func shown(text string) string {
	if len(text) <= maxShown {
		return text
	}
	return fmt.Sprintf("%s… (%d bytes)", strings.ToValidUTF8(text[:maxShown], ""), len(text))
}
