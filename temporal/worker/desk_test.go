package worker

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"go.temporal.io/sdk/client"

	"autopilot/autopilot/inmemory"
	"autopilot/autopilot/machine"
	"autopilot/cmd/console"
	"autopilot/sessions"
	"autopilot/temporal/flow"
	"autopilot/temporal/hub"
)

func TestMain(m *testing.M) {
	inmemory.Use()
	os.Exit(m.Run())
}

// server takes what a worker records. It sees what the hub has at that moment.
type server struct {
	client.Client
	seen func(machine.Event)
}

type taken struct {
	client.WorkflowUpdateHandle
	event machine.Event
}

func (s server) UpdateWorkflow(_ context.Context, o client.UpdateWorkflowOptions) (client.WorkflowUpdateHandle, error) {
	e := o.Args[0].(flow.Record).Event
	s.seen(e)
	e.Time = time.Now()
	return taken{event: e}, nil
}

func (h taken) Get(_ context.Context, to any) error {
	text, err := json.Marshal(h.event)
	if err == nil {
		err = json.Unmarshal(text, to)
	}
	return err
}

// output runs git in a folder, and returns what it printed; of one that fails, nothing.
func output(dir string, args ...string) string {
	c := exec.Command("git", append([]string{"-c", "user.name=dev", "-c", "user.email=dev@example.com"}, args...)...)
	c.Dir = dir
	out, err := c.Output()
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(out))
}

// TestWhatAnEventNamesIsOnTheHubBeforeIt: a worker may be lost right after it was recorded.
func TestWhatAnEventNamesIsOnTheHubBeforeIt(t *testing.T) {
	bare, dir := filepath.Join(t.TempDir(), "hub.git"), filepath.Join(t.TempDir(), "1")
	output(t.TempDir(), "init", "--quiet", "--bare", "--initial-branch=main", bare)
	seed := t.TempDir()
	output(seed, "init", "--quiet", "--initial-branch=main")
	output(seed, "commit", "--quiet", "--allow-empty", "-m", "begin")
	output(seed, "push", "--quiet", bare, "main")
	clone, err := hub.Open(t.Context(), dir, bare, os.Environ())
	if err != nil {
		t.Fatal(err)
	}
	output(dir, "checkout", "--quiet", "-B", "main", "origin/main")
	head := output(dir, "rev-parse", "HEAD")
	s, err := clone.Session(t.Context(), "spec")
	if err != nil {
		t.Fatal(err)
	}
	first := &machine.State{
		SessionID: "s1", SessionSlug: "spec", SessionDir: ".harness/sessions/spec", SpecPath: "docs/spec.md", RigorLevel: machine.Fast, StartingCommit: head,
		RetryBudget: machine.RetryBudget{MaxAttempts: 1}, Spec: machine.SpecRef{SHA256: "spec1"}, Phases: []machine.Phase{{Number: "1", Name: "A", Complexity: machine.Low, Status: machine.PhasePending, SpecSHA256: "a"}},
	}
	session, err := sessions.Create(s.Dir(), machine.Event{Type: machine.Created, Initial: first}, sessions.Options{Now: time.Now})
	if err != nil {
		t.Fatal(err)
	}
	defer session.Close()
	var recorded []machine.EventType
	d := &desk{worker: &Worker{Host: &console.Host{Now: time.Now}}, act: flow.Act{ID: "1"}, clone: clone, hub: s, session: session, tree: hub.Tree{Dir: dir, Branch: "main", At: head}}
	d.worker.Client = server{seen: func(e machine.Event) {
		recorded = append(recorded, e.Type)
		if e.Type == machine.Branched && output(bare, "rev-parse", "--verify", "refs/heads/"+e.Branch) != head {
			t.Errorf("the hub has no branch %s as the event is recorded", e.Branch)
		}
		if journal := output(bare, "cat-file", "blob", hub.RecordsRef("spec")+":"+sessions.JournalName); strings.Count(journal, "\n")+1 != int(e.Rev)-1 {
			t.Errorf("before event %d, the hub has the journal\n%s", e.Rev, journal)
		}
	}}
	output(dir, "checkout", "--quiet", "-b", "autopilot/spec")
	for _, e := range []machine.Event{{Type: machine.RunStarted, Edition: machine.Edition}, {Type: machine.Branched, Branch: "autopilot/spec", Commit: head}} {
		if _, err := d.Apply(e); err != nil {
			t.Fatal(err)
		}
	}
	if len(recorded) != 2 || session.State().Branch != "autopilot/spec" {
		t.Errorf("recorded are %v, and the branch is %q", recorded, session.State().Branch)
	}
}
