package agent

import (
	"context"
	"fmt"

	"autopilot/personas"
	"autopilot/personas/agent/toolbox"
)

const (
	// maxRefusals is how often work that is submitted as done is refused.
	maxRefusals = 3
	// maxFailure bounds what a refusal says of the checks, in bytes.
	maxFailure = 6_000
)

// scripted is a model whose answers are laid down. One that has none left
// cannot mend anything: its last reply is taken, for the engine to judge.
type scripted interface{ More() bool }

// handIn holds replies that say done against the checks by which the work is
// judged afterwards, so that what they find is mended while the model still
// knows what it did.
type handIn struct {
	check   func(context.Context) (string, error) // nil: nothing is checked
	model   Model
	limits  *limits
	mask    *personas.Mask
	metrics *personas.Metrics
	turn    func() int

	refusal string // of the turn below
	refused int    // turn of the last refusal
}

// refusedError is the answer to a reply that was refused.
type refusedError struct {
	why  string
	left int // further refusals
}

func (e *refusedError) Error() string {
	return fmt.Sprintf("the reply was not taken: the program checked the work, and it does not pass. Mend it and submit again; "+
		"where you cannot, say so with status failed or blocked. Submitting what does not pass ends the work as failed, at the latest after %d more tries.\n%s", e.left+1, e.why)
}

// take gives the reply as it goes out, or a *refusedError.
func (h *handIn) take(ctx context.Context, reply personas.Reply) (personas.Reply, error) {
	m := h.metrics
	if h.check == nil || reply.Status != personas.StatusDone {
		return reply, nil
	}
	if h.refusal != "" && h.refused == h.turn() { // a second reply in one turn: nothing was mended since
		return reply, &refusedError{h.refusal, maxRefusals - m.Refusals}
	}
	if model, is := h.model.(scripted); is && !model.More() && m.Refusals < maxRefusals {
		return reply, nil
	}
	resume := h.limits.pause() // a test run may be silent for long, and has its own limit
	why, err := h.check(ctx)
	resume()
	if err != nil { // the engine will see by itself, and say
		return reply, ctx.Err()
	}
	why = toolbox.Capped(h.mask, h.mask.Replace(why), maxFailure)
	if m.Checked == 0 {
		m.Checked = 1
		if why == "" {
			m.FirstPass = 1
		}
	}
	switch {
	case why == "":
		return reply, nil
	case m.Refusals == maxRefusals:
		return failed(reply, why), nil
	}
	m.Refusals++
	h.refusal, h.refused = why, h.turn()
	return reply, &refusedError{why, maxRefusals - m.Refusals}
}

// failed is a reply whose claim was refused too often.
func failed(reply personas.Reply, why string) personas.Reply {
	reply.Status = personas.StatusFailed
	reply.Blocker = fmt.Sprintf("it was submitted as done %d times, and did not pass the checks: %s", maxRefusals+1, why)
	return reply
}
