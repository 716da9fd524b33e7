package autopilot

import (
	"context"
	"fmt"
	"slices"
	"time"

	"autopilot/autopilot/machine"
)

// wishEvery is how often a run that waits looks whether it is to stop.
const wishEvery = time.Second

// untilStop waits until a person wishes that the run stops; false: the context ended.
func untilStop(ctx context.Context, in Inbox) bool {
	ticker := time.NewTicker(wishEvery)
	defer ticker.Stop()
	for {
		if in.Wished(machine.WishStop) {
			return true
		}
		select {
		case <-ctx.Done():
			return false
		case <-ticker.C:
		}
	}
}

// Standing says what a session is in: "task 2 of 5 (Parse the rules)".
func Standing(s machine.State) string { return standing(s, s.CurrentTask) }

// standing is that of the work on a task; "" is none.
func standing(s machine.State, task string) string {
	if t, ok := s.Task(task); ok {
		n := slices.IndexFunc(s.Tasks, func(other machine.Task) bool { return other.ID == t.ID }) + 1
		return fmt.Sprintf("task %d of %d (%s)", n, len(s.Tasks), t.Title)
	}
	switch {
	case s.CurrentState == machine.FinalReview:
		return "the final review"
	case s.CurrentState == machine.Done:
		return "the end"
	case s.CurrentState == machine.Init || s.CurrentPhase >= len(s.Phases):
		return "the preparations"
	}
	p := s.Phases[s.CurrentPhase]
	return fmt.Sprintf("phase %s of %d (%s)", p.Number, len(s.Phases), p.Name)
}
