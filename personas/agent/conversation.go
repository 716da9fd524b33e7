package agent

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"autopilot/personas"
)

const (
	// maxNudges is how often a model that only talks is reminded of the tools.
	maxNudges = 2
	// lastCall is how many turns before the limit a model is told of it.
	lastCall = 3
)

const system = `You work in a Git working tree through the tools given here, until you submit your reply.
Paths are relative to the root of the working tree. Several independent calls can be made in one turn.
A tool result that begins with "error:" says what to do differently. Nobody reads your messages while you work:
the only way to finish is the tool submit_reply.`

// conversation is one dispatch's exchange with its model.
type conversation struct {
	d          personas.Dispatch
	model      Model
	tools      *toolbox
	rec        *record
	limits     *limits
	maxTurns   int
	maxContext int

	messages []personas.Message
	usage    personas.Usage
	turn     int
	nudges   int
	repaired bool
}

// run goes on until there is a reply, or an error that says why there is none.
func (c *conversation) run(ctx context.Context) (*personas.Reply, error) {
	c.add(personas.Message{Role: personas.RoleSystem, Content: system})
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
	if err := ctx.Err(); err != nil {
		return personas.Message{}, err
	}
	c.shrink()
	answer, used, err := c.model.Turn(ctx, c.messages, c.tools.descriptions())
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
		return answer, err
	}
	c.turn++
	c.rec.turn = c.turn
	answer.Role = personas.RoleAssistant
	for i := range answer.Calls {
		if answer.Calls[i].ID == "" {
			answer.Calls[i].ID = fmt.Sprintf("call_%d_%d", c.turn, i+1)
		}
	}
	c.add(answer)
	return answer, nil
}

// react runs the tools that the model called for. All calls of a turn are run,
// also those behind a submitted reply: they were wanted together.
func (c *conversation) react(ctx context.Context, answer personas.Message) (*personas.Reply, error) {
	if len(answer.Calls) == 0 {
		return c.talk(answer.Content)
	}
	var reply *personas.Reply
	for _, call := range answer.Calls {
		result, err := c.tools.call(ctx, call)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if call.Name == submitReply && err == nil {
			reply = c.tools.reply
		}
		var invalid *personas.ReplyError
		if errors.As(err, &invalid) {
			if c.repaired {
				return nil, noReply("its reply was not valid, and neither was the second: %s", strings.Join(invalid.Problems, "; "))
			}
			c.repaired = true
		}
		if err != nil {
			result = "error: " + err.Error()
		}
		c.limits.beat()
		c.add(personas.Message{Role: personas.RoleTool, Content: orNoOutput(result), CallID: call.ID})
	}
	return reply, nil
}

// talk is for a message without calls: it may hold the reply, else the model is
// reminded, and in the end believed to have none.
func (c *conversation) talk(text string) (*personas.Reply, error) {
	reply, err := personas.FromMessage(text)
	if err == nil {
		err = c.d.Persona.CheckOwed(reply)
	}
	if err == nil {
		return &reply, nil
	}
	var invalid *personas.ReplyError
	switch {
	case errors.As(err, &invalid) && c.repaired:
		return nil, noReply("its reply was not valid, and neither was the second: %s", strings.Join(invalid.Problems, "; "))
	case errors.As(err, &invalid):
		c.repaired = true
		c.say("Your reply could not be taken: " + strings.Join(invalid.Problems, "; ") + ". Submit it again, mended and whole, with submit_reply.")
	case c.nudges == maxNudges:
		return nil, noReply("it stopped calling tools without submitting a reply; its last words: %s", firstLine(text))
	default:
		c.nudges++
		c.say("Nobody reads messages here. Go on with the tools, or, when you are finished or cannot go on, submit your reply with submit_reply.")
	}
	return nil, nil
}

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

func noReply(format string, args ...any) error {
	return &personas.EndError{Kind: personas.NoReply, Detail: fmt.Sprintf(format, args...)}
}

// orNoOutput fills an empty result: some servers refuse an empty tool message.
func orNoOutput(s string) string {
	if strings.TrimSpace(s) == "" {
		return "(no output)"
	}
	return s
}
