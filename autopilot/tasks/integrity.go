package tasks

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"autopilot/autopilot/checks"
	"autopilot/autopilot/git"
	"autopilot/autopilot/integrity"
	"autopilot/autopilot/machine"
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
	if err := a.tooMuch(ctx, t, work); err != nil {
		return err
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

// tooMuch refuses what is too much to be committed unasked, since nobody is there to be asked: unless the text of the task names
// it, or a person did it.
func (a attempts) tooMuch(ctx context.Context, t taskfile.ListedTask, work []git.Change) error {
	large := checks.LargeOf(a.repo.Root(), checks.TooMuch(a.repo.Root(), work, []machine.Task{{Files: named(t)}}))
	b, _, err := a.notes.remembered(ctx, t)
	if err != nil || large == nil || b.ByHand {
		return err
	}
	return &failure{taskfile.CategoryTaskExec, checks.AskAgain(*large)}
}

// named are the words of a task that can be paths.
func named(t taskfile.ListedTask) []string {
	words := strings.Fields(t.Title + " " + t.Description + " " + strings.Join(t.Steps, " "))
	for i, w := range words {
		words[i] = strings.TrimRight(strings.Trim(w, "`'\"(),;:"), ".,;:")
	}
	return slices.DeleteFunc(words, func(w string) bool { return strings.Trim(w, "*./") == "" })
}
