package acp

import (
	"bytes"
	"io"
	"testing"

	acp "github.com/coder/acp-go-sdk"

	"autopilot/personas"
	"autopilot/personas/command"
)

// FuzzUpdatesNeverPanic has the speaker hear each line as what a program tells of its turn, and as a question whether it may.
func FuzzUpdatesNeverPanic(f *testing.F) {
	d := personas.Dispatch{Dir: f.TempDir(), Persona: personas.Persona{Name: personas.Executor, May: []string{personas.MayRead, personas.MayWrite}}}
	f.Fuzz(func(t *testing.T, data []byte) {
		s := &speaker{calls: map[string]toolCall{}}
		s.turn.Store(&command.Turn{Dispatch: d, Said: &command.Said{}})
		for line := range bytes.Lines(data) {
			s.receive(line, io.Discard)
			answer, err := s.handle(t.Context(), acp.ClientMethodSessionRequestPermission, line)
			if (answer == nil) == (err == nil) {
				t.Errorf("to %q it answers %v, %v", line, answer, err)
			}
		}
	})
}
