package chaos

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"autopilot/personas"
)

// Model plays one dispatch for the built-in agent.
type Model struct {
	part  Part
	work  Work
	now   func() time.Time
	turn  turn
	turns int

	worked bool
}

// turn is what a model says next.
type turn func(ctx context.Context) (personas.Message, error)

// Paid is what each turn costs, so that budgets have something to count.
var Paid = personas.Usage{InputTokens: 1200, OutputTokens: 150, CostUSD: 0.01}

// Turn says the next thing, whatever the conversation says.
func (m *Model) Turn(ctx context.Context, _ []personas.Message, _ []personas.Tool) (personas.Message, personas.Usage, error) {
	if err := ctx.Err(); err != nil {
		return personas.Message{}, personas.Usage{}, err
	}
	m.turns++
	message, err := m.turn(ctx)
	if err != nil {
		return personas.Message{}, personas.Usage{}, err
	}
	return message, Paid, nil
}

// working does the work; where it is sent back, it gives up: it has nothing else to offer.
func working(m *Model) turn {
	return func(context.Context) (personas.Message, error) {
		if m.worked {
			return m.gaveUp(), nil
		}
		m.worked = true
		return m.calls(append(m.writes(len(m.work.Writes)), submitted(m.work.Reply))...), nil
	}
}

func (m *Model) gaveUp() personas.Message {
	return m.calls(submitted(personas.Reply{V: personas.ReplyVersion, Status: personas.StatusFailed, Summary: "The scripted work did not pass."}))
}

// writes are the calls that make the first n of the files.
func (m *Model) writes(n int) []personas.Call {
	var list []personas.Call
	for _, w := range m.work.Writes[:n] {
		list = append(list, call("write_file", map[string]string{"path": w.Path, "content": w.Text}))
	}
	return list
}

// half of the work: the first files, the last of them cut in the middle.
func (m *Model) half() []personas.Call {
	n := (len(m.work.Writes) + 1) / 2
	if n == 0 {
		return []personas.Call{call("list_files", map[string]string{})}
	}
	list := m.writes(n - 1)
	last := m.work.Writes[n-1]
	return append(list, call("write_file", map[string]string{"path": last.Path, "content": last.Text[:len(last.Text)/2]}))
}

func (m *Model) calls(list ...personas.Call) personas.Message {
	for i := range list {
		list[i].ID = fmt.Sprintf("call_%d_%d", m.turns, i+1)
	}
	return personas.Message{Role: personas.RoleAssistant, Calls: list}
}

func call(tool string, arguments any) personas.Call {
	raw, _ := json.Marshal(arguments) // texts and replies always encode
	return personas.Call{Name: tool, Arguments: string(raw)}
}

func submitted(r personas.Reply) personas.Call { return call("submit_reply", r) }
