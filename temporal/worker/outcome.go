package worker

import (
	"context"
	"errors"
	"time"

	"autopilot/autopilot/budget"
	"autopilot/autopilot/halt"
	"autopilot/autopilot/machine"
	"autopilot/config"
	"autopilot/temporal/flow"
)

// outcome says what the workflow has to know of how a step ended. An open question is in the state; a limit is waited out there, so
// that no place is held meanwhile.
func outcome(ctx context.Context, err error, longest time.Duration, now time.Time) (flow.Played, error) {
	var limit *budget.LimitError
	var waiting *halt.WaitingError
	var refused *machine.AnswerError
	switch {
	case errors.As(err, &refused):
		return flow.Played{Refused: refused.Reason}, nil
	case errors.As(err, &waiting):
		return flow.Played{}, nil
	case err != nil && ctx.Err() != nil:
		return flow.Played{}, context.Cause(ctx)
	case errors.As(err, &limit) && limit.Raise != "":
		return flow.Played{Spent: limit.Error()}, nil
	case errors.As(err, &limit):
		until := limit.Until
		if until.IsZero() {
			until = now.Add(min(unknownLimit, longest))
		}
		if longest == 0 || until.Sub(now) > longest {
			return flow.Played{Stop: limit.Error()}, nil
		}
		return flow.Played{Until: &until, Limit: limit.Error()}, nil
	}
	return flow.Played{}, err
}

// unknownLimit is how long a limit is waited out whose end nobody knows.
const unknownLimit = 15 * time.Minute

// share leaves one of several acts that spend at the same time its part of what a session, and its phase, may still spend.
func share(l config.Limits, s machine.State, among int) config.Limits {
	part := func(cost *float64, tokens, dispatches *int, used machine.Usage) {
		*cost = min(*cost, used.CostUSD+(*cost-used.CostUSD)/float64(among))
		sum := used.InputTokens + used.OutputTokens
		*tokens = min(*tokens, sum+(*tokens-sum)/among)
		*dispatches = min(*dispatches, used.Dispatches+(*dispatches-used.Dispatches)/among)
	}
	if among > 1 {
		part(&l.MaxCostUSD, &l.MaxTokens, &l.MaxDispatches, s.Usage)
		part(&l.Phase.MaxCostUSD, &l.Phase.MaxTokens, &l.Phase.MaxDispatches, s.SpentHere().Usage)
	}
	return l
}
