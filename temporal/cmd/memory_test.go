package cmd

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"autopilot/autopilot/machine"
	autopilot "autopilot/cmd"
	"autopilot/sessions"
	"autopilot/temporal/hub"
)

// entry is a line of learnings.md.
func entry(text string) string {
	return "- **2026-01-02 [skill:autopilot] [outcome:gotcha]:** " + text + "\n"
}

const (
	ourLearnings = ".harness/learnings.md"
	ourFailures  = ".harness/failures.md"
)

// read is the text of a file of the clone; of one that is not there, nothing.
func (m *mine) read(name string) string {
	text, _ := os.ReadFile(filepath.Join(m.dir, name))
	return string(text)
}

// remembers is what the hub has of the memory.
func (m *mine) remembers() string {
	return m.sh("git -C " + m.hub + " show " + hub.MemoryRef + ":learnings.md")
}

// learnedElsewhere has a worker learn something, and a step of it fail.
func (m *mine) learnedElsewhere(there *hub.Session, learnings, failures string) {
	m.Helper()
	put(m.T, filepath.Join(there.Dir(), "../../learnings.md"), learnings)
	put(m.T, filepath.Join(there.Dir(), "../../failures.md"), failures)
	if err := there.GiveMemory(m.Context()); err != nil {
		m.Fatal(err)
	}
}

// TestSubmitTellsWorkersWhatSessionsLearnedHere, also of a session that moves.
func TestSubmitTellsWorkersWhatSessionsLearnedHere(t *testing.T) {
	m := newMine(t)
	m.submits() // nothing was learned yet
	m.write(ourLearnings, "# Ours\n\nMy notes.\n"+entry("Mind the gap"))
	m.submits()
	if got := m.remembers(); got+"\n" != entry("Mind the gap") {
		t.Errorf("the remote has %q", got)
	}
	m.session(nil)
	m.write(ourLearnings, entry("Mind the gap")+entry("Slow tests"))
	m.submits(fromSession)
	if got := m.remembers(); got+"\n" != entry("Mind the gap")+entry("Slow tests") {
		t.Errorf("the remote has %q", got)
	}
}

// TestSubmitNeedsNoMemory: who submits need not be allowed to push.
func TestSubmitNeedsNoMemory(t *testing.T) {
	m := newMine(t)
	m.write(ourLearnings, entry("Mind the gap"))
	put(t, filepath.Join(m.hub, "hooks", "pre-receive"), "#!/bin/sh\nexit 1\n")
	m.sh("chmod +x " + filepath.Join(m.hub, "hooks", "pre-receive"))
	if said, code := m.types("submit", spec); code != 0 || !strings.Contains(said, "Couldn't push the learnings of this clone: git push: ") || !strings.Contains(said, "Submitted as") {
		t.Errorf("submit ends with %d\n%s", code, said)
	}
}

// TestFetchBringsWhatSessionsLearnedElsewhere, once: what is pruned here stays away.
func TestFetchBringsWhatSessionsLearnedElsewhere(t *testing.T) {
	m := newMine(t)
	there, _ := m.remoteSession("s1")
	const ours = "# Ours\n\nMy notes.\n"
	m.write(ourLearnings, ours+entry("Mind the gap"))
	m.learnedElsewhere(there, entry("Slow tests"), entry("It broke"))
	for range 2 {
		m.fetches(0, "Fetched the session")
		if got := m.read(ourLearnings); got != ours+entry("Mind the gap")+entry("Slow tests") || m.read(ourFailures) != entry("It broke") {
			t.Errorf("after fetch, the clone has %q and %q", got, m.read(ourFailures))
		}
	}
	var list bytes.Buffer
	h := m.host(&list)
	if code := autopilot.Main([]string{"learnings", "list"}, h); code != 0 || !strings.Contains(list.String(), "Slow tests") {
		t.Errorf("autopilot learnings list ends with %d\n%s", code, &list)
	}
	m.write(ourLearnings, ours)
	m.learnedElsewhere(there, entry("Slow tests")+entry("New"), entry("It broke"))
	m.fetches(0, "Fetched the session")
	if got := m.read(ourLearnings); got != ours+entry("New") {
		t.Errorf("after a prune, the clone has %q", got)
	}
}

// TestFetchLeavesTheMemoryOfALiveRunAlone: the agent at work would be blamed for what changes.
func TestFetchLeavesTheMemoryOfALiveRunAlone(t *testing.T) {
	m := newMine(t)
	there, _ := m.remoteSession("s1")
	m.learnedElsewhere(there, entry("Slow tests"), "")
	other, err := sessions.Create(filepath.Join(m.dir, ".harness/sessions/other"), machine.Event{Type: machine.Created, Initial: m.first("s2")}, sessions.Options{Now: time.Now})
	if err != nil {
		t.Fatal(err)
	}
	m.fetches(0, "Couldn't get the learnings of other machines: autopilot is running in this clone; fetch again when it has ended")
	if got := m.read(ourLearnings); got != "" {
		t.Errorf("beside a live run, the clone has %q", got)
	}
	if err := other.Close(); err != nil {
		t.Fatal(err)
	}
	m.fetches(0, "Fetched the session")
	if got := m.read(ourLearnings); got != entry("Slow tests") {
		t.Errorf("after the run, the clone has %q", got)
	}
}
