package flow

import (
	"cmp"
	"errors"
	"slices"

	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/workflow"

	"autopilot/autopilot/machine"
)

// The ways into a running session.
const (
	AnswerUpdate = "answer" // with a machine.Answer; returns the revision that it led to
	NoteUpdate   = "note"   // with the event of a note, of a dismissed finding, or of usage that no attempt can record any more; returns its revision
	TakeUpdate   = "take"   // with a Take; returns a Taken
	RecordUpdate = "record" // with a Record; returns the event as it is in the journal
	AdoptUpdate  = "adopt"  // with an Adopt
	StopSignal   = "stop"   // with true: the steps at work are stopped, too
	StateQuery   = "state"
	EventsQuery  = "events" // with a revision; returns the events after it
)

// handle takes answers, what activities record, questions about the session, and its cancellation.
func (w *session) handle(ctx workflow.Context, canceled workflow.ReceiveChannel) error {
	with := func(validator any) workflow.UpdateHandlerOptions { // it runs right before the handler, in the same state
		return workflow.UpdateHandlerOptions{Validator: validator}
	}
	workflow.Go(ctx, func(ctx workflow.Context) {
		for {
			var now bool
			workflow.GetSignalChannel(ctx, StopSignal).Receive(ctx, &now)
			w.stop(ctx, now)
		}
	})
	workflow.Go(ctx, func(ctx workflow.Context) {
		canceled.Receive(ctx, nil)
		w.stop(ctx, true)
	})
	return errors.Join(
		workflow.SetQueryHandler(ctx, StateQuery, func() (machine.State, error) { return w.s, nil }),
		workflow.SetQueryHandler(ctx, EventsQuery, w.after),
		workflow.SetUpdateHandlerWithOptions(ctx, AnswerUpdate, w.answer, with(w.checkAnswer)),
		workflow.SetUpdateHandlerWithOptions(ctx, NoteUpdate, w.note, with(w.checkNote)),
		workflow.SetUpdateHandlerWithOptions(ctx, TakeUpdate, w.take, with(w.checkTake)),
		workflow.SetUpdateHandlerWithOptions(ctx, RecordUpdate, w.record, with(w.checkRecord)),
		workflow.SetUpdateHandlerWithOptions(ctx, AdoptUpdate, w.adopt, with(w.checkAdopt)),
	)
}

// stop ends the session before its end, with all that it did.
func (w *session) stop(ctx workflow.Context, now bool) {
	w.stopping, w.now = cmp.Or(w.stopping, "a person stopped it"), w.now || now
	when := "after the steps at work"
	if w.now {
		when = "now"
	}
	workflow.SetCurrentDetails(ctx, "stops "+when+": "+w.stopping)
}

// after is the end of the journal.
func (w *session) after(rev int64) ([]machine.Event, error) {
	from, _ := slices.BinarySearchFunc(w.tail, rev+1, func(e machine.Event, rev int64) int { return int(e.Rev - rev) })
	return w.tail[from:], nil
}

// checkAnswer refuses an answer before anything of it is in the history.
func (w *session) checkAnswer(a machine.Answer) error {
	err := error(&machine.AnswerError{Reason: "no question is open"})
	switch {
	case w.stopping != "":
		err = &machine.AnswerError{Reason: stopped}
	case w.given != nil:
		err = &machine.AnswerError{Reason: "another answer is being saved: look at the status, then answer again"}
	case w.s.Gate != nil:
		_, err = w.s.Gate.Check(w.s.Gate.AsMeant(a))
	}
	if err != nil {
		return temporal.NewApplicationError(err.Error(), AnswerErrorType, err)
	}
	return nil
}

// answer has a worker take an answer that was checked: it may look at the repository first.
func (w *session) answer(ctx workflow.Context, a machine.Answer) (int64, error) {
	ctx, _ = workflow.NewDisconnectedContext(ctx) // it is taken or not, whatever becomes of the session
	w.given, w.refused = &a, ""
	if err := workflow.Await(ctx, func() bool { return w.given != &a }); err != nil {
		return 0, err
	}
	if w.refused != "" {
		return 0, temporal.NewApplicationError(w.refused, AnswerErrorType)
	}
	return w.s.Revision, nil
}

// checkNote refuses what is no note, and a finding that is not open.
func (w *session) checkNote(e machine.Event) error {
	if e.Type != machine.Noted && e.Type != machine.FindingDismissed && (e.Type != machine.Used || e.Dispatch != nil) {
		return temporal.NewApplicationError("not a note: "+string(e.Type), IllegalErrorType)
	}
	return w.legal(w.s.Stamp(e))
}

func (w *session) note(ctx workflow.Context, e machine.Event) (int64, error) {
	err := w.apply(ctx, e, w.meanwhile(ctx))
	return w.s.Revision, err
}
