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
	part   Part
	now    func() time.Time
	turns  int
	worked bool
}

// Work is what a dispatch is to do. Paths are relative to its working tree.
type Work struct {
	Props
	Writes []Write
	Reply  personas.Reply
}

// Write is a file with its whole content.
type Write struct{ Path, Text string }

// Props are what a persona that misbehaves lays its hands on.
type Props struct {
	Test, Check string   // a test, and the script that checks the work
	Users, Spec string   // absolute: a file of the user that git does not know, and the spec
	Own         []string // what the dispatch itself makes
	Earlier     []string // what other tasks made before
}

// Paid is what each turn costs, so that budgets have something to count.
var Paid = personas.Usage{InputTokens: 1200, OutputTokens: 150, CostUSD: 0.01}

// Turn says the next thing, whatever the conversation says.
func (m *Model) Turn(ctx context.Context, _ []personas.Message, _ []personas.Tool) (personas.Message, personas.Usage, error) {
	if err := ctx.Err(); err != nil {
		return personas.Message{}, personas.Usage{}, err
	}
	m.turns++
	says := m.part.form.says
	if says == nil {
		says = working
	}
	message, err := says(ctx, m)
	if err != nil {
		return message, personas.Usage{}, err
	}
	return message, Paid, nil
}

// working does the work; where it is sent back, it gives up: it has nothing else to offer.
func working(_ context.Context, m *Model) (personas.Message, error) {
	if m.worked {
		return m.calls(submitted(personas.Reply{V: personas.ReplyVersion, Status: personas.StatusFailed, Summary: "The scripted work did not pass."}))
	}
	m.worked = true
	return m.calls(append(writes(m.part.work.Writes), submitted(m.part.work.Reply))...)
}

// writes are the calls that make files.
func writes(files []Write) []personas.Call {
	var list []personas.Call
	for _, w := range files {
		list = append(list, call("write_file", map[string]string{"path": w.Path, "content": w.Text}))
	}
	return list
}

// half does half of the work first: the first files, the last of them cut in the middle.
func half(then turn) turn {
	return func(ctx context.Context, m *Model) (personas.Message, error) {
		files := m.part.work.Writes
		files = files[:(len(files)+1)/2]
		switch {
		case m.turns > 1:
			return then(ctx, m)
		case len(files) == 0:
			return m.calls(call("list_files", map[string]string{}))
		}
		last := files[len(files)-1]
		last.Text = last.Text[:len(last.Text)/2]
		return m.calls(writes(append(files[:len(files)-1:len(files)-1], last))...)
	}
}

// once fails in the first turn, and works on.
func once(fail turn) turn {
	return func(ctx context.Context, m *Model) (personas.Message, error) {
		if m.turns > 1 {
			return working(ctx, m)
		}
		return fail(ctx, m)
	}
}

func (m *Model) calls(list ...personas.Call) (personas.Message, error) {
	for i := range list {
		list[i].ID = fmt.Sprintf("call_%d_%d", m.turns, i+1)
	}
	return personas.Message{Role: personas.RoleAssistant, Calls: list}, nil
}

func call(tool string, arguments any) personas.Call {
	raw, _ := json.Marshal(arguments) // texts and replies always encode
	return personas.Call{Name: tool, Arguments: string(raw)}
}

func submitted(r personas.Reply) personas.Call { return call("submit_reply", r) }
