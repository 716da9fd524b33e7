package tasks

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"autopilot/autopilot/checks"
	"autopilot/autopilot/git"
	"autopilot/autopilot/integrity"
	"autopilot/sessions/taskfile"
)

// integrity looks at a task's work for tests and checks that lost their force. The format has no list of files, so that
// any may change; of tests those that changes_tests names.
func (l *Loop) integrity(ctx context.Context, t taskfile.ListedTask, work []git.Change) error {
	base, err := l.checkedFrom(ctx, t)
	if err != nil {
		return err
	}
	if base != "HEAD" {
		if work, err = l.since(ctx, t); err != nil {
			return err
		}
	}
	changes, err := checks.Sides(ctx, l.Repo, work, base)
	if err != nil {
		return err
	}
	status, err := l.Repo.Tree.Status(ctx)
	if err != nil {
		return err
	}
	for _, f := range status.Refused {
		l.say("finding", "%s: %s: left out of the commit; %s", integrity.Important, f.Path, f.Why)
	}
	var critical []string
	for _, f := range integrity.Integrity(changes, integrity.Allowed{Owns: []string{"**"}, ChangesTests: t.ChangesTests}) {
		text := fmt.Sprintf("%s: %s:%d %s", f.Severity, f.File, f.Line, f.Title)
		l.say("finding", "%s", text)
		if f.Severity == integrity.Critical {
			critical = append(critical, text)
		}
	}
	if len(critical) > 0 {
		return &failure{taskfile.CategoryTaskExec, "it weakens what checks it: " + strings.Join(critical, "; ")}
	}
	return nil
}

// checkedFrom is the commit that a task's work is compared with: HEAD, but where the task's own commits, and no others,
// stand between. Where every commit counts, it is the base.
func (l *Loop) checkedFrom(ctx context.Context, t taskfile.ListedTask) (string, error) {
	every, err := l.every(t)
	if base := baseOf(t); err != nil || every && base != "" && l.Repo.History.Exists(ctx, base) {
		return base, err
	}
	own, foreign, err := l.commits(ctx, t)
	if len(own) > 0 && len(foreign) == 0 {
		return baseOf(t), err
	}
	return "HEAD", err
}

// undone says whether nothing is left of what was committed or changed since the task's base.
func (l *Loop) undone(ctx context.Context, t taskfile.ListedTask, work []git.Change) (bool, error) {
	base := baseOf(t)
	if base == "" || !l.Repo.History.Exists(ctx, base) {
		return false, nil
	}
	committed, err := l.Repo.History.Differing(ctx, base, "HEAD")
	if err != nil {
		return false, err
	}
	done := append(committed, git.Paths(work)...)
	changes, err := l.Repo.Tree.Changes(ctx, base)
	return !slices.ContainsFunc(git.Paths(changes), func(p string) bool { return slices.Contains(done, p) }), err
}

// since lists what differs from the task's base and is not the user's.
func (l *Loop) since(ctx context.Context, t taskfile.ListedTask) ([]git.Change, error) {
	changes, err := l.Repo.Tree.Changes(ctx, baseOf(t))
	if err != nil {
		return nil, err
	}
	b, _, err := l.remembered(t)
	return slices.DeleteFunc(changes, func(c git.Change) bool { return slices.Contains(b.Users, c.Path) }), err
}
