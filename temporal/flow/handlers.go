package flow

import (
	"errors"

	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/workflow"

	"autopilot/autopilot/machine"
)

// The ways into a running session.
const (
	AnswerUpdate = "answer" // with a machine.Answer; returns the revision that it led to
	GateQuery    = "gate"   // the open question, or null
	StateQuery   = "state"
)

// AnswerErrorType is the type of the error of an answer that is refused. It is the core's *machine.AnswerError, in its words.
const AnswerErrorType = "AnswerError"

// handle takes answers and questions about the session.
func (w *session) handle(ctx workflow.Context) error {
	return errors.Join(
		workflow.SetQueryHandler(ctx, StateQuery, func() (machine.State, error) { return w.s, nil }),
		workflow.SetQueryHandler(ctx, GateQuery, func() (*machine.Gate, error) { return w.s.Gate, nil }),
		workflow.SetUpdateHandlerWithOptions(ctx, AnswerUpdate, w.answer, workflow.UpdateHandlerOptions{Validator: w.check}),
	)
}

// check refuses an answer before anything of it is in the history.
func (w *session) check(a machine.Answer) error {
	err := error(&machine.AnswerError{Reason: "no question is open"})
	if w.s.Gate != nil {
		_, err = w.s.Gate.Check(w.s.Gate.AsMeant(a))
	}
	if err != nil {
		return temporal.NewApplicationErrorWithCause(err.Error(), AnswerErrorType, err)
	}
	return nil
}

// answer takes an answer that was checked.
func (w *session) answer(ctx workflow.Context, a machine.Answer) (int64, error) {
	if err := w.check(a); err != nil { // another one was faster
		return 0, err
	}
	err := w.apply(ctx, Played{Events: []machine.Event{w.s.AnswerEvent(a)}})
	return w.s.Revision, err
}
