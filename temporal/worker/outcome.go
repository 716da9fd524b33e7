package worker

import (
	"context"
	"errors"
	"time"

	"autopilot/autopilot/budget"
	"autopilot/autopilot/halt"
	"autopilot/autopilot/machine"
	"autopilot/temporal/flow"
)

// outcome says what the workflow has to know of how a step ended. An open question is in the state; a limit is waited out there, so
// that no place is held meanwhile. The session stops at what no worker can do without a person; every other error is that of an
// attempt, and another one begins.
func outcome(ctx context.Context, err error, longest time.Duration, waited budget.Waited, now time.Time) (flow.Played, error) {
	var limit *budget.LimitError
	var waiting *halt.WaitingError
	var refused *machine.AnswerError
	var unagreed *unagreedError
	var rejected *refusedError
	switch {
	case errors.As(err, &refused):
		return flow.Played{Refused: refused.Reason}, nil
	case errors.As(err, &waiting):
		return flow.Played{}, nil
	case err != nil && ctx.Err() != nil:
		return flow.Played{}, context.Cause(ctx)
	case errors.As(err, &unagreed):
		return flow.Played{Stop: unagreed.Error()}, nil
	case errors.As(err, &rejected):
		return flow.Played{Stop: rejected.Error()}, nil
	case errors.As(err, &limit) && limit.Raise != "":
		return flow.Played{Spent: limit.Error()}, nil
	case errors.As(err, &limit):
		p := budget.Patience{Now: func() time.Time { return now }, Longest: longest, Waited: waited}
		if until := limit.Until; p.Bears(limit) {
			return flow.Played{Until: &until, Limit: limit.Error(), Waited: p.Waited}, nil
		}
		until := limit.Until
		if until.IsZero() {
			until = now.Add(unknownLimit)
		}
		return flow.Played{Stop: limit.Error(), Until: &until}, nil // others of the account wait
	}
	return flow.Played{}, err
}

// sooner is when a session that waits for the limit of others asks for an account again: a person may end that early, and another worker
// may have another account.
func sooner(until, now time.Time) time.Time { return now.Add(min(until.Sub(now), unknownLimit)) }

// unknownLimit is how long the others of an account wait for the end of a limit that nobody knows.
const unknownLimit = 15 * time.Minute
