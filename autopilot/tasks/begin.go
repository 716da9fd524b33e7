package tasks

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"autopilot/autopilot/branches"
	"autopilot/autopilot/budget"
	"autopilot/autopilot/halt"
	"autopilot/autopilot/machine"
	"autopilot/sessions/taskfile"
)

// Open looks, before anything of the working tree is touched, whether there is something to do, and says false where
// there is not. What can never run is failed. Errors: those of Run.
func (l *Loop) Open(ctx context.Context) (bool, error) {
	if err := l.number(); err != nil {
		return false, err
	}
	var failed []taskfile.ListedTask
	if err := l.File.Update(ctx, func(list *taskfile.TaskList) error {
		if err := toldApart(list); err != nil {
			return err
		}
		failed = list.FailUnrunnable(l.Now())
		return nil
	}); err != nil {
		return false, err
	}
	if err := l.progress().logFailures(failed); err != nil {
		return false, err
	}
	list, err := l.File.Read()
	if err != nil {
		return false, err
	}
	if err := l.logLast(list); err != nil {
		return false, err
	}
	if _, more := list.Next(); !more && list.Counts().Running == 0 {
		return false, l.end(ctx, list)
	}
	if full := l.countable(list); full != nil {
		return true, full
	}
	return true, nil
}

// toldApart refuses a list with tasks of one id. A commit bears the id of its task: of two, the work of the one would be
// taken for that of the other.
func toldApart(list *taskfile.TaskList) error {
	if doubled := list.Doubled(); len(doubled) > 0 {
		return &halt.UsageError{Message: fmt.Sprintf("harness-tasks.json: %s\nGive each task an id of its own, then: autopilot tasks run", strings.Join(doubled, ", "))}
	}
	return nil
}

// countable says whether the list allows another run.
func (l *Loop) countable(list taskfile.TaskList) error {
	if most := orDefault(list.Config.MaxSessions, taskfile.DefaultSessions); list.SessionCount < most {
		return nil
	}
	return &budget.LimitError{What: fmt.Sprintf("%s made, as many as session_config.max_sessions allows\nTo go on, raise it in harness-tasks.json, then: autopilot tasks run", machine.Plural(list.SessionCount, "run was", "runs were"))}
}

// begin takes up what an earlier run left in progress, makes the working tree ready, and counts the run.
func (l *Loop) begin(ctx context.Context) error {
	list, err := l.File.Read()
	if err != nil {
		return err
	}
	for _, missing := range list.Missing() {
		l.progress().say("warning", "%s, which is not in the list: it can never begin.", missing)
		if err := l.progress().log("WARN", "", taskfile.CategoryDependency, missing+", which is not in the list"); err != nil {
			return err
		}
	}
	for _, wrong := range list.Miswritten() {
		l.progress().say("warning", "harness-tasks.json: %s: it can never begin.", wrong)
	}
	own := []string{snapshotsOf(l.Repo).Refs}
	if l.Line == nil { // else the other workers' refs are there too
		own = append(own, refOf())
	}
	for _, refs := range own {
		if err := branches.UnlockRefs(ctx, l.Repo, refs, l.Report); err != nil {
			return err
		}
	}
	if err := l.parts().recovery.takeUp(ctx); err != nil {
		return err
	}
	if err := l.parts().commands.makeReady(ctx); err != nil {
		return err
	}
	if l.Line == nil {
		if err := l.count(ctx); err != nil {
			return err
		}
	}
	return l.File.Activate()
}

// count counts the run, unless another one used up meanwhile what the list allows.
func (l *Loop) count(ctx context.Context) error {
	var full error
	err := l.File.Update(ctx, func(list *taskfile.TaskList) error {
		if full = l.countable(*list); full != nil {
			return full
		}
		now := l.Now().UTC().Truncate(time.Second)
		l.session = list.SessionCount + 1
		list.SessionCount, list.LastSession = l.session, &now
		return nil
	})
	if full != nil {
		return errors.Join(full, l.progress().stats())
	}
	return err
}

// logLast logs that a task was completed where a kill came between the file and the log: only the last one's line can be
// missing. Beside other workers nobody can tell which that is.
func (l *Loop) logLast(list taskfile.TaskList) error {
	var last time.Time
	for _, t := range list.Tasks {
		if t.CompletedAt != nil && t.CompletedAt.After(last) {
			last = *t.CompletedAt
		}
	}
	log := strings.Join(l.File.LastLines(logLines), "\n")
	for _, t := range list.Tasks {
		ours := t.Status == machine.TaskCompleted && t.Commit != "" && t.CompletedAt != nil && t.CompletedAt.Equal(last)
		if !ours || list.Config.IsConcurrent() || strings.Contains(log, "Completed ["+t.ID+"]") {
			continue
		}
		if err := l.progress().log("Completed", t.ID, "", fmt.Sprintf("(commit %s)", short(t.Commit))); err != nil {
			return err
		}
	}
	return nil
}
