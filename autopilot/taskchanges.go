package autopilot

import (
	"context"
	"slices"
	"strings"

	"autopilot/autopilot/git"
	"autopilot/autopilot/machine"
)

// work is what is to count as a task's.
type work struct {
	changes    []change
	base       string         // the commit that they are changes of
	announcing []machine.Task // whose announcements they are held against
	committed  bool           // a person committed what the task announces, since it was begun
}

// taskChanges lists the work of a task, as changes of the commit that HEAD was when its agent began, and holds it against the
// task's own announcements: what was committed since the task was begun is somebody else's. What a human fixed by hand
// may be committed as well, and is held against the announcements of the whole plan, since other tasks went on meanwhile;
// what they committed is not this one's work.
func (e *Engine) taskChanges(ctx context.Context, step machine.Step, t machine.Task, head string) (work, error) {
	w := work{announcing: []machine.Task{t}}
	var err error
	if step.Name != machine.StepRescue {
		if w.base, err = e.diffBase(ctx, t, head); err != nil {
			return w, err
		}
		if w.changes, err = e.workOf(ctx, t, w.base); err == nil && w.base != t.Base && len(w.changes) == 0 {
			w.committed, err = e.committedSince(ctx, t, head)
		}
		return w, err
	}
	w.base, w.announcing = t.Base, append(planned(e.Journal.State().Tasks), t)
	if w.changes, err = e.workOf(ctx, t, t.Base); err != nil {
		return w, err
	}
	others, err := e.doneByOthers(ctx, t)
	w.changes = slices.DeleteFunc(w.changes, func(c change) bool { return slices.Contains(others, c.Path) })
	return w, err
}

// diffBase is the commit whose changes are a task's work: where it was begun, or HEAD, once others committed since.
func (e *Engine) diffBase(ctx context.Context, t machine.Task, head string) (string, error) {
	if head == t.Base {
		return head, nil
	}
	commits, err := e.Repo.History.Between(ctx, t.Base, head)
	own := func(c git.Described) bool { // left in by a hook that changed files at each commit
		return e.isOurs(c) && c.Trailer("Autopilot-Task") == t.ID
	}
	if err != nil || slices.ContainsFunc(commits, own) {
		return t.Base, err
	}
	return head, nil
}

// committedSince says whether something that a task announces is not what it was when the task was begun, and a commit has
// it that the session did not make: what another task committed is no work of this one.
func (e *Engine) committedSince(ctx context.Context, t machine.Task, head string) (bool, error) {
	changes, err := e.workOf(ctx, t, t.Base)
	announced := slices.DeleteFunc(git.Paths(changes), func(p string) bool { return !t.Announces(p) })
	if err != nil || len(announced) == 0 {
		return false, err
	}
	commits, err := e.Repo.History.Between(ctx, t.Base, head)
	for _, c := range commits {
		if e.isOurs(c) || len(c.Parents) == 0 {
			continue
		}
		paths, err := e.Repo.History.Differing(ctx, c.Parents[0], c.SHA)
		if err != nil || len(newIn(announced, paths)) < len(announced) {
			return err == nil, err
		}
	}
	return false, err
}

// isOurs says whether the session made a commit.
func (e *Engine) isOurs(c git.Described) bool {
	return strings.HasPrefix(c.Trailer(git.KeyTrailer), e.Journal.State().SessionID+"/")
}
