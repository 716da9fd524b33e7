package agent

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"autopilot/personas"
	"autopilot/personas/agent/toolbox"
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
// Its turns are counted, so it is not asked for summaries besides.
type Finisher interface{ Finish() error }

// Options of an Agent. The zero value is usable.
type Options struct {
	ModelFor       func(personas.Dispatch) (Model, error) // in place of New's model, where it depends on the dispatch
	MaxTurns       int                                    // of a dispatch that names none; default 200
	Window         int                                    // tokens that the model takes; 0: what AskWindow says, else that of the named Model, else a guess
	AskWindow      func(context.Context) personas.Window  // asks the model's server; nil: it cannot be asked
	Model          string                                 // name of the model, to know its window by; may be empty
	CommandTimeout time.Duration                          // of run_command, at most; default 10 minutes
	Environ        []string                               // of commands, secrets are taken out; nil: the program's own
	PassEnv        []string                               // variables with secrets that commands get all the same
	Confined       toolbox.Confinement                    // of commands
	Secrets        []string                               // values that are masked in every record, besides those in Environ
	MCP            []personas.MCPServer                   // whose tools the model may use besides, where the persona has their tier
	Warn           func(text string)                      // what people should know of the set-up, each thing once; may be nil
	Now            func() time.Time                       // stamps the transcript; nil: no stamps
}

// Agent is the built-in backend.
type Agent struct {
	model   Model
	o       Options
	offered catalog       // what MCP servers have
	start   time.Duration // of one of them, at most
	window  *windowKeeper
}

// New makes an Agent over a model, which may be nil when Options.ModelFor is set.
func New(model Model, o Options) *Agent {
	if o.MaxTurns <= 0 {
		o.MaxTurns = 200
	}
	if o.CommandTimeout <= 0 {
		o.CommandTimeout = 10 * time.Minute
	}
	if o.Environ == nil {
		o.Environ = os.Environ()
	}
	window := &windowKeeper{ask: o.AskWindow, warn: o.Warn}
	return &Agent{model: model, o: o, start: startTime, window: window.begin(o.Window, o.Model)}
}

// Submits says that the reply is handed in through a tool.
func (a *Agent) Submits() bool { return true }

// Window is how many tokens the model takes, as far as is known.
func (a *Agent) Window(ctx context.Context) int { return a.window.of(ctx).Tokens }

// Dispatch runs one persona to its reply.
func (a *Agent) Dispatch(ctx context.Context, d personas.Dispatch) (personas.Outcome, error) {
	model, err := a.modelFor(d)
	if err != nil {
		return personas.Outcome{}, err
	}
	t, err := toolbox.OpenTree(d)
	if err != nil {
		return personas.Outcome{}, err
	}
	defer t.Close()
	rec, err := openRecord(d, a.o)
	if err != nil {
		return personas.Outcome{}, err
	}
	defer rec.close()
	d.System = rec.mask.Known(d.System)
	d.Prompt = strings.TrimPrefix(rec.mask.Known(d.Prompt), d.System)

	limited, limits := watch(ctx, d.Idle, d.Timeout)
	defer limits.stop()
	c := &conversation{d: d, model: model, rec: rec, limits: limits, maxTurns: d.MaxTurns}
	if c.maxTurns <= 0 {
		c.maxTurns = a.o.MaxTurns
	}
	c.tools = toolbox.New(d, t, toolbox.Settings{Longest: a.o.CommandTimeout, Environ: a.o.Environ, Passed: a.o.PassEnv, Confined: a.o.Confined}, limits.beat, rec.mask)
	hand := &handIn{check: d.Check, model: model, limits: limits, mask: rec.mask, metrics: &c.metrics, turn: func() int { return c.turn }}
	c.tools.Hand = hand.take
	guests := a.invite(limited, d, c.tools, rec)
	defer guests.leave(limited)
	c.window = a.window
	c.meter = newMeter(a.window.of(limited), c.tools.Descriptions())
	c.meter.own = counterOf(a.o.Model)
	c.archive = &toolbox.Archive{Dir: toolbox.ResultsDir(d), Tree: t.Dir, Mask: rec.mask}
	c.tools.Archive = c.archive
	c.loops = newLoops(a.o.Now)
	c.loops.mask = rec.mask
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
	out := personas.Outcome{Usage: c.usage, Turns: c.turn, Metrics: c.metrics}
	out.Metrics.Fill, out.Metrics.Window = min(c.meter.peak, c.meter.window), c.meter.window
	out.Metrics.ToldTools, out.Metrics.ToldAll = true, true
	out.Metrics.Repeats, out.Metrics.Edits = c.loops.most.repeats, c.loops.most.edits
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
		out.Kind, out.Detail, out.Until, out.UsedUp, out.Outage = personas.RateLimited, limit.Detail, limit.Until, limit.UsedUp, limit.Outage
	case errors.As(err, &auth):
		out.Kind, out.Detail = personas.Auth, auth.Detail
	case errors.As(err, &end):
		out.Kind, out.Detail = end.Kind, c.rec.mask.Replace(end.Detail) // it may quote calls and results
		if end.Kind == personas.NoReply {
			return out, c.finish()
		}
	default:
		return out, err
	}
	return out, nil
}
