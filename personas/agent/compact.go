package agent

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"

	"autopilot/personas"
	"autopilot/personas/agent/toolbox"
)

// Shares of the window, in percent.
const (
	archiveAt    = 40 // from here on old results go to files
	archiveAgain = 40 // by so much it has to fill up before more go: else each turn with a big result costs the cache
	summariseAt  = 70 // from here on the middle is summarised
	worthwhile   = 10 // what a compaction has to free: each costs the provider's cache of the prefix
	recentShare  = 15 // turns at the end that a compaction leaves alone
	resultShare  = 20 // of the results of one turn
	answerShare  = 10 // of the text of one answer, and again of the arguments of an older one
	summaryShare = 8
	readShare    = 50 // of what is given to be summarised
)

// headMessages are the system prompt and the task: they are always kept.
const headMessages = 2

// fit makes room before a request. Between two compactions the messages only
// grow, so that each request begins with the whole of the one before.
func (c *conversation) fit(ctx context.Context) error {
	if next := c.meter.next(c.messages); next > c.meter.share(archiveAt) && (next-c.floor >= c.meter.share(archiveAgain) || next > c.meter.share(summariseAt)) {
		c.archiveResults(c.recent(c.meter.share(recentShare)), c.meter.share(worthwhile))
	}
	if c.meter.next(c.messages) > c.meter.share(summariseAt) {
		if err := c.summarise(ctx, c.recent(c.meter.share(recentShare)), c.meter.share(worthwhile)); err != nil {
			return err
		}
	}
	if c.turn > 0 && c.meter.known && c.meter.next(c.messages) > c.meter.window {
		c.archiveResults(len(c.messages), 0) // rather than to end here, also of the newest turn
	}
	if next := c.meter.next(c.messages); c.meter.known && next > c.meter.window {
		if c.turn == 0 {
			return c.tooLong(next)
		}
		return c.handOver(fmt.Sprintf("the next request would have about %d tokens", next))
	}
	return nil
}

// recover makes the conversation shorter after a server refused it as too
// long; at the second time also what the last turn brought is archived.
func (c *conversation) recover(ctx context.Context, try int, overflow *personas.OverflowError) error {
	asked := c.meter.next(c.messages)
	c.meter.overflowed(asked, windowIn(overflow.Detail))
	c.window.shrink(c.meter.window, c.meter.source)
	if c.turn == 0 && c.meter.known {
		return c.tooLong(asked)
	}
	before := size(c.messages)
	last := c.recent(0)
	if try > 0 {
		last = len(c.messages)
	}
	c.archiveResults(last, 0)
	if err := c.summarise(ctx, c.recent(0), 0); err != nil {
		return err
	}
	if try > 1 || size(c.messages) >= before {
		return c.handOver(overflow.Detail)
	}
	return nil
}

// tooLong ends a dispatch whose prompt alone is more than its model takes. Nothing but another model helps, so that it is
// no attempt; a later one may only have been told too much of those before.
func (c *conversation) tooLong(asked int) error {
	err := fmt.Errorf("the prompt of %s has about %d tokens, and its model takes %d, %s; %s", c.d.Key, asked, c.meter.window, c.meter.source, cmp.Or(c.meter.remedy, largerWindow))
	if c.d.Key.Attempt > 1 {
		return noReply("%v", err)
	}
	return err
}

const largerWindow = "name a model with a larger window, or, where it has one, set window in its backend's configuration"

// recent is where the turns at the end begin that have at most so many tokens;
// the last turn is always among them. A turn begins with an answer, so that no
// call is parted from its result.
func (c *conversation) recent(tokens int) int {
	start := len(c.messages)
	for i := len(c.messages) - 1; i >= headMessages; i-- {
		if c.messages[i].Role != personas.RoleAssistant {
			continue
		}
		if start < len(c.messages) && c.meter.tokens(c.messages[i:]) > tokens {
			break
		}
		start = i
	}
	return start
}

// archiveResults puts the tool results before a message into files, and of long arguments what is above a turn's share,
// unless that frees less than so many tokens.
func (c *conversation) archiveResults(before, worth int) {
	const small = 600 // bytes that are left where they are
	calls := map[string]personas.Call{}
	old := map[int]string{} // what was called, by the place of its result
	free, budget := 0, max(c.meter.bytes(answerShare), leastArguments)
	for i, m := range c.messages[:before] {
		for _, call := range m.Calls {
			calls[call.ID] = call
		}
		free += max(0, argumentsOf(m.Calls)-budget)
		if m.Role == personas.RoleTool && len(m.Content) > small {
			old[i] = called(c.rec.mask, calls[m.CallID])
			free += len(m.Content) - small/2
		}
	}
	if free == 0 || int(float64(free)*c.meter.rate) < worth {
		return
	}
	for _, i := range slices.Sorted(maps.Keys(old)) {
		c.messages[i].Content = c.archived(old[i], c.messages[i].Content)
	}
	for i, m := range c.messages[:before] {
		c.messages[i].Calls = shortenCalls(m.Calls, budget, c.archived)
	}
	c.compacted(fmt.Sprintf("archived %d old results", len(old)))
}

// archived keeps a text in a file and gives the line that says where.
func (c *conversation) archived(what, text string) string {
	path, err := c.archive.Keep(text)
	if err != nil {
		c.rec.note(err)
	}
	return toolbox.Place(path, what, text)
}

func (c *conversation) compacted(what string) {
	c.meter.changed()
	c.floor = c.meter.next(c.messages)
	c.metrics.Compactions++
	c.loops.forget()
	c.rec.notice("made room: " + what)
}

// called is a call in few words.
func called(m *personas.Mask, call personas.Call) string {
	return toolbox.Cut(m, m.Replace(call.Name), maxName) + " " + toolbox.Cut(m, m.Known(toolbox.FirstLine(call.Arguments)), 80)
}
