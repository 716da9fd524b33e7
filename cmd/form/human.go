package form

import (
	"context"
	"errors"

	"autopilot/autopilot/gates"
	"autopilot/autopilot/machine"
	"autopilot/cmd/live"
)

// Human is a person who is asked at the terminal that a live view draws on: it makes room for the question.
type Human struct {
	gates.Human // asks line by line, where no form can be shown
	View        *live.Live
	Texts       map[rune]func(ctx context.Context) (Text, error)
	Wish        *string // is set to EditPlan or DraftPlan where the person leaves the run for it
}

// Ask asks, with the region away.
func (h Human) Ask(ctx context.Context, g machine.Gate) (machine.Answer, error) {
	l := h.View
	v, known := l.Now()
	if !known || v.Gate == nil || v.Gate.ID != g.ID || !l.Forms || !Fits(l.Host) {
		defer l.Yield()()
		return h.Human.Ask(ctx, g)
	}
	defer l.Cover()()
	answer, err := Ask(ctx, Options{Host: l.Host, Look: l.Look, Texts: h.Texts, Note: l.Actions.Note, Stop: l.Actions.Stop, Past: l.Recent()}, v)
	if wish, is := errors.AsType[*PlanError](err); is {
		*h.Wish = wish.How
	}
	return answer, err
}

// Confirm asks, with the region away.
func (h Human) Confirm(ctx context.Context, question string) (bool, error) {
	defer h.View.Yield()()
	return h.Human.Confirm(ctx, question)
}
