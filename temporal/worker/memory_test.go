package worker

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"go.temporal.io/sdk/client"

	"autopilot/autopilot/machine"
	"autopilot/temporal/hub"
)

// learning are agents of which one learns something.
const learning = planning + `                **Files:** phrases.txt | **Validation:** ` + "`grep hello phrases.txt`" + `
      - reply: {status: done, summary: A plan., planPath: docs/plans/greeting-plan.md}
  - persona: executor
    phase: 1
    task: task-001
    turns:
      - calls: [write_file: {path: phrases.txt, content: "hello\n"}]
      - reply: {status: done, summary: Greets., learnings: [{outcome: gotcha, text: The tests want a terminal.}]}
  - {persona: reviewer, phase: 1, turns: [reply: {status: done, summary: Sound.}]}
  - {persona: reviewer, task: final, turns: [reply: {status: done, summary: Sound.}]}
`

// TestTheNextSessionKnowsWhatOneLearned, though each step of both is in a clone of its own.
func TestTheNextSessionKnowsWhatOneLearned(t *testing.T) {
	w, k, bare := newSession(t, learning)
	first := w.events[0]
	for session, knows := range []bool{false, true} {
		w.state, w.events, w.works = machine.State{}, nil, map[string]string{}
		if err := w.apply(first); err != nil {
			t.Fatal(err)
		}
		w.each = func() { k.Dir = t.TempDir() }
		w.runs(t, k)
		prompt := output(bare, "show", hub.RecordsRef("spec")+":attempts/1/planner/1/prompt.md")
		if prompt == "" || strings.Contains(prompt, "The tests want a terminal.") != knows {
			t.Errorf("the planner of session %d knows of it: %v\n%s", session+1, !knows, prompt)
		}
		for _, ref := range strings.Fields(output(bare, "for-each-ref", "--format=%(refname)", "refs/autopilot/spec", "refs/heads/autopilot")) {
			output(bare, "update-ref", "-d", ref)
		}
	}
	if got := output(bare, "show", hub.MemoryRef+":learnings.md"); strings.Count(got, "The tests want a terminal.") != 1 {
		t.Errorf("the hub has %q", got)
	}
}

const failure = "- **2026-01-02 [skill:autopilot] [type:task]:** It broke <!-- key:s1/1 -->\n"

// TestWhatFailedIsOnTheHubBeforeTheEventAfterIt: a worker may be lost then. What an agent at work writes there does not count.
func TestWhatFailedIsOnTheHubBeforeTheEventAfterIt(t *testing.T) {
	for _, flying := range []bool{false, true} {
		var flight []machine.InFlight
		e := machine.Event{Type: machine.RunStarted, Edition: machine.Edition}
		if flying {
			flight = []machine.InFlight{{Dispatch: &machine.Dispatch{ID: "d1"}}}
			e = machine.Event{Type: machine.SnapshotTaken}
		}
		d, s, bare, _ := newDesk(t, flight...)
		put(t, d.clone.Dir, ".harness/failures.md", failure)
		recorded := false
		s.takes = func(client.UpdateWorkflowOptions) error {
			recorded = true
			if got := output(bare, "show", hub.MemoryRef+":failures.md"); (got+"\n" == failure) == flying {
				t.Errorf("an agent is at work: %v; as the event is recorded, the hub has %q", flying, got)
			}
			return nil
		}
		if _, err := d.Apply(e); err != nil || !recorded {
			t.Errorf("recorded: %v, %v", recorded, err)
		}
	}
}

// TestNoStepFailsForTheMemory: the log says it, and the next step gives what is missing.
func TestNoStepFailsForTheMemory(t *testing.T) {
	d, s, bare, _ := newDesk(t)
	var said bytes.Buffer
	d.worker.Host.Err, s.takes = &said, func(client.UpdateWorkflowOptions) error { return nil }
	hook := filepath.Join(bare, "hooks", "update")
	err := os.WriteFile(hook, []byte("#!/bin/sh\ncase $1 in "+hub.MemoryRef+") exit 1;; esac\n"), 0o700) //nolint:gosec // git runs it
	put(t, d.clone.Dir, ".harness/failures.md", failure)
	if _, failed := d.Apply(machine.Event{Type: machine.RunStarted, Edition: machine.Edition}); errors.Join(err, failed) != nil || !strings.Contains(said.String(), "Couldn't share learnings") {
		t.Errorf("the step fails with %v, and the log says %q", errors.Join(err, failed), &said)
	}
	if err := errors.Join(os.Remove(hook), d.save(t.Context())); err != nil || output(bare, "show", hub.MemoryRef+":failures.md")+"\n" != failure {
		t.Errorf("the hub doesn't have it: %v", err)
	}
}
