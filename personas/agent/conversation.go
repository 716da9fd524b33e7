package agent

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"autopilot/personas"
	"autopilot/personas/agent/toolbox"
)

const (
	// maxNudges is how often a model that only talks is reminded of the tools.
	maxNudges = 2
	// lastCall is how many turns before the limit a model is told of it.
	lastCall = 3
)

const system = `You work in a Git tree through tools; paths are relative to its root. Make independent calls together. ` +
	`A result that begins with error: says what to do differently.`

// conversation is one dispatch's exchange with its model.
type conversation struct {
	d        personas.Dispatch
	model    Model
	tools    *toolbox.Box
	rec      *record
	limits   *limits
	maxTurns int

	messages []personas.Message
	meter    *meter
	window   *windowKeeper
	archive  *toolbox.Archive
	loops    *loops
	summary  string // of what was taken out of messages
	floor    int    // tokens of the next request after the last compaction
	usage    personas.Usage
	metrics  personas.Metrics
	turn     int
	nudges   int // messages without a call since the last call
	repaired bool
}

// run goes on until there is a reply, or an error that says why there is none.
func (c *conversation) run(ctx context.Context) (*personas.Reply, error) {
	c.add(personas.Message{Role: personas.RoleSystem, Content: strings.TrimSpace(system + "\n\n" + c.d.System)})
	c.add(personas.Message{Role: personas.RoleUser, Content: c.d.Prompt})
	for c.turn < c.maxTurns {
		answer, err := c.ask(ctx)
		if err != nil {
			return nil, err
		}
		reply, err := c.react(ctx, answer)
		if reply != nil || err != nil {
			return reply, err
		}
		if c.maxTurns-c.turn == lastCall {
			c.say(fmt.Sprintf("Only %d turns are left. Bring the work into a state that you can hand in, and submit your reply.", lastCall))
		}
	}
	return nil, noReply("it used all of its %d turns without submitting a reply", c.maxTurns)
}

func (c *conversation) ask(ctx context.Context) (personas.Message, error) {
	if err := c.fit(ctx); err != nil {
		return personas.Message{}, err
	}
	for try := 0; ; try++ {
		if err := ctx.Err(); err != nil {
			return personas.Message{}, err
		}
		paying := personas.WithSpending(ctx, func(lost personas.Usage) { c.spent(lost, nil) })
		answer, used, err := c.model.Turn(paying, c.messages, c.tools.Descriptions())
		c.spent(used, err)
		if overflow, ok := errors.AsType[*personas.OverflowError](err); ok {
			if err = c.recover(ctx, try, overflow); err == nil {
				continue
			}
		}
		if err != nil {
			return answer, err
		}
		if c.meter.reported(used, c.messages) {
			c.window.cut(c.meter)
		} else if c.turn == 0 {
			c.window.loaded(ctx, c.meter)
		}
		c.turn++
		c.rec.turn = c.turn
		return c.admit(answer), nil
	}
}

// spent counts a model call, one without an answer too.
func (c *conversation) spent(used personas.Usage, err error) {
	c.limits.beat()
	if used != (personas.Usage{}) || err == nil {
		c.usage = c.usage.Add(used)
		c.rec.usage(used)
		if c.d.OnUsage != nil {
			c.d.OnUsage(used)
		}
	}
	if err != nil {
		c.rec.notice("no answer: " + err.Error())
	}
}

// react runs the tools that the model called for. All calls of a turn are run,
// also those behind a submitted reply: they were wanted together.
func (c *conversation) react(ctx context.Context, answer personas.Message) (*personas.Reply, error) {
	if len(answer.Calls) == 0 {
		return c.talk(ctx, answer.Content)
	}
	c.nudges = 0
	var reply *personas.Reply
	var invalid *personas.ReplyError
	room := c.meter.bytes(resultShare)
	for i, call := range answer.Calls {
		result, err := c.call(ctx, i, call)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if call.Name == toolbox.SubmitReply && err == nil {
			reply = c.tools.Reply
		}
		errors.As(err, &invalid)
		c.limits.beat()
		kept := c.result(call, result, max(room/(len(answer.Calls)-i), minResult))
		if call.Note != "" {
			kept = strings.TrimRight(kept, "\n") + "\n" + c.rec.mask.Known(call.Note)
		}
		room -= len(kept)
		c.add(personas.Message{Role: personas.RoleTool, Content: kept, CallID: call.ID})
		c.loops.called(c.turn, call, result, err)
	}
	switch {
	case reply != nil:
		return reply, nil
	case invalid != nil && c.repaired:
		return nil, twiceInvalid(invalid)
	case invalid != nil:
		c.repaired = true
	}
	return nil, c.advise()
}

// call runs one tool. Its error is the result that the model gets.
func (c *conversation) call(ctx context.Context, i int, call personas.Call) (string, error) {
	var result string
	var used personas.Tier
	began := c.rec.time()
	err := fmt.Errorf("at most %d calls are made in a turn; this one was not", maxCalls)
	if i < maxCalls {
		result, used, err = c.tools.Call(ctx, call)
	}
	c.rec.audit(began, call, used, err)
	name := call.Name
	if used == "" { // there is no such tool, or it was not called
		name = ""
	}
	if c.metrics.Called(name, err != nil); err != nil {
		result = "error: " + err.Error()
	}
	return toolbox.OrNoOutput(c.rec.mask.Known(result)), err
}

// advise says that the work goes in circles, and ends it when that was said
// before and it goes on so.
func (c *conversation) advise() error {
	advice, stuck := c.loops.judge()
	if script, is := c.model.(scripted); stuck != "" && (!is || !script.More()) { // a record goes on as it went on
		return noReply("it is stuck: %s", stuck)
	}
	if advice != "" {
		c.metrics.Advised++
		c.rec.notice("advised: " + advice)
		c.say(advice)
	}
	return nil
}

// talk is for a message without calls: it may hold the reply, else the model is
// reminded, and in the end believed to have none.
func (c *conversation) talk(ctx context.Context, text string) (*personas.Reply, error) {
	reply, err := personas.FromMessage(spoken(text))
	if err == nil {
		err = c.d.Persona.CheckOwed(reply)
	}
	if err == nil {
		reply, err = c.tools.Hand(ctx, reply)
	}
	if err == nil {
		return &reply, nil
	}
	var invalid *personas.ReplyError
	var refused *refusedError
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case errors.As(err, &refused):
		c.say("error: " + refused.Error())
	case errors.As(err, &invalid) && c.repaired:
		return nil, twiceInvalid(invalid)
	case errors.As(err, &invalid):
		c.repaired = true
		c.say("Your reply could not be taken: " + strings.Join(invalid.Problems, "; ") + ". Submit it again, mended and whole, with submit_reply.")
	case c.nudges == maxNudges:
		return nil, noReply("it stopped calling tools without submitting a reply; its last words: %s", toolbox.OrNoOutput(toolbox.Cut(c.rec.mask, toolbox.FirstLine(text), 500)))
	default:
		c.nudges++
		c.say(nobodyReads)
	}
	c.loops.talked()
	return nil, c.advise()
}

const nobodyReads = "Nobody reads messages here. Go on with the tools, or, when you are finished or cannot go on, submit your reply with submit_reply."

func (c *conversation) say(text string) {
	c.add(personas.Message{Role: personas.RoleUser, Content: text})
}

func (c *conversation) add(m personas.Message) {
	c.messages = append(c.messages, m)
	c.rec.message(m)
}

// finish lets a model say that it had more to give.
func (c *conversation) finish() error {
	if f, ok := c.model.(Finisher); ok {
		return f.Finish()
	}
	return nil
}

func twiceInvalid(second *personas.ReplyError) error {
	return noReply("its reply was not valid, and neither was the second: %s", strings.Join(second.Problems, "; "))
}

func noReply(format string, args ...any) error {
	return &personas.EndError{Kind: personas.NoReply, Detail: fmt.Sprintf(format, args...)}
}
