package autopilot

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"autopilot/autopilot/check"
	"autopilot/autopilot/git"
	"autopilot/autopilot/machine"
)

// verify runs the project's commands, found anew, each distinct validation of the phase's tasks, the repository's own
// scripts, and the integrity checks over the phase's change. The fix rounds of REVIEW and FINAL_REVIEW use it too.
func (e *Engine) verify(ctx context.Context, step machine.Step) error {
	s := e.state()
	base, tasks := e.phase().StartCommit, planned(s.Tasks)
	if step.State == machine.FinalReview {
		base = s.StartingCommit
	}
	changes, err := e.mine(ctx, base)
	if err != nil {
		return err
	}
	ev := machine.Event{Type: machine.Checked, Waived: e.Settings.ValidateNone}
	if step.State != machine.FinalReview {
		if ev.Findings, err = e.integrity(ctx, changes, base, tasks); err != nil {
			return err
		}
	}
	log := verifyLog(s)
	if ev.Checks, ev.ByProducts, err = e.runChecks(ctx, e.Repo.Root(), e.phaseValidations(changes), log, false); err != nil {
		return err
	}
	scripts, findings := e.Checks.ValidateD(ctx, e.Repo.Root(), base)
	for _, one := range scripts {
		ev.Checks = append(ev.Checks, e.judge(one))
	}
	for _, f := range findings {
		if f.Severity != check.Critical {
			ev.Findings = append(ev.Findings, coreFinding(f, "check"))
		}
	}
	if err := e.writeVerify(ctx, s, ev, "commands"); err != nil {
		return err
	}
	return e.apply(ev)
}

// verifyLog is the file in the session's folder that has the output of the phase's commands.
func verifyLog(s machine.State) string { return fmt.Sprintf("phase-%d-verify.log", s.CurrentPhase+1) }

// phaseValidations are the project's commands, then what the tasks bring; where there are neither, those of the
// nearest manifest above each changed file.
func (e *Engine) phaseValidations(changes []change) []check.Validation {
	if e.Settings.ValidateNone {
		return nil
	}
	list := e.validations()
	for _, t := range e.state().Tasks {
		if t.Validation != "" && t.Kind == machine.KindPlan {
			list = append(list, e.limit([]check.Validation{{Command: t.Validation, Source: t.ID}})...)
		}
	}
	if len(list) > 0 {
		return list
	}
	near, err := check.FindNear(e.Repo.Root(), git.Paths(changes))
	if err != nil {
		e.note("warning", "The validation commands could not be found: "+err.Error())
	}
	return e.limit(near)
}

// planned are the tasks that come from the plan: they say what it announced.
func planned(tasks []machine.Task) []machine.Task {
	var list []machine.Task
	for _, t := range tasks {
		if t.Kind == machine.KindPlan {
			list = append(list, t)
		}
	}
	return list
}

func (e *Engine) writeVerify(ctx context.Context, s machine.State, ev machine.Event, where string) error {
	tree, err := e.Repo.TreeHash(ctx)
	if err != nil {
		return err
	}
	for i := range ev.Checks {
		ev.Checks[i].Tree = tree
	}
	return e.Records.WriteJSON(fmt.Sprintf("phase-%d-verify.json", s.CurrentPhase+1), map[string]any{
		"where": where, "tree": tree, "checks": ev.Checks, "findings": ev.Findings, "waived": ev.Waived,
	})
}

// verifyClean runs the commands once more in a clean worktree of HEAD: what only works beside files that git does not
// know does not pass.
func (e *Engine) verifyClean(ctx context.Context, _ machine.Step) error {
	s := e.state()
	position, err := e.Repo.Position(ctx)
	if err != nil {
		return err
	}
	dir := filepath.Join(e.Harness, "worktrees", RefName(s.SessionSlug)+"-verify")
	if err := e.Repo.RemoveWorktree(ctx, dir); err != nil {
		return err
	}
	if err := e.Repo.AddWorktree(ctx, dir, position.Head); err != nil {
		return err
	}
	defer func() {
		if err := e.Repo.RemoveWorktree(context.WithoutCancel(ctx), dir); err != nil {
			e.note("warning", "The clean worktree could not be removed: "+err.Error())
		}
		_ = os.Remove(filepath.Dir(dir)) // only when nothing else is in it
	}()
	ev := machine.Event{Type: machine.Checked, Waived: e.Settings.ValidateNone}
	changes, err := e.mine(ctx, e.phase().StartCommit)
	if err != nil {
		return err
	}
	e.note("info", "Running the commands again in a clean working tree.")
	if ev.Checks, err = e.runClean(ctx, dir, e.phaseValidations(changes)); err != nil {
		return err
	}
	if err := e.writeVerify(ctx, s, ev, "clean worktree"); err != nil {
		return err
	}
	return e.apply(ev)
}

// runClean makes the clean worktree ready and runs the commands in it. One that cannot be made ready is "could not
// check": that says nothing about the work.
func (e *Engine) runClean(ctx context.Context, dir string, list []check.Validation) ([]machine.Check, error) {
	if err := Furnish(ctx, e.Checks, e.Settings.Furnishing, filepath.Dir(e.Harness), dir); err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return []machine.Check{{Command: "making the clean worktree ready", Outcome: machine.CheckCouldNot, ExitCode: -1, Detail: err.Error()}}, nil
	}
	checks, _, err := e.runChecks(ctx, dir, list, fmt.Sprintf("phase-%d-verify-clean.log", e.state().CurrentPhase+1), false)
	return checks, err
}
