package gates

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"time"

	"autopilot/autopilot/attempts"
	"autopilot/autopilot/halt"
	"autopilot/autopilot/machine"
	"autopilot/autopilot/plans"
	"autopilot/autopilot/shell"
	"autopilot/autopilot/words"
)

// Wait is the step of an open gate: an answer from the inbox, a rule, or a person; without any, the run ends here.
func (gs Gates) Wait(ctx context.Context) error {
	gate := *gs.Journal.State().Gate
	if done, err := gs.answeredOtherwise(gate); done || err != nil {
		return err
	}
	if taken, err := gs.fromInbox(gate); errors.Is(err, halt.ErrStop) {
		return gs.leaveOpen(gate, true)
	} else if taken || err != nil {
		return err
	}
	if err := gs.failedForGood(gate); err != nil {
		return err
	}
	gs.parkAt(gate)
	answer, err := gs.ask(ctx, gate)
	switch {
	case errors.Is(err, halt.ErrNobody), errors.Is(err, halt.ErrStop):
		return gs.leaveOpen(gate, errors.Is(err, halt.ErrStop))
	case err != nil:
		return err
	case answer == nil:
		return nil // somebody else answered, or the gate has to be looked at again
	}
	err = gs.Answer(ctx, *answer)
	if refused, ok := errors.AsType[*machine.AnswerError](err); ok {
		gs.Journal.Note("warning", "That answer is not possible: "+refused.Reason+".")
		return nil
	}
	return err
}

// Otherwise answers the open question where that needs no person, for who waits for one elsewhere.
func (gs Gates) Otherwise() error {
	gate := *gs.Journal.State().Gate
	if done, err := gs.answeredOtherwise(gate); done || err != nil {
		return err
	}
	return gs.failedForGood(gate)
}

// answeredOtherwise answers what needs no person: a round of fixes that the configuration allows, "go on" under --yes, and a plan or a person's reply that is there
// by now.
func (gs Gates) answeredOtherwise(gate machine.Gate) (bool, error) {
	switch fix := gs.Journal.State().AutoFix(gs.AutoFix); {
	case len(fix) > 0:
		ev := answered(gate, string(machine.Fix), "", machine.ByAutoFix)
		ev.Fix = fix
		return true, gs.Journal.Apply(ev)
	case gs.Journal.State().InVain():
		return true, gs.Journal.Apply(answered(gate, "skip", "what it was to fix blocks nothing, and stays open", machine.ByAutoFix))
	case gate.Kind == machine.GateContinue && gs.Yes:
		return true, gs.Journal.Apply(answered(gate, "yes", "", "--yes"))
	case gate.Kind == machine.GatePlanWanted:
		found, err := gs.Plans.Locate()
		if err != nil || found.Plan == nil {
			return gs.seen(found, err)
		}
		if found.Plan.SHA256 == gs.Journal.Phase().PlanSHA256 {
			return false, nil
		}
		return true, gs.Journal.Apply(answered(gate, "done", "", "human, with the plan file"))
	case gate.Kind == machine.GateNoOutput && gs.Journal.Phase().Planning.Several:
		found, err := gs.Plans.Locate()
		if err != nil || found.Plan == nil {
			return gs.seen(found, err)
		}
		return true, gs.Plans.Bring(gs.Journal.State().CurrentPhase, found.Path, "human, with the plan file", "")
	case gate.Kind == machine.GateBlocked:
		return gs.Attempts.HandedIn(gate, true)
	}
	return false, nil
}

// seen has an open question about a plan say what is there now, if it says something else.
func (gs Gates) seen(found plans.Located, err error) (bool, error) {
	said := gs.Journal.Phase().Planning.Trouble
	if err != nil || found.Trouble == said || found.None && said == "" {
		return false, err
	}
	return true, gs.Journal.Apply(machine.Event{Type: machine.PlansSeen, Detail: found.Trouble})
}

func answered(gate machine.Gate, option, reason, by string) machine.Event {
	return machine.Event{Type: machine.Answered, Answer: &machine.Answer{Gate: gate.ID, Option: option, Reason: reason, By: by}}
}

// Answer takes an answer to the open gate, from whatever mouth. It does not go on with the run. A plan that changed
// since the question was asked is asked about anew: then the error says so.
func (gs Gates) Answer(ctx context.Context, a machine.Answer) error {
	s := gs.Journal.State()
	if s.Gate == nil {
		return &machine.AnswerError{Reason: "no question is open"}
	}
	if changed, err := gs.Plans.Edited(); err != nil {
		return err
	} else if changed {
		return &machine.AnswerError{Gate: s.Gate.ID, Reason: "the plan changed since the question was asked, so it is asked again for what the plan says now"}
	}
	ev := s.AnswerEvent(a)
	a = *ev.Answer
	if _, err := s.Gate.Check(a); err == nil {
		if err := attempts.HandIn(*s.Gate, a); err != nil {
			return err
		}
	}
	var err error
	if s.Gate.Kind == machine.GatePlanWanted && a.Option == machine.HandIn {
		found, err := gs.Plans.Locate()
		if err != nil {
			return err
		}
		if found.Same != "" { // done means the one that is there; who else wrote it, it is shown before it is run
			ev.Detail = found.Same
		}
	}
	if ev.LeftOut, err = gs.sinceAsked(ctx, s); err != nil {
		return err
	}
	if a.Option == string(machine.Revise) {
		if ev.Stood, err = gs.Plans.Stood(); err != nil {
			return err
		}
	}
	return gs.Journal.Apply(ev)
}

// failedForGood remembers a final review whose rounds of fixes are spent, with what it found.
func (gs Gates) failedForGood(gate machine.Gate) error {
	if gate.Kind != machine.GateFinalBlocking || !gate.IsRefused(string(machine.Fix)) {
		return nil
	}
	s := gs.Journal.State()
	left := machine.Describe(machine.Blocking(s.FinalReview.Findings, s.RigorLevel))
	return gs.Fail(s.SessionID+"/"+gate.ID, "final-review", words.OneLine(gate.Question+" "+strings.Join(left, "; ")))
}

// inboxEvery is how often the inbox is looked at while a person is being asked.
const inboxEvery = 300 * time.Millisecond

// ask asks a person and watches the inbox meanwhile; whichever comes first counts. A nil answer means that the inbox
// had one.
func (gs Gates) ask(ctx context.Context, gate machine.Gate) (*machine.Answer, error) {
	if gate.Kind == machine.GatePlanWanted {
		gs.Journal.Note("info", "Save the plan as\n  "+filepath.Join(gs.Plans.Root, filepath.FromSlash(gs.Plans.Suggested(gs.Journal.Phase()))))
		gs.Journal.NoteEvent("To start from a template, stop here first:\n  autopilot plan " + shell.QuotePath(gs.Journal.State().SpecPath) + " --edit")
	}
	gs.Journal.TellGate(gate)
	asking, stop := context.WithCancel(ctx)
	defer stop()
	type said struct {
		answer machine.Answer
		err    error
	}
	heard := make(chan said, 1)
	go func() {
		answer, err := gs.Human.Ask(asking, gate)
		heard <- said{answer, err}
	}()
	ticker := time.NewTicker(inboxEvery)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case got := <-heard:
			return &got.answer, got.err
		case <-ticker.C:
			if taken, err := gs.fromInbox(gate); taken || err != nil {
				return nil, err
			}
			if taken, err := gs.Attempts.HandedIn(gate, false); taken || err != nil {
				return nil, err
			}
		}
	}
}

// fromInbox takes an answer that another process left, or refuses it in writing.
func (gs Gates) fromInbox(gate machine.Gate) (bool, error) {
	if gs.Inbox.Wished(machine.WishStop) {
		return false, halt.ErrStop
	}
	gs.Inbox.Drop(machine.WishPause) // a person is asked right now
	answer, found, err := gs.Inbox.Next(gate)
	if err != nil || !found {
		return false, err
	}
	if o, ok := gate.Meant(answer.Option); ok && o.Effect == machine.EffectStop {
		return false, errors.Join(halt.ErrStop, gs.Inbox.Settle(gate, nil))
	}
	err = gs.Answer(context.Background(), answer)
	if refused, ok := errors.AsType[*machine.AnswerError](err); ok {
		gs.Journal.Note("warning", "An answer in the inbox was refused: "+refused.Reason+".")
		return gs.Journal.State().Gate == nil || gs.Journal.State().Gate.ID != gate.ID, gs.Inbox.Settle(gate, refused)
	}
	if err != nil {
		return false, err
	}
	return true, gs.Inbox.Settle(gate, nil)
}

// leaveOpen ends the run at the question.
func (gs Gates) leaveOpen(gate machine.Gate, asked bool) error {
	return &halt.WaitingError{Gate: gate, Spec: gs.Journal.State().SpecPath, Asked: asked}
}
