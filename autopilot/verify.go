package autopilot

import (
	"context"
	"fmt"
	"path/filepath"

	"autopilot/autopilot/changes"
	"autopilot/autopilot/checks"
	"autopilot/autopilot/git"
	"autopilot/autopilot/machine"
	"autopilot/autopilot/validate"
	"autopilot/autopilot/worktree"
)

// verify runs the project's commands, found anew, each distinct validation of the phase's tasks, the repository's own
// scripts, and the integrity checks over the phase's change. The fix rounds of REVIEW and FINAL_REVIEW use it too; before
// the first look at the whole change only what passed in earlier phases runs.
func (e *Engine) verify(ctx context.Context, step machine.Step) error {
	s := e.Journal.State()
	if step.State == machine.FinalReview && !s.FinalReview.Begun() {
		return e.verifyBefore(ctx, s)
	}
	base, tasks := e.Journal.Phase().StartCommit, changes.Planned(s.Tasks)
	if step.State == machine.FinalReview {
		base = s.StartingCommit
	}
	still := git.Still(ctx)
	changes, err := e.changes().ByTasks(still, s.Tasks, base)
	if err != nil {
		return err
	}
	if _, err := e.changes().BeforeCheck(still); err != nil {
		return err
	}
	ev := machine.Event{Type: machine.Checked, Waived: e.Settings.ValidateNone}
	if step.State != machine.FinalReview {
		if ev.Findings, err = e.checks().Integrity(ctx, changes, base, tasks); err != nil {
			return err
		}
	}
	sick, err := e.readiness().Health(ctx)
	if err != nil {
		return err
	}
	ev.Findings = append(ev.Findings, sick...)
	list := e.checks().OfPhase(changes)
	if step.State == machine.FinalReview {
		list = append(list, e.checks().PassedBefore(s)...)
	}
	ran, err := e.checks().Do(ctx, checks.Job{Root: e.Repo.Root(), List: list, Log: checks.VerifyLog(s), Scripts: base})
	if err != nil {
		return err
	}
	ev.Checks, ev.ByProducts, ev.Evidence, ev.Findings = ran.Checks, ran.ByProducts, ran.Evidence, append(ev.Findings, ran.Findings...)
	if step.State != machine.FinalReview {
		ev.Findings = append(ev.Findings, e.checks().Lost(e.Repo.Root(), ran.Tests, tasks)...)
		if err := e.checks().KeepTests(s.CurrentPhase+1, ran.Tests); err != nil {
			return err
		}
	}
	return e.Journal.ApplyWith(func(key string) (machine.Event, error) { return ev, e.writeVerify(key, s, ev, machine.CommandsPlace) })
}

// verifyBefore runs again what passed in earlier phases, before the whole change is reviewed: nothing else would notice a
// phase that breaks what another one made.
func (e *Engine) verifyBefore(ctx context.Context, s machine.State) error {
	e.Journal.Note("info", "Running once more what passed in earlier phases.")
	ran, err := e.checks().Do(ctx, checks.Job{Root: e.Repo.Root(), List: e.checks().PassedBefore(s), Log: checks.VerifyLog(s)})
	if err != nil {
		return err
	}
	ev := machine.Event{
		Type: machine.Checked, Waived: e.Settings.ValidateNone,
		Checks: ran.Checks, ByProducts: ran.ByProducts, Evidence: ran.Evidence, Findings: ran.Findings,
	}
	return e.Journal.ApplyWith(func(key string) (machine.Event, error) { return ev, e.writeVerify(key, s, ev, machine.CommandsPlace) })
}

// writeVerify keeps what the decision on a phase rests on, for people: the journal has it, too.
func (e *Engine) writeVerify(key string, s machine.State, ev machine.Event, where string) error {
	return e.Records.WriteJSON(checks.VerifyFile(s)+".json", machine.VerifyShown(key, where, ev))
}

// verifyClean runs the commands once more in a clean worktree of HEAD: what only works beside files that git does not
// know does not pass.
func (e *Engine) verifyClean(ctx context.Context, _ machine.Step) error {
	s := e.Journal.State()
	position, err := e.Repo.Position(ctx)
	if err != nil {
		return err
	}
	dir, err := e.cleanTree(ctx, position.Head)
	if err != nil {
		return err
	}
	defer e.removeClean(ctx, dir)
	ev := machine.Event{Type: machine.Checked, Waived: e.Settings.ValidateNone}
	changes, err := e.changes().ByTasks(ctx, e.Journal.State().Tasks, e.Journal.Phase().StartCommit)
	if err != nil {
		return err
	}
	e.Journal.Note("info", "Running the commands again in a clean working tree.")
	ran, err := e.runClean(ctx, dir, e.checks().OfPhase(changes))
	if err != nil {
		return err
	}
	ev.Checks, ev.Evidence = ran.Checks, ran.Evidence
	return e.Journal.ApplyWith(func(key string) (machine.Event, error) { return ev, e.writeVerify(key, s, ev, machine.CleanPlace) })
}

// runClean makes the clean worktree ready and runs the commands in it. One that cannot be made ready is "could not
// check": that says nothing about the work.
func (e *Engine) runClean(ctx context.Context, dir string, list []validate.Validation) (checks.Ran, error) {
	e.Journal.Settle()
	lacks, err := worktree.Prepare(ctx, e.Checks, e.Settings.WorktreeSetup, filepath.Dir(e.Harness), dir)
	if err != nil {
		if ctx.Err() != nil {
			return checks.Ran{}, ctx.Err()
		}
		r := checks.Ran{Checks: []machine.Check{{Command: "making the clean worktree ready", Outcome: machine.CheckCouldNot, ExitCode: -1, Detail: err.Error()}}}
		r.Evidence, err = e.checks().Ground(ctx, checks.Job{Clean: true}, nil)
		return r, err
	}
	e.TellLacks(worktree.WithoutHooks(lacks))
	log := fmt.Sprintf("phase-%d-verify-clean.log", e.Journal.State().CurrentPhase+1)
	return e.checks().Do(ctx, checks.Job{Root: dir, List: list, Log: log, Clean: true})
}
