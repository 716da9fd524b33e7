package autopilot

import (
	"context"
	"fmt"
	"path/filepath"

	"autopilot/autopilot/changes"
	"autopilot/autopilot/checks"
	"autopilot/autopilot/git"
	"autopilot/autopilot/journal"
	"autopilot/autopilot/machine"
	"autopilot/autopilot/readiness"
	"autopilot/autopilot/validate"
	"autopilot/autopilot/worktree"
)

// verifying runs the commands of a phase, or of the whole change.
type verifying struct {
	journal   *journal.Journal
	records   Records
	repo      *git.Repo
	settings  Settings
	harness   string
	runner    validate.Runner
	changes   changes.Changes
	checks    checks.Checks
	readiness readiness.Readiness
	trees     Trees
	now       Clock
}

// verify runs the project's commands, found anew, each distinct validation of the phase's tasks, the repository's own
// scripts, and the integrity checks over the phase's change. The fix rounds of REVIEW and FINAL_REVIEW use it too; before
// the first look at the whole change only what passed in earlier phases runs.
func (ve verifying) verify(ctx context.Context, step machine.Step) error {
	s := ve.journal.State()
	if step.State == machine.FinalReview && !s.FinalReview.Begun() {
		return ve.verifyBefore(ctx, s)
	}
	base, tasks := ve.journal.Phase().StartCommit, changes.Planned(s.Tasks)
	if step.State == machine.FinalReview {
		base = s.StartingCommit
	}
	still := git.Still(ctx)
	changed, err := ve.changes.ByTasks(still, s.Tasks, base)
	if err != nil {
		return err
	}
	if _, err := ve.changes.BeforeCheck(still); err != nil {
		return err
	}
	ev := machine.Event{Type: machine.Checked, Waived: ve.settings.ValidateNone, Blind: ve.blind()}
	if step.State != machine.FinalReview {
		if ev.Findings, err = ve.checks.JudgePhase(ctx, changed, base, s.Tasks); err != nil {
			return err
		}
	}
	sick, err := ve.readiness.Health(ctx)
	if err != nil {
		return err
	}
	ev.Findings = append(ev.Findings, sick...)
	list := ve.checks.OfPhase(changed)
	if step.State == machine.FinalReview {
		list = append(list, ve.checks.PassedBefore(s)...)
	}
	ran, err := ve.checks.Do(ctx, checks.Job{Root: ve.repo.Root(), List: list, Log: checks.VerifyLog(s), Scripts: base})
	if err != nil {
		return err
	}
	ev.Checks, ev.ByProducts, ev.Evidence, ev.Findings = ran.Checks, ran.ByProducts, ran.Evidence, append(ev.Findings, ran.Findings...)
	if step.State != machine.FinalReview {
		if err := ve.proveByRunning(ctx, &ev, changes.Work{Changes: changed, Base: base, Announcing: tasks}, list, ran); err != nil {
			return err
		}
	}
	return ve.record(s, ev, machine.CommandsPlace)
}

// proveByRunning adds to an event what running tests in the clean tree shows of a phase's work, and keeps which tests passed.
func (ve verifying) proveByRunning(ctx context.Context, ev *machine.Event, work changes.Work, list []validate.Validation, ran checks.Ran) error {
	s := ve.journal.State()
	ev.Findings = append(ev.Findings, ve.checks.Lost(ve.repo.Root(), ran.Tests, work.Announcing)...)
	shown, err := ve.checks.Prove(ctx, work, list, ran.Checks, true)
	if err != nil {
		return err
	}
	ev.Findings, ev.Proofs = append(ev.Findings, shown.Findings...), shown.Lines
	if s.RigorLevel == machine.Thorough && len(machine.Blocking(ev.Findings, s.RigorLevel)) == 0 {
		survived, err := ve.checks.Mutations(ctx, work, list, ran.Checks)
		if err != nil {
			return err
		}
		ev.Proofs = append(ev.Proofs, survived...)
	}
	return ve.checks.KeepTests(s.CurrentPhase+1, ran.Tests)
}

// verifyBefore runs again what passed in earlier phases, before the whole change is reviewed: nothing else would notice a
// phase that breaks what another one made.
func (ve verifying) verifyBefore(ctx context.Context, s machine.State) error {
	ve.journal.Note("info", "Running once more what passed in earlier phases.")
	ran, err := ve.checks.Do(ctx, checks.Job{Root: ve.repo.Root(), List: ve.checks.PassedBefore(s), Log: checks.VerifyLog(s)})
	if err != nil {
		return err
	}
	ev := machine.Event{
		Type: machine.Checked, Waived: ve.settings.ValidateNone,
		Checks: ran.Checks, ByProducts: ran.ByProducts, Evidence: ran.Evidence, Findings: ran.Findings,
	}
	return ve.record(s, ev, machine.CommandsPlace)
}

// record applies an event, and keeps what the decision on a phase rests on, for people: the journal has it, too.
func (ve verifying) record(s machine.State, ev machine.Event, where string) error {
	return ve.journal.ApplyWith(func(key string) (machine.Event, error) {
		return ev, ve.records.WriteJSON(checks.VerifyFile(s)+".json", machine.VerifyShown(key, where, ev))
	})
}

// verifyClean runs the commands once more in a clean worktree of HEAD: what only works beside files that git does not
// know does not pass.
func (ve verifying) verifyClean(ctx context.Context, _ machine.Step) error {
	s := ve.journal.State()
	position, err := ve.repo.Position(ctx)
	if err != nil {
		return err
	}
	dir, err := ve.trees.cleanTree(ctx, position.Head)
	if err != nil {
		return err
	}
	defer ve.trees.removeClean(ctx, dir)
	ev := machine.Event{Type: machine.Checked, Waived: ve.settings.ValidateNone, Blind: ve.blind()}
	changes, err := ve.changes.ByTasks(ctx, ve.journal.State().Tasks, ve.journal.Phase().StartCommit)
	if err != nil {
		return err
	}
	ve.journal.Note("info", "Running the commands again in a clean working tree.")
	ran, err := ve.runClean(ctx, dir, ve.checks.OfPhase(changes))
	if err != nil {
		return err
	}
	ev.Checks, ev.Evidence = ran.Checks, ran.Evidence
	return ve.record(s, ev, machine.CleanPlace)
}

// runClean makes the clean worktree ready and runs the commands in it. One that cannot be made ready is "could not
// check": that says nothing about the work.
func (ve verifying) runClean(ctx context.Context, dir string, list []validate.Validation) (checks.Ran, error) {
	lacks, err := worktree.Prepare(ctx, ve.runner, ve.settings.WorktreeSetup, filepath.Dir(ve.harness), dir)
	if err != nil {
		if ctx.Err() != nil {
			return checks.Ran{}, ctx.Err()
		}
		r := checks.Ran{Checks: []machine.Check{{Command: "making the clean worktree ready", Outcome: machine.CheckCouldNot, ExitCode: -1, Detail: err.Error()}}}
		r.Evidence, err = ve.checks.Ground(ctx, checks.Job{Clean: true}, nil)
		return r, err
	}
	ve.trees.TellLacks(worktree.WithoutHooks(lacks))
	log := fmt.Sprintf("phase-%d-verify-clean.log", ve.journal.State().CurrentPhase+1)
	return ve.checks.Do(ctx, checks.Job{Root: dir, List: list, Log: log, Clean: true})
}
