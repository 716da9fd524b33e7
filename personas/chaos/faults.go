package chaos

import (
	"context"
	"time"

	"autopilot/personas"
)

// beat is the pause between two pieces of a stream that never ends.
const beat = 5 * time.Millisecond

func lying(m *Model) turn {
	return func(context.Context) (personas.Message, error) {
		said := m.work.Reply
		said.Summary = "Everything is done, and all tests pass."
		if said.PlanPath != "" {
			said.PlanPath = "docs/plans/a-plan-that-nobody-wrote.md"
		}
		return m.calls(submitted(said)), nil
	}
}

func stalling(*Model) turn { return silent }

func silent(ctx context.Context) (personas.Message, error) {
	<-ctx.Done()
	return personas.Message{}, ctx.Err()
}

func halving(m *Model) turn {
	return func(ctx context.Context) (personas.Message, error) {
		if m.turns > 1 {
			return silent(ctx)
		}
		return m.calls(m.half()...), nil
	}
}

func crashing(m *Model) turn {
	return func(context.Context) (personas.Message, error) {
		if m.turns == 1 && m.part.Form != "at once" {
			return m.calls(m.half()...), nil
		}
		return personas.Message{}, &personas.EndError{Kind: personas.Crashed, Detail: "the agent ended with exit code 139"}
	}
}

func looping(m *Model) turn {
	return func(context.Context) (personas.Message, error) {
		if m.part.Form == "only words" {
			return personas.Message{Role: personas.RoleAssistant, Content: "I will begin with the first task now."}, nil
		}
		return m.calls(call("list_files", map[string]string{"glob": "docs/*"})), nil
	}
}

// dripping gives a sign of life all the time, and never an answer.
func dripping(*Model) turn {
	return func(ctx context.Context) (personas.Message, error) {
		tick := time.NewTicker(beat)
		defer tick.Stop()
		for {
			select {
			case <-ctx.Done():
				return personas.Message{}, ctx.Err()
			case <-tick.C:
				personas.Beat(ctx)
			}
		}
	}
}

func overflowing(m *Model) turn {
	honest := working(m)
	return func(ctx context.Context) (personas.Message, error) {
		if m.part.Form == "once" && m.turns > 1 {
			return honest(ctx)
		}
		return personas.Message{}, &personas.OverflowError{Detail: "This model's maximum context length is 8192 tokens"}
	}
}

// oscillating is the review after which nothing is ever right.
func oscillating(m *Model) turn {
	return func(context.Context) (personas.Message, error) {
		wish := personas.Finding{Severity: personas.Critical, Title: "The names have to be long", Rationale: "Short names say nothing."}
		if m.part.nth%2 == 0 {
			wish = personas.Finding{Severity: personas.Critical, Title: "The names have to be short", Rationale: "Long names hide what happens."}
		}
		if len(m.work.Props.Earlier) > 0 {
			wish.File = m.work.Props.Earlier[0]
		}
		said := m.work.Reply
		said.Findings = append(said.Findings, wish)
		return m.calls(submitted(said)), nil
	}
}
