package agent

import (
	"context"
	"fmt"
	"strings"

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
	check   func(context.Context, personas.Reply) (string, error) // nil: nothing is checked
	model   Model
	limits  *limits
	mask    *personas.Mask
	metrics *personas.Metrics
	turn    func() int

	refusal *refusedError // of the turn below
	refused int           // turn of the last refusal
	told    bool          // which fields of a reply nobody reads
}

// refusedError is the answer to a reply that was refused.
type refusedError struct {
	why  string
	left int  // further refusals
	form bool // only its form is refused
}

func (e *refusedError) Error() string {
	if e.form {
		return "the reply was not taken yet. Submit it once more; it is taken then.\n" + e.why
	}
	return fmt.Sprintf("the reply was not taken: the program checked the work, and it does not pass. Mend it and submit again; "+
		"where you cannot, say so with status failed or blocked. Submitting what does not pass ends the work as failed, at the latest after %d more tries.\n%s", e.left+1, e.why)
}

// take gives the reply as it goes out, or a *refusedError that lists everything.
func (h *handIn) take(ctx context.Context, reply personas.Reply) (personas.Reply, error) {
	if h.refusal != nil && h.refused == h.turn() { // a second reply in one turn: nothing was mended since
		return reply, h.refusal
	}
	if model, is := h.model.(scripted); is && !model.More() && h.metrics.Refusals < maxRefusals {
		return reply, nil
	}
	var form string
	if !h.told {
		form = strings.Join(reply.UnknownFields(), "\n")
	}
	var why string
	if h.check != nil && reply.Status == personas.StatusDone {
		var err error
		if why, err = h.against(ctx, reply); err != nil { // the engine will see by itself, and say
			return reply, ctx.Err()
		}
	}
	switch {
	case why == "" && form == "":
		return reply, nil
	case why != "" && h.metrics.Refusals == maxRefusals && reply.PlanPath != "": // it is refused with its text, and made anew
		return reply, nil
	case why != "" && h.metrics.Refusals == maxRefusals:
		return failed(reply, why), nil
	case why != "":
		h.metrics.Refusals++
	}
	h.told = h.told || form != ""
	h.refusal, h.refused = &refusedError{strings.TrimSpace(why + "\n" + form), maxRefusals - h.metrics.Refusals, why == ""}, h.turn()
	return reply, h.refusal
}

// against is why the work would not pass.
func (h *handIn) against(ctx context.Context, reply personas.Reply) (string, error) {
	resume := h.limits.pause() // a test run may be silent for long, and has its own limit
	why, err := h.check(ctx, reply)
	resume()
	if err != nil {
		return "", err
	}
	why = toolbox.Capped(h.mask, h.mask.Replace(why), maxFailure)
	if h.metrics.Checked == 0 {
		h.metrics.Checked = 1
		if why == "" {
			h.metrics.FirstPass = 1
		}
	}
	return why, nil
}

// failed is a reply whose claim was refused too often.
func failed(reply personas.Reply, why string) personas.Reply {
	reply.Status = personas.StatusFailed
	reply.Blocker = fmt.Sprintf("it was submitted as done %d times, and did not pass the checks: %s", maxRefusals+1, why)
	return reply
}
