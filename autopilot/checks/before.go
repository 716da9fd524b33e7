package checks

import (
	"context"
	"fmt"
	"strings"

	"autopilot/autopilot/halt"
	"autopilot/autopilot/machine"
	"autopilot/autopilot/proof"
	"autopilot/autopilot/validate"
)

// Before runs a task's own validation before its first attempt, on the task's base in the clean working tree, and records how it
// ended: one that passes proves nothing later, and its tests are counted against it. What is known of the same command, from
// the project's baseline or from another task on the same tree, is not run again.
func (cs Checks) Before(ctx context.Context, t machine.Task) error {
	ps := cs.proofs()
	if ps.Off() || !cs.hasOwn(t) || t.Before != nil || len(t.Attempts) > 0 {
		return nil
	}
	v := cs.OfTask(t, nil)[0]
	if cs.baseline(v.Command, v.Dir).Command != "" || cs.slowBaseline() {
		return nil
	}
	tree, err := cs.Repo.Tree.HashAt(ctx, t.Base)
	if err != nil {
		return err
	}
	for _, other := range cs.Journal.State().Tasks {
		if b := other.Before; b != nil && b.Command == v.Command && b.Tree == tree {
			return cs.Journal.Apply(machine.Event{Type: machine.SnapshotTaken, Task: t.ID, Before: b})
		}
	}
	if err := ps.open(ctx, t.Base); err != nil {
		return ps.told(err)
	}
	return cs.runBefore(ctx, t, v, tree)
}

// hasOwn says whether a task of the plan has a validation of its own.
func (cs Checks) hasOwn(t machine.Task) bool {
	return t.Kind == machine.KindPlan && t.Validation != "" && !t.ValidationNone && !cs.None
}

func (cs Checks) runBefore(ctx context.Context, t machine.Task, v validate.Validation, tree string) error {
	v.Timeout = min(v.Timeout, proof.Longest)
	ev, err := cs.Clean.On(ctx, t.Base, nil, v)
	if ctx.Err() != nil {
		return &halt.InterruptedError{Cause: ctx.Err()}
	}
	if err != nil {
		return err
	}
	if ev.Outcome == validate.CouldNotCheck {
		return nil // nothing is known
	}
	if err := cs.keepTests(beforeName(cs.Journal.State().CurrentPhase+1, t), []validate.Evidence{ev}); err != nil {
		return err
	}
	c := cs.Check(ev)
	c.Tree, c.Detail = tree, "" // that it fails before the work is no trouble, and nobody reads why
	cs.Journal.Detail("notice", fmt.Sprintf("before %s: %s: %s", t.ID, c.Command, strings.ReplaceAll(c.Outcome, "_", " ")))
	return cs.Journal.Apply(machine.Event{Type: machine.SnapshotTaken, Task: t.ID, Before: &c})
}

// slowBaseline says whether the project's baseline took longer than proof.Longest, and notes it once in a run.
func (cs Checks) slowBaseline() bool {
	b := cs.Journal.State().Baseline
	slow := b != nil && machine.SecondsOf(b.Checks) > proof.Longest.Seconds()
	if slow && cs.Journal.WarnOnce("slow baseline") {
		cs.Journal.Note("info", "The baseline took over two minutes, so the validations of tasks are not run before the work.")
	}
	return slow
}
