package autopilot

import (
	"context"
	"fmt"
	"path/filepath"

	"autopilot/autopilot/changes"
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
		if ev.Findings, err = e.integrity(ctx, changes, base, tasks); err != nil {
			return err
		}
	}
	sick, err := e.healthFindings(ctx)
	if err != nil {
		return err
	}
	ev.Findings = append(ev.Findings, sick...)
	list := e.phaseValidations(changes)
	if step.State == machine.FinalReview {
		list = append(list, e.validationsBefore(s)...)
	}
	ran, err := e.runChecks(ctx, job{root: e.Repo.Root(), list: list, log: verifyLog(s), scripts: base})
	if err != nil {
		return err
	}
	ev.Checks, ev.ByProducts, ev.Evidence, ev.Findings = ran.checks, ran.byProducts, ran.evidence, append(ev.Findings, ran.findings...)
	if step.State != machine.FinalReview {
		ev.Findings = append(ev.Findings, e.judge().Lost(e.Repo.Root(), ran.tests, tasks)...)
		if err := e.judge().KeepTests(s.CurrentPhase+1, ran.tests); err != nil {
			return err
		}
	}
	return e.Journal.ApplyWith(func(key string) (machine.Event, error) { return ev, e.writeVerify(key, s, ev, machine.CommandsPlace) })
}

// verifyBefore runs again what passed in earlier phases, before the whole change is reviewed: nothing else would notice a
// phase that breaks what another one made.
func (e *Engine) verifyBefore(ctx context.Context, s machine.State) error {
	e.Journal.Note("info", "Running once more what passed in earlier phases.")
	ran, err := e.runChecks(ctx, job{root: e.Repo.Root(), list: e.validationsBefore(s), log: verifyLog(s)})
	if err != nil {
		return err
	}
	ev := machine.Event{
		Type: machine.Checked, Waived: e.Settings.ValidateNone,
		Checks: ran.checks, ByProducts: ran.byProducts, Evidence: ran.evidence, Findings: ran.findings,
	}
	return e.Journal.ApplyWith(func(key string) (machine.Event, error) { return ev, e.writeVerify(key, s, ev, machine.CommandsPlace) })
}

func (e *Engine) validationsBefore(s machine.State) []validate.Validation {
	if e.Settings.ValidateNone {
		return nil
	}
	var list []validate.Validation
	for _, c := range s.PassedBefore() {
		list = append(list, validate.Validation{Command: c.Command, Dir: c.Dir, Source: c.Source})
	}
	return e.judge().Limit(list)
}

// verifyLog is the file in the session's folder that has the output of the phase's commands, or of those of the final review.
func verifyLog(s machine.State) string { return verifyFile(s) + ".log" }

func verifyFile(s machine.State) string {
	if s.CurrentState == machine.FinalReview {
		return "final-verify"
	}
	return fmt.Sprintf("phase-%d-verify", s.CurrentPhase+1)
}

// phaseValidations are the project's commands, then what the tasks bring; where there are neither, those of the
// nearest manifest above each changed file.
func (e *Engine) phaseValidations(changes []change) []validate.Validation {
	if e.Settings.ValidateNone {
		return nil
	}
	list := e.validations()
	for _, t := range e.Journal.State().Tasks {
		if t.Validation != "" && t.Kind == machine.KindPlan {
			list = append(list, e.judge().Limit([]validate.Validation{{Command: t.Validation, Source: t.ID}})...)
		}
	}
	if len(list) > 0 {
		return list
	}
	near, err := validate.FindNear(e.Repo.Root(), git.Paths(changes))
	if err != nil {
		e.Journal.Note("warning", "The validation commands could not be found: "+err.Error())
	}
	return e.judge().Limit(near)
}

// writeVerify keeps what the decision on a phase rests on, for people: the journal has it, too.
func (e *Engine) writeVerify(key string, s machine.State, ev machine.Event, where string) error {
	return e.Records.WriteJSON(verifyFile(s)+".json", machine.VerifyShown(key, where, ev))
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
	ran, err := e.runClean(ctx, dir, e.phaseValidations(changes))
	if err != nil {
		return err
	}
	ev.Checks, ev.Evidence = ran.checks, ran.evidence
	return e.Journal.ApplyWith(func(key string) (machine.Event, error) { return ev, e.writeVerify(key, s, ev, machine.CleanPlace) })
}

// runClean makes the clean worktree ready and runs the commands in it. One that cannot be made ready is "could not
// check": that says nothing about the work.
func (e *Engine) runClean(ctx context.Context, dir string, list []validate.Validation) (ran, error) {
	e.Journal.Settle()
	lacks, err := worktree.Prepare(ctx, e.Checks, e.Settings.WorktreeSetup, filepath.Dir(e.Harness), dir)
	if err != nil {
		if ctx.Err() != nil {
			return ran{}, ctx.Err()
		}
		r := ran{checks: []machine.Check{{Command: "making the clean worktree ready", Outcome: machine.CheckCouldNot, ExitCode: -1, Detail: err.Error()}}}
		r.evidence, err = e.ground(ctx, job{clean: true}, nil)
		return r, err
	}
	e.TellLacks(worktree.WithoutHooks(lacks))
	log := fmt.Sprintf("phase-%d-verify-clean.log", e.Journal.State().CurrentPhase+1)
	return e.runChecks(ctx, job{root: dir, list: list, log: log, clean: true})
}
