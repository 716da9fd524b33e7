package cmd

import (
	"os"
	"path/filepath"
	"testing"

	"go.temporal.io/api/enums/v1"

	"autopilot/autopilot/machine"
	"autopilot/sessions"
)

// TestWhatFetchLeavesAlone is what a clone has of its own: its folder stays as it is.
func TestWhatFetchLeavesAlone(t *testing.T) {
	for name, c := range map[string]struct {
		before func(*mine)
		code   int
		want   string
	}{
		"no session on the remote": {func(*mine) {}, 2, "the remote origin has no session of docs/spec.md\n  start one: autopilot-temporal submit docs/spec.md"},
		"another session":          {func(m *mine) { m.session(nil); m.remoteSession("s2") }, 2, "this clone has a session of docs/spec.md of its own, and the remote has another\n  take the remote's: mkdir -p .harness/archive/sessions && mv .harness/sessions/spec .harness/archive/sessions/spec-here && autopilot-temporal fetch docs/spec.md"},
		"both went on":             {func(m *mine) { m.session(func(s *machine.State) { s.Branch = "" }); m.remoteSession("s1") }, 2, "the session of docs/spec.md continued both here and on workers\n  take the remote's: mkdir -p .harness/archive/sessions && mv .harness/sessions/spec .harness/archive/sessions/spec-here && autopilot-temporal fetch docs/spec.md"},
		"a run is at work":         {func(m *mine) { m.session(nil); m.opens(); m.remoteSession("s1") }, 6, "docs/spec.md"},
		"no remote":                {func(m *mine) { m.git("remote remove origin") }, 2, "git remote add origin URL"},
		"a server that refuses":    {func(m *mine) { m.Setenv("TEMPORAL_PROFILE", "none") }, 2, "unable to find profile none"},
	} {
		t.Run(name, func(t *testing.T) {
			m := newMine(t)
			c.before(m)
			journal := filepath.Join(m.dir, ".harness", "sessions", "spec", sessions.JournalName)
			before, _ := os.ReadFile(journal)
			m.fetches(c.code, c.want)
			if after, _ := os.ReadFile(journal); string(after) != string(before) {
				t.Errorf("the journal changed from\n%sto\n%s", before, after)
			}
		})
	}
}

// TestFetchWithoutTheServerTakesNothingOver: the session may still run, and an event of the clone's own would set it apart for good.
func TestFetchWithoutTheServerTakesNothingOver(t *testing.T) {
	m := newMine(t)
	there, s := m.remoteSession("s1")
	m.server.workflows[m.workflow("spec")] = enums.WORKFLOW_EXECUTION_STATUS_RUNNING
	m.Setenv("TEMPORAL_ADDRESS", "127.0.0.1:1")
	m.fetches(0, "The newest events and uncommitted work aren't here: can't reach the Temporal server at 127.0.0.1:1")
	m.has(1)
	m.kept(there, s, tail(t, s.State(), 1))
	m.server.events = []machine.Event{}
	m.Setenv("TEMPORAL_ADDRESS", m.server.address)
	m.fetches(0, "revision 2")
	m.has(2)
}
