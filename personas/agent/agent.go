package agent

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"autopilot/personas"
)

// Model is a chat model. It returns *personas.LimitError, *personas.AuthError
// and *personas.EndError for what ends a dispatch in an orderly way; every
// other error means that the dispatch cannot be made at all. Usage counts even
// beside an error.
type Model interface {
	Turn(ctx context.Context, messages []personas.Message, tools []personas.Tool) (personas.Message, personas.Usage, error)
}

// Finisher is a Model that wants to know when its dispatch ended with a reply
// or without one, to say what of it was left over.
type Finisher interface{ Finish() error }

// Options of an Agent. The zero value is usable.
type Options struct {
	ModelFor       func(personas.Dispatch) (Model, error) // in place of New's model, where it depends on the dispatch
	MaxTurns       int                                    // of a dispatch that names none; default 200
	MaxContext     int                                    // bytes of conversation before old tool results are dropped; default 400,000
	CommandTimeout time.Duration                          // of run_command, at most; default 10 minutes
	Environ        []string                               // of commands, secrets are taken out; nil: the program's own
	Secrets        []string                               // values that are masked in every record, besides those in Environ
	Now            func() time.Time                       // stamps the transcript; nil: no stamps
}

// Agent is the built-in backend.
type Agent struct {
	model Model
	o     Options
}

// New makes an Agent over a model, which may be nil when Options.ModelFor is set.
func New(model Model, o Options) *Agent {
	if o.MaxTurns <= 0 {
		o.MaxTurns = 200
	}
	if o.MaxContext <= 0 {
		o.MaxContext = 400_000
	}
	if o.CommandTimeout <= 0 {
		o.CommandTimeout = 10 * time.Minute
	}
	if o.Environ == nil {
		o.Environ = os.Environ()
	}
	return &Agent{model: model, o: o}
}

// Dispatch runs one persona to its reply.
func (a *Agent) Dispatch(ctx context.Context, d personas.Dispatch) (personas.Outcome, error) {
	model, err := a.modelFor(d)
	if err != nil {
		return personas.Outcome{}, err
	}
	t, err := openTree(d)
	if err != nil {
		return personas.Outcome{}, err
	}
	defer t.close()
	rec, err := openRecord(d, a.o)
	if err != nil {
		return personas.Outcome{}, err
	}
	defer rec.close()

	limited, limits := watch(ctx, d.Idle, d.Timeout)
	defer limits.stop()
	c := &conversation{d: d, model: model, rec: rec, limits: limits, maxContext: a.o.MaxContext, maxTurns: d.MaxTurns}
	if c.maxTurns <= 0 {
		c.maxTurns = a.o.MaxTurns
	}
	c.tools = a.toolbox(d, t, limits)
	reply, err := c.run(limited)
	return conclude(ctx, limited, c, reply, err)
}

func (a *Agent) modelFor(d personas.Dispatch) (Model, error) {
	if a.o.ModelFor == nil {
		return a.model, nil
	}
	m, err := a.o.ModelFor(d)
	if err != nil {
		return nil, fmt.Errorf("choosing the model for %s: %w", d.Key, err)
	}
	return m, nil
}

// conclude tells how the dispatch ended. The order matters: who pressed Ctrl-C
// sees an interruption, whatever error the torn connection gave.
func conclude(parent, limited context.Context, c *conversation, reply *personas.Reply, err error) (personas.Outcome, error) {
	out := personas.Outcome{Usage: c.usage, Turns: c.turn}
	var limit *personas.LimitError
	var auth *personas.AuthError
	var end *personas.EndError
	var late *limitError
	cause := context.Cause(limited)
	switch {
	case c.rec.err != nil:
		return out, fmt.Errorf("recording %s: %w", c.d.Key, c.rec.err)
	case err == nil:
		out.Kind, out.Reply = personas.GotReply, reply
		return out, c.finish()
	case parent.Err() != nil:
		out.Kind, out.Detail = personas.Interrupted, "the dispatch was stopped from outside"
	case errors.As(cause, &late):
		out.Kind, out.Detail = personas.TimedOut, late.Error()
	case errors.As(err, &limit):
		out.Kind, out.Detail, out.Until = personas.RateLimited, limit.Error(), limit.Until
	case errors.As(err, &auth):
		out.Kind, out.Detail = personas.Auth, auth.Error()
	case errors.As(err, &end):
		out.Kind, out.Detail = end.Kind, end.Detail
		if end.Kind == personas.NoReply {
			return out, c.finish()
		}
	default:
		return out, err
	}
	return out, nil
}
