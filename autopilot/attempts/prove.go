package attempts

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"autopilot/autopilot/changes"
	"autopilot/autopilot/checks"
	"autopilot/autopilot/evidence"
	"autopilot/autopilot/git"
	"autopilot/autopilot/guard"
	"autopilot/autopilot/machine"
	"autopilot/autopilot/validate"
	"autopilot/personas"
)

// prove is what an agent is told of its work before it ends the dispatch: of a task's validate, on the tree as it is, and of
// a plan whether it can be run. Nothing of it is journaled, and nothing rests on it: once the dispatch has ended the program
// judges as ever.
func (ats Attempts) prove(step machine.Step, d personas.Dispatch, w guard.Snapshot) func(context.Context, personas.Reply) (string, error) {
	if step.Name == machine.StepPlan {
		return func(_ context.Context, r personas.Reply) (string, error) { return ats.Plans.Against(r.PlanPath) }
	}
	if step.Name != machine.StepDispatch || step.Task == "" {
		return nil
	}
	return func(ctx context.Context, r personas.Reply) (string, error) {
		t, _ := ats.Journal.State().Task(step.Task)
		t.Concerns = slices.Concat(t.Concerns, r.Concerns)
		made, stray, against, err := ats.proveChange(ctx, step, t, d, w)
		if err != nil {
			return "", err
		}
		failed := ""
		if against == "" || len(made.Changes) > 0 { // no command runs in a repository that was tampered with
			failed, err = ats.proveCommands(ctx, t, made, d, w)
		}
		return strings.Join(slices.DeleteFunc([]string{stray, against, failed}, func(part string) bool { return part == "" }), "\n\n"), err
	}
}

// proveChange looks at what the agent did: the diff, files outside of the plan, and what else it may have done to the
// repository. No other dispatch begins or ends meanwhile, as that puts things back.
func (ats Attempts) proveChange(ctx context.Context, step machine.Step, t machine.Task, d personas.Dispatch, w guard.Snapshot) (made changes.Work, stray, against string, err error) {
	ats.Front.Lock()
	defer ats.Front.Unlock()
	misdeeds, err := ats.Guard.Misdeeds(ctx, d.Persona, w)
	if err != nil || len(misdeeds) > 0 {
		return made, "", strings.Join(misdeeds, "\n"), err
	}
	made, err = ats.Checks.Changes.OfAttempt(ctx, step, t, w.Base) // commits of the agent's own are taken back later
	if err != nil {
		return made, "", "", err
	}
	_, left, err := ats.Guard.Traces(ctx, d.ID)
	if err != nil {
		return made, "", "", err
	}
	made.Changes = slices.DeleteFunc(made.Changes, func(c git.Change) bool { return slices.Contains(left, c.Path) })
	findings, err := ats.Checks.JudgeWork(ctx, t, made)
	stray = ats.askOfStrays(checks.Strays(findings), checks.LargeOf(ats.Repo.Root(), ats.Checks.Large(made.Changes)))
	if t.MayBeDone(findings) && !ats.Look.Idle {
		ats.Look.Idle = true
	} else if t.MayBeDone(findings) { // it says so once more: a person is asked
		findings = nil
	}
	return made, stray, machine.FindingsAgainst(findings), err
}

// askOfStrays asks the agent once about files outside of the plan: what it leaves as it is is taken, and found. Of what is too
// much to be committed unasked a person decides.
func (ats Attempts) askOfStrays(strays []machine.Finding, large *machine.Large) (list string) {
	if ats.Look.Strays || len(strays) == 0 && large == nil {
		return ""
	}
	ats.Look.Strays = true
	if large != nil {
		list = checks.AskAgain(*large) + " Where the task needs them, say why in one sentence of `concerns`: a person decides then. You are told this once.\n\n"
	}
	if len(strays) == 0 {
		return strings.TrimSpace(list)
	}
	list += "These files are outside of what the plan announced. Remove each, or put it back as it was; or, where the task needs it, " +
		"say why in one sentence of `concerns` that names the file. You are told this once.\n"
	for _, f := range strays {
		_, others, _ := strings.Cut(f.Title, ", ") // of a finding about several
		list += strings.TrimSuffix("- "+f.File+", "+others, ", ") + "\n"
	}
	return strings.TrimSpace(list)
}

// proveCommands runs a task's validations until one fails. Their output is kept where that of the validation will be.
func (ats Attempts) proveCommands(ctx context.Context, t machine.Task, made changes.Work, d personas.Dispatch, w guard.Snapshot) (against string, err error) {
	list := validate.Distinct(ats.Checks.ProofsOf(t, made.Changes))
	if len(list) == 0 {
		return "", nil
	}
	out, err := evidence.RecordAt(filepath.Join(d.AttemptDir, "validation.log"))
	if err != nil {
		return "", err
	}
	defer out.Close()
	if err := ats.Guard.TraceFrom(ctx, w); err != nil {
		return "", err
	}
	var failed *machine.Check
	defer func() { err = errors.Join(err, ats.Guard.TraceTo(context.WithoutCancel(ctx), d.ID, failed)) }()
	runner := ats.Checks.Runner
	runner.Live = out
	var passed []machine.Check
	for _, v := range list {
		c, _, err := ats.Checks.Run(ctx, runner, out, ats.Repo.Root(), v)
		if err != nil {
			return "", err
		}
		ats.Journal.Detail("notice", fmt.Sprintf("checked before the reply is taken: %s: %s", c.Command, strings.ReplaceAll(c.Outcome, "_", " ")))
		if _, against := ats.Journal.State().ChecksAgainst([]machine.Check{c}); against != "" {
			failed = &c
			return against, nil
		}
		if c.Outcome == machine.CheckCouldNot {
			return "", nil
		}
		passed = append(passed, c)
	}
	shown, err := ats.Checks.Prove(ctx, made, list, passed, false)
	return ats.tellShown(shown.Findings), err
}

// tellShown tells the agent once what running tests showed of its work. What it hands in then is taken, but for what fails an
// attempt.
func (ats Attempts) tellShown(findings []machine.Finding) string {
	unproven, others := ats.Journal.State().SplitUnproven(findings)
	doubts := slices.DeleteFunc(slices.Clone(others), func(f machine.Finding) bool { return f.Severity != machine.Important })
	if len(unproven)+len(doubts) == 0 || ats.Look.Asked {
		return machine.FindingsAgainst(others)
	}
	ats.Look.Asked, ats.Look.Warned = true, len(unproven) > 0
	return machine.AskToProve(slices.Concat(unproven, doubts))
}
