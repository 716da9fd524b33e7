package replay

import (
	"context"
	"fmt"
	"time"

	"autopilot/personas"
)

// Model plays one dispatch of a File from its first turn. It serves one
// conversation and must not be shared.
type Model struct {
	file *File
	d    dispatch
	next int // index of the turn that comes
}

// Model gives the model of a dispatch, or a *MissingError.
func (f *File) Model(key personas.Key) (*Model, error) {
	for _, d := range f.dispatches {
		if d.Key == key {
			return &Model{file: f, d: d}, nil
		}
	}
	return nil, &MissingError{File: f.Name, Key: key}
}

// Turn gives the next turn, whatever the conversation says.
func (m *Model) Turn(ctx context.Context, _ []personas.Message, _ []personas.Tool) (personas.Message, personas.Usage, error) {
	if err := ctx.Err(); err != nil {
		return personas.Message{}, personas.Usage{}, err
	}
	m.skip()
	if m.next == len(m.d.Turns) {
		return personas.Message{}, personas.Usage{}, &MissingError{File: m.file.Name, Key: m.d.Key, Turn: m.next + 1}
	}
	t := m.d.Turns[m.next]
	m.next++
	if t.Fault != "" {
		m.file.count(t)
		return personas.Message{}, t.Usage.model(), m.fault(ctx, t)
	}
	message := personas.Message{Role: personas.RoleAssistant, Content: t.Text, Calls: make([]personas.Call, len(t.calls))}
	for i, call := range t.calls {
		call.ID = fmt.Sprintf("call_%d_%d", m.next, i+1)
		message.Calls[i] = call
	}
	return message, t.Usage.model(), nil
}

// More says whether a turn is left.
func (m *Model) More() bool {
	m.skip()
	return m.next < len(m.d.Turns)
}

// Finish says with an *UnusedError that turns were left.
func (m *Model) Finish() error {
	m.skip()
	if m.next < len(m.d.Turns) {
		return &UnusedError{File: m.file.Name, Key: m.d.Key, Turn: m.next + 1, Of: len(m.d.Turns)}
	}
	return nil
}

// skip passes over faults that happened often enough.
func (m *Model) skip() {
	for m.next < len(m.d.Turns) && m.file.spent(m.d.Turns[m.next]) {
		m.next++
	}
}

func (m *Model) fault(ctx context.Context, t *turn) error {
	detail := t.Detail
	if detail == "" {
		detail = "the replay file says so"
	}
	switch t.Fault {
	case hang:
		<-ctx.Done()
		return ctx.Err()
	case string(personas.RateLimited):
		return &personas.LimitError{Until: m.file.until(t), Detail: detail}
	case string(personas.Auth):
		return &personas.AuthError{Detail: detail}
	}
	return &personas.EndError{Kind: personas.OutcomeKind(t.Fault), Detail: detail}
}

func (f *File) until(t *turn) time.Time {
	if t.RetryAfter > 0 && f.Now != nil {
		return f.Now().Add(t.RetryAfter)
	}
	return t.Until
}

func (f *File) count(t *turn) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.played[t]++
}

func (f *File) spent(t *turn) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return t.Times > 0 && f.played[t] >= t.Times
}
