package replay

import (
	"cmp"
	"context"
	"fmt"

	"autopilot/personas"
)

// Model plays one dispatch of a File from its first turn. It serves one
// conversation and must not be shared.
type Model struct {
	file *File
	d    dispatch
	next int // index of the turn that comes
}

// Model gives the model of a dispatch; one that the file does not have is an error.
func (f *File) Model(key personas.Key) (*Model, error) {
	for _, d := range f.dispatches {
		if d.Key == key {
			return &Model{file: f, d: d}, nil
		}
	}
	return nil, fmt.Errorf("replay file %s has no dispatch %s; add one with its turns", f.Name, key)
}

// Turn gives the next turn, whatever the conversation says.
func (m *Model) Turn(ctx context.Context, _ []personas.Message, _ []personas.Tool) (personas.Message, personas.Usage, error) {
	if err := ctx.Err(); err != nil {
		return personas.Message{}, personas.Usage{}, err
	}
	if !m.More() {
		return personas.Message{}, personas.Usage{}, fmt.Errorf("replay file %s: dispatch %s has no turn %d; add what the model says next, or end it with a reply",
			m.file.Name, m.d.Key, m.next+1)
	}
	t := m.d.Turns[m.next]
	m.next++
	if t.Fault != "" {
		t.played.Add(1)
		return personas.Message{}, t.Usage.model(), m.fault(ctx, t)
	}
	message := personas.Message{Role: personas.RoleAssistant, Content: string(t.Text), Calls: make([]personas.Call, len(t.calls))}
	for i, call := range t.calls {
		call.ID = fmt.Sprintf("call_%d_%d", m.next, i+1)
		message.Calls[i] = call
	}
	return message, t.Usage.model(), nil
}

// More says whether a turn is left. Faults that happened often enough are passed over.
func (m *Model) More() bool {
	for m.next < len(m.d.Turns) && m.d.Turns[m.next].spent() {
		m.next++
	}
	return m.next < len(m.d.Turns)
}

// Finish is an error where turns were left.
func (m *Model) Finish() error {
	if !m.More() {
		return nil
	}
	return fmt.Errorf("replay file %s: dispatch %s ended before turn %d of %d was used; remove what is left, or find out why it ended",
		m.file.Name, m.d.Key, m.next+1, len(m.d.Turns))
}

func (m *Model) fault(ctx context.Context, t *turn) error {
	detail := cmp.Or(t.Detail, "the replay file says so")
	switch t.Fault {
	case hang:
		<-ctx.Done()
		return ctx.Err()
	case string(personas.RateLimited):
		if t.RetryAfter > 0 && m.file.Now != nil {
			return &personas.LimitError{Until: m.file.Now().Add(t.RetryAfter), Detail: detail}
		}
		return &personas.LimitError{Until: t.Until, Detail: detail}
	case string(personas.Auth):
		return &personas.AuthError{Detail: detail}
	}
	return &personas.EndError{Kind: personas.OutcomeKind(t.Fault), Detail: detail}
}
