package changes

import (
	"context"
	"slices"
	"strings"

	"autopilot/autopilot/git"
	"autopilot/autopilot/machine"
)

// Work is what is to count as a task's.
type Work struct {
	Changes    []git.Change
	Base       string         // the commit that they are changes of
	Announcing []machine.Task // whose announcements they are held against
	Committed  bool           // a person committed what the task announces, since it was begun
}

// OfAttempt lists the work of a task, as changes of the commit that HEAD was when its agent began, and holds it against the
// task's own announcements: what was committed since the task was begun is somebody else's. What a human fixed by hand
// may be committed as well, and is held against the announcements of the whole plan, since other tasks went on meanwhile;
// what they committed is not this one's work.
func (cs Changes) OfAttempt(ctx context.Context, step machine.Step, t machine.Task, head string) (Work, error) {
	w := Work{Announcing: []machine.Task{t}}
	var err error
	if step.Name != machine.StepRescue {
		if w.Base, err = cs.DiffBase(ctx, t, head); err != nil {
			return w, err
		}
		if w.Changes, err = cs.OfTask(ctx, t, w.Base); err == nil && w.Base != t.Base && len(w.Changes) == 0 {
			w.Committed, err = cs.committedSince(ctx, t, head)
		}
		return w, err
	}
	w.Base, w.Announcing = t.Base, append(Planned(cs.Journal.State().Tasks), t)
	if w.Changes, err = cs.OfTask(ctx, t, t.Base); err != nil {
		return w, err
	}
	others, err := cs.doneByOthers(ctx, t)
	w.Changes = slices.DeleteFunc(w.Changes, func(c git.Change) bool { return slices.Contains(others, c.Path) })
	return w, err
}

// DiffBase is the commit whose changes are a task's work: where it was begun, or HEAD, once others committed since.
func (cs Changes) DiffBase(ctx context.Context, t machine.Task, head string) (string, error) {
	if head == t.Base {
		return head, nil
	}
	commits, err := cs.Repo.History.Between(ctx, t.Base, head)
	own := func(c git.Described) bool { // left in by a hook that changed files at each commit
		return cs.IsOurs(c) && c.Trailer("Autopilot-Task") == t.ID
	}
	if err != nil || slices.ContainsFunc(commits, own) {
		return t.Base, err
	}
	return head, nil
}

// committedSince says whether something that a task announces is not what it was when the task was begun, and a commit has
// it that the session did not make: what another task committed is no work of this one.
func (cs Changes) committedSince(ctx context.Context, t machine.Task, head string) (bool, error) {
	changes, err := cs.OfTask(ctx, t, t.Base)
	announced := slices.DeleteFunc(git.Paths(changes), func(p string) bool { return !t.Announces(p) })
	if err != nil || len(announced) == 0 {
		return false, err
	}
	commits, err := cs.Repo.History.Between(ctx, t.Base, head)
	for _, c := range commits {
		if cs.IsOurs(c) || len(c.Parents) == 0 {
			continue
		}
		paths, err := cs.Repo.History.Differing(ctx, c.Parents[0], c.SHA)
		if err != nil || len(NewIn(announced, paths)) < len(announced) {
			return err == nil, err
		}
	}
	return false, err
}

// IsOurs says whether the session made a commit.
func (cs Changes) IsOurs(c git.Described) bool {
	return strings.HasPrefix(c.Trailer(git.KeyTrailer), cs.Journal.State().SessionID+"/")
}

// Planned are the tasks that come from the plan: they say what it announced.
func Planned(tasks []machine.Task) []machine.Task {
	var list []machine.Task
	for _, t := range tasks {
		if t.Kind == machine.KindPlan {
			list = append(list, t)
		}
	}
	return list
}
