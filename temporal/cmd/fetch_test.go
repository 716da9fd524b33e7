package cmd

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"go.temporal.io/api/enums/v1"

	"autopilot/autopilot/machine"
	"autopilot/autopilot/machine/transition"
	"autopilot/sessions"
)

// tail are n notes after a state.
func tail(t *testing.T, s machine.State, n int) (events []machine.Event) {
	t.Helper()
	for range n {
		e := s.Stamp(machine.Event{Type: machine.Noted, Detail: "keep the flag", Time: time.Unix(1e9, 0).UTC()})
		next, err := transition.Apply(s, e)
		if err != nil {
			t.Fatal(err)
		}
		s, events = next, append(events, e)
	}
	return events
}

// TestFetchAddsWhatTheHubLacks: the workflow has the end of the journal while the session runs.
func TestFetchAddsWhatTheHubLacks(t *testing.T) {
	const running, ended, cutOff = enums.WORKFLOW_EXECUTION_STATUS_RUNNING, enums.WORKFLOW_EXECUTION_STATUS_COMPLETED, enums.WORKFLOW_EXECUTION_STATUS_TERMINATED
	for name, c := range map[string]struct {
		status  enums.WorkflowExecutionStatus
		from, n int // of the workflow's events after the hub's, those that it tells; n < 0: no worker answers
		code    int
		want    int // how many events the clone has after the hub's: one of its own where it takes the session over
		says    string
	}{
		"two events":            {status: running, n: 2, want: 2, says: "revision 3"},
		"none":                  {status: running, says: "revision 1"},
		"the session ended":     {status: ended, n: 2, want: 1, says: "revision 1"},
		"the server forgot it":  {n: 2, want: 1, says: "revision 1"},
		"it was terminated":     {status: cutOff, n: 2, want: 3, says: "revision 3"},
		"and no worker answers": {status: cutOff, n: -1, says: "no worker answers for the session"}, // it is not taken over then
		"no worker answers":     {status: running, n: -1, says: "no worker answers for the session"},
		"the first one is lost": {status: running, from: 1, n: 2, code: 1, says: "type the same command again"},
		"one is lost":           {status: running, from: -2, n: 3, code: 1, want: 1, says: "leads to revision"},
	} {
		t.Run(name, func(t *testing.T) {
			m := newMine(t)
			_, s := m.remoteSession("s1")
			if c.status != 0 {
				m.server.workflows[m.workflow("spec")] = c.status
			}
			all := tail(t, s.State(), 3)
			switch {
			case c.from == -2:
				m.server.events = []machine.Event{all[0], all[2]}
			case c.n >= 0:
				m.server.events = append([]machine.Event{}, all[c.from:c.n]...)
			}
			m.fetches(c.code, c.says)
			m.has(c.want + 1)
		})
	}
}

// TestFetchAsksForWhatItLacks: after an earlier fetch, the clone may have more than the hub.
func TestFetchAsksForWhatItLacks(t *testing.T) {
	m := newMine(t)
	there, s := m.remoteSession("s1")
	m.server.workflows[m.workflow("spec")] = enums.WORKFLOW_EXECUTION_STATUS_RUNNING
	all := tail(t, s.State(), 3)
	for _, c := range []struct{ kept, told, asked, want int }{
		{0, 2, 1, 3}, // the hub has one event
		{0, 3, 3, 4}, // and the clone three of an earlier fetch
		{1, 3, 4, 4}, // the hub has less still, and nothing is new
		{3, 3, 4, 4}, // the hub has all
	} {
		m.kept(there, s, all[s.State().Revision-1:c.kept])
		m.server.events = append([]machine.Event{}, all[min(c.asked, c.told+1)-1:c.told]...)
		m.fetches(0, "Fetched the session of docs/spec.md")
		if m.has(c.want); m.server.after != int64(c.asked) {
			t.Errorf("fetch asks for what comes after %d, not after %d", m.server.after, c.asked)
		}
	}
}

// fetches fetches the session.
func (m *mine) fetches(code int, says string) {
	m.Helper()
	said, got := m.types("fetch", spec)
	if got != code || !strings.Contains(said, says) {
		m.Errorf("fetch ends with %d, not %d, and says\n%snot %s", got, code, said, says)
	}
}

// has checks up to which revision the clone has the session. It has to be whole.
func (m *mine) has(revision int) {
	m.Helper()
	s, err := sessions.Open(filepath.Join(m.dir, ".harness/sessions/spec"), sessions.Options{Now: time.Now})
	if err != nil {
		m.Fatal(err)
	}
	if got := s.State().Revision; got != int64(revision) {
		m.Errorf("the clone has revision %d, not %d", got, revision)
	}
	if err := s.Close(); err != nil {
		m.Error(err)
	}
}
