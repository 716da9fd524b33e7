package cmd

import (
	"errors"
	"path/filepath"
	"testing"
	"time"

	"go.temporal.io/api/enums/v1"

	"autopilot/autopilot/machine"
	"autopilot/sessions"
	"autopilot/temporal/hub"
)

// TestFetchReadsTheHubAgain: the hub got events between its look and the workflow's, which has them no more.
func TestFetchReadsTheHubAgain(t *testing.T) {
	m := newMine(t)
	there, s := m.remoteSession("s1")
	m.server.workflows[m.workflow("spec")] = enums.WORKFLOW_EXECUTION_STATUS_RUNNING
	all := tail(t, s.State(), 3)
	m.server.events = all[2:]
	m.server.meanwhile = func() { m.kept(there, s, all[:2]) }
	m.fetches(0, "revision 4")
	m.has(4)
}

// TestFetchLooksAtTheJournal: the state that the hub has of a session at work lags behind.
func TestFetchLooksAtTheJournal(t *testing.T) {
	m := newMine(t)
	there, s := m.remoteSession("s1")
	m.server.workflows[m.workflow("spec")] = enums.WORKFLOW_EXECUTION_STATUS_RUNNING
	all := tail(t, s.State(), 3)
	m.server.events = all[:1]
	m.fetches(0, "revision 2")
	m.kept(there, s, all)
	m.server.workflows[m.workflow("spec")] = enums.WORKFLOW_EXECUTION_STATUS_COMPLETED
	m.fetches(0, "revision 4")
	m.has(5) // with one of its own: it takes the session over
}

// TestASessionThatWasTerminatedComesHome, also where an earlier fetch brought the end of its journal, which the hub lacks.
func TestASessionThatWasTerminatedComesHome(t *testing.T) {
	m := newMine(t)
	_, s := m.remoteSession("s1")
	m.server.workflows[m.workflow("spec")] = enums.WORKFLOW_EXECUTION_STATUS_RUNNING
	m.server.events = tail(t, s.State(), 2)
	m.fetches(0, "revision 3")
	m.server.workflows[m.workflow("spec")] = enums.WORKFLOW_EXECUTION_STATUS_TERMINATED
	m.server.events, m.server.state = []machine.Event{}, machine.State{SessionID: "s1", Revision: 3}
	local, err := sessions.Open(filepath.Join(m.dir, ".harness/sessions/spec"), sessions.Options{Now: time.Now})
	if err == nil {
		_, err = local.Apply(local.State().Stamp(machine.Event{Type: machine.RunStarted, Time: time.Now(), Edition: machine.Edition})) // and did nothing
	}
	if err = errors.Join(err, local.Close()); err != nil {
		t.Fatal(err)
	}
	m.fetches(0, "Its branch: main")
	m.has(5) // with one of its own: it takes the session over
	m.fetches(0, "This clone already has all")
	m.has(5)
}

// kept gives the hub events of a session.
func (m *mine) kept(there *hub.Session, s *sessions.Session, events []machine.Event) {
	m.Helper()
	for _, e := range events {
		if _, err := s.Apply(e); err != nil {
			m.Error(err)
		}
	}
	if err := there.Save(m.Context(), nil, ""); err != nil {
		m.Error(err)
	}
}
