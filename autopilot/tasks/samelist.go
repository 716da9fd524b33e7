package tasks

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"autopilot/autopilot/git"
	"autopilot/autopilot/machine"
	"autopilot/sessions/taskfile"
)

// listGuard has the list be what the program made of it.
type listGuard struct {
	claims
	repo *git.Repo
	root string
	seen *firstSeen
}

// firstSeen is a concurrent list as a run saw it first.
type firstSeen struct {
	tasks  map[place]taskfile.ListedTask
	config taskfile.ListConfig
}

// keepList reads the list, before something runs that could write into it, and keeps a copy of its file.
func (g listGuard) keepList(ctx context.Context) (taskfile.TaskList, error) {
	list, err := g.file.Keep(ctx, filepath.Join(g.repo.CommonDir(), "autopilot", "tasks-list-"+RefPart(g.root)+".json"))
	if err == nil && list.Config.IsConcurrent() || g.seen.tasks != nil {
		g.asSeen(&list)
	}
	return list, err
}

// asSeen gives the tasks of a concurrent list what was seen of them first in this run, but for how far they came: what
// stands there now another worker's agent may have written, and its worker be about to put back.
func (g listGuard) asSeen(list *taskfile.TaskList) {
	if g.seen.tasks == nil {
		*g.seen = firstSeen{map[place]taskfile.ListedTask{}, list.Config}
	}
	list.Config = g.seen.config
	for i, p := range places(list.Tasks) {
		if first, known := g.seen.tasks[p]; known {
			list.Tasks[i] = progressed(first, list.Tasks[i])
		} else {
			g.seen.tasks[p] = list.Tasks[i]
		}
	}
}

// sameList puts back what somebody who is not the program wrote into the list while it worked on a task: an agent, a
// command of the task, a hook of git. It tells what it puts back, so that a person who wrote it can enter it again.
// What would weaken the check of the task itself is a failure; a task that was rightly given to somebody else is lost.
func (g listGuard) sameList(ctx context.Context, t taskfile.ListedTask, before taskfile.TaskList, who string) error {
	back, err := g.file.BringBack(ctx)
	if err != nil {
		return fmt.Errorf("bringing harness-tasks.json back: %w", err)
	}
	if back {
		g.say("finding", "%s removed or reverted harness-tasks.json; it was written again", who)
		if err := g.file.Activate(); err != nil {
			return err
		}
	}
	c := comparison{before: before, own: t.ID, passed: func(was, is taskfile.ListedTask) bool { return g.passedOn(ctx, was, is) }}
	lost := false
	if err := g.file.Update(ctx, func(list *taskfile.TaskList) error {
		now := list.Find(t.ID)
		if lost = now != nil && before.Config.IsConcurrent() && !g.claims.mine(list, *now) && g.passedOn(ctx, t, *now); lost {
			c.own = "" // it is as any other's
		}
		if c.putBack(list); len(c.told) == 0 || lost {
			return nil
		}
		_, err := list.Renew(t.ID, g.worker, g.now(), g.lease)
		return err
	}); err != nil {
		return err
	}
	g.tellPutBack(t, who, c.told)
	switch {
	case lost:
		return &lostError{taskfile.ErrNotYours}
	case c.weaker:
		return &failure{taskfile.CategoryTaskExec, who + " changed the task's own entry in harness-tasks.json, which decides what checks it; it was put back"}
	}
	return nil
}

// maxPutBack is how many changes of a list are told in full.
const maxPutBack = 20

func (g listGuard) tellPutBack(t taskfile.ListedTask, who string, told []string) {
	for _, what := range told[:min(len(told), maxPutBack)] {
		g.say("finding", "%s, or you, changed harness-tasks.json during %s, and it was put back: %s", who, t.ID, what)
	}
	if n := len(told) - maxPutBack; n > 0 {
		g.say("finding", "%s more of harness-tasks.json were put back", machine.Plural(n, "entry", "entries"))
	}
}

// passedOn says whether what happened to a task since is what other programs do with one: claimed with a name, failed
// with one more attempt and a reason, given back, or completed by a commit on the line that names it.
func (g listGuard) passedOn(ctx context.Context, was, is taskfile.ListedTask) bool {
	if was.Status == machine.TaskCompleted {
		return is.Status == machine.TaskPending && !g.onLine(ctx, was) // an agent's word was put back
	}
	if is.Attempts < was.Attempts {
		return false
	}
	given := was.Status == machine.TaskRunning || was.Status == is.Status
	switch is.Status {
	case machine.TaskRunning:
		return is.ClaimedBy != nil && *is.ClaimedBy != ""
	case machine.TaskFailed:
		reason := len(is.ErrorLog) > len(was.ErrorLog) && (is.Attempts > was.Attempts || strings.HasPrefix(is.ErrorLog[len(is.ErrorLog)-1], "["+taskfile.CategoryDependency+"]"))
		return reason || given && is.Attempts > 0 && is.Attempts == was.Attempts
	case machine.TaskPending:
		return given && is.Attempts == was.Attempts
	case machine.TaskCompleted:
		return g.onLine(ctx, is)
	}
	return false
}

// onLine says whether a task's commit names it, and is part of what the workers did.
func (g listGuard) onLine(ctx context.Context, t taskfile.ListedTask) bool {
	if g.alone || t.Commit == "" {
		return false
	}
	c, err := g.repo.History.Describe(ctx, t.Commit)
	if err != nil || !names(c, t.ID) {
		return false
	}
	on, err := g.repo.History.IsAncestor(ctx, t.Commit, LineRef)
	return err == nil && on
}

// weakening are the fields of a task that decide what checks it.
var weakening = []string{"validation", "changes_tests", "on_failure", "depends_on", "max_attempts", "attempts"}

func weakens(changed []string) bool {
	return slices.ContainsFunc(changed, func(field string) bool { return slices.Contains(weakening, field) })
}
