package live

import (
	"context"

	"autopilot/autopilot/gates"
	"autopilot/autopilot/machine"
)

// Human is a person who is asked at the terminal that a view draws on: it makes room for the question.
type Human struct {
	gates.Human
	View *Live
}

// Ask asks, with the region away.
func (h Human) Ask(ctx context.Context, g machine.Gate) (machine.Answer, error) {
	defer h.View.Yield()()
	return h.Human.Ask(ctx, g)
}

// Confirm asks, with the region away.
func (h Human) Confirm(ctx context.Context, question string) (bool, error) {
	defer h.View.Yield()()
	return h.Human.Confirm(ctx, question)
}
