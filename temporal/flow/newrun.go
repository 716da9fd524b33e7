package flow

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"go.temporal.io/sdk/workflow"

	"autopilot/autopilot/machine"
)

// due says whether the workflow goes on as a new run: at a question, with a new phase, and before its history gets too long.
func (w *session) due(ctx workflow.Context, step machine.Step) bool {
	if w.given != nil {
		return false
	}
	atGate := step.Name == machine.StepWait && w.seen == w.s.Gate.ID && w.s.Revision > w.began
	newPhase := w.s.CurrentPhase != w.phase
	return atGate || newPhase || w.long(ctx)
}

// long says whether the history gets too long.
func (w *session) long(ctx workflow.Context) bool {
	info := workflow.GetInfo(ctx)
	return info.GetContinueAsNewSuggested() || info.GetCurrentHistoryLength() > longest || w.updates > mostUpdates
}

// continueAsNew goes on as a new run, once the hub has the journal.
func (w *session) continueAsNew(ctx workflow.Context) error {
	if err := errors.Join(w.settle(ctx), w.letOthersRun(ctx)); err != nil || w.given != nil || w.stopping != "" {
		w.leaving = false // an answer came meanwhile, or a stop: it comes first
		return err
	}
	in := Input{Job: w.job, State: w.s, Tail: w.tail, Works: w.works, Seen: w.seen, Tip: w.tip, Lost: w.lost, Waited: w.waited}
	in, why := Fit(in, func(in Input) int { return sent(ctx, in) })
	if why != "" {
		w.stopping = why + "; continue it on one machine"
		return nil
	}
	return workflow.NewContinueAsNewErrorWithOptions(ctx, workflow.ContinueAsNewErrorOptions{
		InitialVersioningBehavior: workflow.ContinueAsNewVersioningBehaviorAutoUpgrade, // a run is pinned to its version, and the next is not
	}, Name, in)
}

// letOthersRun lets everything else run that is due: a stop that comes with the end of the last activity is seen after it.
func (w *session) letOthersRun(ctx workflow.Context) error {
	ran := false
	return workflow.Await(ctx, func() bool { before := ran; ran = true; return before })
}

// settle waits for the lanes and the handlers, and has the journal kept: what a handler applies meanwhile is kept, too. Where an
// answer comes meanwhile it may not be done.
func (w *session) settle(ctx workflow.Context) error {
	w.leaving = true
	quiet := func() bool {
		return w.given != nil || len(w.going) == 0 && workflow.AllHandlersFinished(ctx)
	}
	if err := workflow.Await(ctx, quiet); err != nil || w.failed != nil {
		return cmp.Or(err, w.failed)
	}
	for _, t := range append([]machine.Task{{}}, w.s.Tasks...) {
		if lost := w.lost[t.ID]; lost != "" && w.stopping != "" { // where it continues, nobody knows of what lost workers saved
			w.works[t.ID] = lost
		}
	}
	for owes := w.stopping != "" && len(w.lost) > 0; (owes || len(w.tail) > 0) && w.given == nil; owes = false {
		keep := Keep{w.act("", machine.Step{}), slices.Clone(w.tail[:min(len(w.tail), atOnce)]), w.works, len(w.lost) > 0 || len(w.s.Flights()) > 0}
		if err := workflow.ExecuteActivity(w.withOptions(ctx, machine.Step{}, 0), KeepName, keep).Get(ctx, nil); err != nil {
			return fmt.Errorf("keeping the journal: %w", err)
		}
		if n := len(keep.Tail); n > 0 {
			w.kept(keep.Tail[n-1].Rev)
		}
	}
	return workflow.Await(ctx, quiet)
}
