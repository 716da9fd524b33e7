package tasks

import (
	"context"
	"fmt"
	"strings"

	"autopilot/autopilot/checks"
	"autopilot/autopilot/git"
	"autopilot/autopilot/integrity"
	"autopilot/autopilot/validate"
	"autopilot/sessions/taskfile"
)

// integrity looks at a task's work for tests and checks that lost their force. The format has no list of files, so that
// any may change; of tests those that changes_tests names. What its validation showed is asked of the old tests, too, where
// it passed.
func (a attempts) integrity(ctx context.Context, t taskfile.ListedTask, work []git.Change, ev validate.Evidence) error {
	base, err := a.own.checkedFrom(ctx, t)
	if err != nil {
		return err
	}
	if base != "HEAD" {
		if work, err = a.own.since(ctx, t); err != nil {
			return err
		}
	}
	changes, err := checks.Sides(ctx, a.repo, work, base)
	if err != nil {
		return err
	}
	status, err := a.repo.Tree.Status(ctx)
	if err != nil {
		return err
	}
	for _, f := range status.Refused {
		a.say("finding", "%s: %s: left out of the commit; %s", integrity.Important, f.Path, f.Why)
	}
	var critical []string
	for _, f := range integrity.Integrity(changes, integrity.Allowed{Owns: []string{"**"}, ChangesTests: t.ChangesTests}) {
		text := fmt.Sprintf("%s: %s:%d %s", f.Severity, f.File, f.Line, f.Title)
		a.say("finding", "%s", text)
		if f.Severity == integrity.Critical {
			critical = append(critical, text)
		}
	}
	if len(critical) > 0 {
		return &failure{taskfile.CategoryTaskExec, "it weakens what checks it: " + strings.Join(critical, "; ")}
	}
	if ev.Outcome != validate.Passed {
		return nil
	}
	return a.oldTests(ctx, t, ev, base, work, changes)
}
