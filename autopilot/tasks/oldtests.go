package tasks

import (
	"context"
	"fmt"
	"strings"

	"autopilot/autopilot/git"
	"autopilot/autopilot/integrity"
	"autopilot/autopilot/machine"
	"autopilot/autopilot/proof"
	"autopilot/autopilot/validate"
	"autopilot/sessions/taskfile"
)

// oldTests asks the old tests about a task's work, changes of a base: what passed before and fails now ends the attempt,
// unless changes_tests announces it.
func (a attempts) oldTests(ctx context.Context, t taskfile.ListedTask, passed validate.Evidence, base string, work []git.Change, sides []integrity.Change) error {
	if a.old.Off() {
		return nil
	}
	q, err := a.question(ctx, t, passed, base, work, sides)
	if err != nil || q.Base == "" {
		return err // a repository without a commit has no old tests
	}
	shown, err := a.old.Ask(ctx, q, []machine.Task{{ChangesTests: t.ChangesTests}})
	for _, f := range shown.Findings {
		what, output, _ := strings.Cut(f.Rationale, "\n")
		text := strings.TrimSpace(fmt.Sprintf("%s: %s\n%s", f.Title, what, lastLines(output)))
		if f.Severity == machine.Critical {
			return &failure{taskfile.CategoryTaskExec, text}
		}
		a.say("finding", "%s: %s", f.Severity, text)
	}
	return err
}

// question is what the old tests are asked of a task's command, which passed.
func (a attempts) question(ctx context.Context, t taskfile.ListedTask, passed validate.Evidence, base string, work []git.Change, sides []integrity.Change) (proof.Question, error) {
	command := proof.Command{Validation: a.commands.validation(t), Took: passed.Duration}
	if passed.Counts != nil {
		command.Ran = passed.Counts.Ran
	}
	q := proof.About(base, work, validate.Scripts(a.repo.Root(), []validate.Validation{command.Validation}, integrity.Before(sides)))
	q.Commands = []proof.Command{command}
	if base == "HEAD" { // the clean tree has another one
		position, err := a.repo.Position(ctx)
		q.Base = position.Head
		return q, err
	}
	return q, nil
}
