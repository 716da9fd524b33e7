package worker

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"go.temporal.io/api/serviceerror"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/converter"
	"go.temporal.io/sdk/temporal"

	"autopilot/autopilot/budget"
	"autopilot/autopilot/inmemory"
	"autopilot/autopilot/machine"
	"autopilot/autopilot/process"
	"autopilot/cmd/console"
	"autopilot/sessions"
	"autopilot/temporal/flow"
	"autopilot/temporal/hub"
)

func TestMain(m *testing.M) {
	if code, was := process.Supervise(); was {
		os.Exit(code)
	}
	inmemory.Use()
	os.Exit(m.Run())
}

// server takes what a worker records.
type server struct {
	client.Client
	takes func(o client.UpdateWorkflowOptions) error
	has   []machine.Event // what others recorded
	away  int             // how many queries it does not answer
}

type taken struct {
	client.WorkflowUpdateHandle
	event any
}

func (s *server) UpdateWorkflow(_ context.Context, o client.UpdateWorkflowOptions) (client.WorkflowUpdateHandle, error) {
	if err := s.takes(o); err != nil {
		return nil, err
	}
	r, is := o.Args[0].(flow.Record)
	if !is {
		return taken{event: 1}, nil
	}
	r.Event.Time = time.Now()
	return taken{event: r.Event}, nil
}

func (s *server) QueryWorkflow(context.Context, string, string, string, ...any) (converter.EncodedValue, error) {
	if s.away > 0 {
		s.away--
		return nil, serviceerror.NewUnavailable("away")
	}
	return has{s.has}, nil
}

type has struct{ events []machine.Event }

func (h has) HasValue() bool { return true }

func (h has) Get(to any) error {
	*to.(*[]machine.Event) = h.events
	return nil
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

// newDesk is a session in a clone of a hub, at its first step, and what its server takes.
func newDesk(t *testing.T, flying ...machine.InFlight) (d *desk, s *server, bare, head string) {
	t.Helper()
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
	head = output(dir, "rev-parse", "HEAD")
	there, err := clone.Session(t.Context(), "spec")
	if err != nil {
		t.Fatal(err)
	}
	first := &machine.State{
		SessionID: "s1", SessionSlug: "spec", SessionDir: ".harness/sessions/spec", SpecPath: "docs/spec.md", RigorLevel: machine.Fast, StartingCommit: head,
		RetryBudget: machine.RetryBudget{MaxAttempts: 1}, Spec: machine.SpecRef{SHA256: "spec1"}, Phases: []machine.Phase{{Number: "1", Name: "A", Complexity: machine.Low, Status: machine.PhasePending, SpecSHA256: "a"}}, InFlight: flying,
	}
	session, err := sessions.Create(there.Dir(), machine.Event{Type: machine.Created, Initial: first}, sessions.Options{Now: time.Now})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = session.Close() })
	s = &server{}
	host := &console.Host{Now: time.Now, Err: io.Discard, Sleep: func(context.Context, time.Duration) error { return nil }}
	w := &Worker{Host: host, Client: s}
	return &desk{worker: w, act: flow.Act{ID: "1"}, clone: clone, hub: there, session: session, tree: hub.Tree{Dir: dir, Branch: "main", At: head}}, s, bare, head
}

// TestWhatAnEventNamesIsOnTheHubBeforeIt: a worker may be lost right after it was recorded.
func TestWhatAnEventNamesIsOnTheHubBeforeIt(t *testing.T) {
	d, s, bare, head := newDesk(t)
	var recorded []machine.EventType
	s.takes = func(o client.UpdateWorkflowOptions) error {
		e := o.Args[0].(flow.Record).Event
		recorded = append(recorded, e.Type)
		if e.Type == machine.Branched && output(bare, "rev-parse", "--verify", "refs/heads/"+e.Branch) != head {
			t.Errorf("the hub has no branch %s as the event is recorded", e.Branch)
		}
		if e.Type == machine.RunStarted {
			return nil // it names nothing
		}
		if journal := output(bare, "cat-file", "blob", hub.RecordsRef("spec")+":"+sessions.JournalName); strings.Count(journal, "\n")+1 != int(e.Rev)-1 {
			t.Errorf("before event %d, the hub has the journal\n%s", e.Rev, journal)
		}
		return nil
	}
	output(d.clone.Dir, "checkout", "--quiet", "-b", "autopilot/spec")
	for _, e := range []machine.Event{{Type: machine.RunStarted, Edition: machine.Edition}, {Type: machine.Branched, Branch: "autopilot/spec", Commit: head}} {
		if _, err := d.Apply(e); err != nil {
			t.Fatal(err)
		}
	}
	if len(recorded) != 2 || d.State().Branch != "autopilot/spec" {
		t.Errorf("recorded are %v, and the branch is %q", recorded, d.State().Branch)
	}
}

// TestWhatWasKeptDuringAnAgentsRunReachesTheOthers: they look at it as soon as they learn of its event.
func TestWhatWasKeptDuringAnAgentsRunReachesTheOthers(t *testing.T) {
	d, s, bare, head := newDesk(t, machine.InFlight{Dispatch: &machine.Dispatch{ID: "d1"}})
	clone, err := hub.Open(t.Context(), filepath.Join(t.TempDir(), "2"), bare, os.Environ())
	if err != nil {
		t.Fatal(err)
	}
	other := &desk{clone: clone, session: d.session}
	if other.hub, err = clone.Session(t.Context(), "spec"); err != nil {
		t.Fatal(err)
	}
	output(d.clone.Dir, "checkout", "--quiet", "--detach")
	output(d.clone.Dir, "commit", "--quiet", "--allow-empty", "-m", "moves")
	kept := output(d.clone.Dir, "rev-parse", "HEAD")
	output(d.clone.Dir, "update-ref", "refs/autopilot/spec/user/1", kept)
	output(d.clone.Dir, "update-ref", "refs/autopilot/spec/user/2", head) // what the agent did to refs stays here
	s.takes = func(client.UpdateWorkflowOptions) error {
		if refs := output(bare, "for-each-ref", "--format=%(objectname)", "refs/autopilot"); refs != kept {
			t.Errorf("as the event is recorded, the hub has %q", refs)
		}
		return nil
	}
	e := machine.Event{Type: machine.SnapshotTaken, Snapshots: machine.Snapshots{{Of: "moves", Commit: kept}}}
	if _, err := d.Apply(e); err != nil {
		t.Fatal(err)
	}
	if err := other.enter(t.Context(), []machine.Event{e}); err != nil || output(clone.Dir, "cat-file", "-t", kept) != "commit" {
		t.Errorf("the other clone doesn't have it: %v", err)
	}
}

// TestAnEventIsSentUntilTheServerIsBack: it may have taken the first one, and knows it by its id.
func TestAnEventIsSentUntilTheServerIsBack(t *testing.T) {
	d, s, _, _ := newDesk(t)
	var ids []string
	s.takes = func(o client.UpdateWorkflowOptions) error {
		if ids = append(ids, o.UpdateID); len(ids) < 4 {
			return []error{serviceerror.NewUnavailable("away"), serviceerror.NewDeadlineExceeded("late"), &client.WorkflowUpdateServiceTimeoutOrCanceledError{}}[len(ids)-1]
		}
		return nil
	}
	if _, err := d.Apply(machine.Event{Type: machine.RunStarted, Edition: machine.Edition}); err != nil {
		t.Fatal(err)
	}
	if len(slices.Compact(ids)) != 1 || d.State().Revision != 2 {
		t.Errorf("sent as %v, and the session is at revision %d", ids, d.State().Revision)
	}
}

// TestWhatAnOvertakenAgentCostIsCountedOnce: the journal would send again what it owes.
func TestWhatAnOvertakenAgentCostIsCountedOnce(t *testing.T) {
	d, s, _, _ := newDesk(t)
	s.takes = func(client.UpdateWorkflowOptions) error { return nil }
	if _, err := d.Apply(machine.Event{Type: machine.RunStarted, Edition: machine.Edition}); err != nil {
		t.Fatal(err)
	}
	cost := machine.Event{Type: machine.Used, Usage: &machine.Usage{InputTokens: 5}}
	for name, refused := range map[string]error{
		"by another attempt": temporal.NewNonRetryableApplicationError("another worker took over", flow.TakenOverErrorType, nil),
		"by a later run":     serviceerror.NewNotFound("workflow execution already completed"),
	} {
		notes, known := 0, d.State().Usage.InputTokens
		d.run = "the first"
		s.takes = func(o client.UpdateWorkflowOptions) error {
			if o.UpdateName == flow.NoteUpdate && o.RunID == "" { // of whatever run there is
				notes++
				return nil
			}
			return refused
		}
		if _, err := d.Apply(cost); err != nil || d.State().Usage.InputTokens != known+5 {
			t.Errorf("%s: it knows of %d tokens: %v", name, d.State().Usage.InputTokens, err)
		}
		if err := errors.Join(d.settle(), d.settle()); err != nil || notes != 1 {
			t.Errorf("%s: counted %d times: %v", name, notes, err)
		}
	}
	s.takes = func(client.UpdateWorkflowOptions) error {
		return temporal.NewNonRetryableApplicationError("another worker took over", flow.TakenOverErrorType, nil)
	}
	if _, err := d.Apply(cost); err != nil || d.settle() == nil || d.owed.Load() == nil {
		t.Errorf("what nobody counted is not owed: %v", err)
	}
}

// TestAnEventIsMadeAgainWhereOthersWereFaster, with what was owed recorded before it, once.
func TestAnEventIsMadeAgainWhereOthersWereFaster(t *testing.T) {
	d, s, _, _ := newDesk(t)
	note := d.State().Stamp(machine.Event{Type: machine.Noted, Detail: "keep the flag", Time: time.Now()})
	s.has, s.away = []machine.Event{note}, 2
	var recorded []machine.EventType
	s.takes = func(o client.UpdateWorkflowOptions) error {
		e := o.Args[0].(flow.Record).Event
		if e.Rev == note.Rev {
			return temporal.NewApplicationError("late", flow.StaleErrorType)
		}
		recorded = append(recorded, e.Type)
		return nil
	}
	if _, err := d.Apply(machine.Event{Type: machine.Used, Usage: &machine.Usage{InputTokens: 5}}); err != nil {
		t.Fatal(err)
	}
	start := machine.Event{Type: machine.RunStarted, Edition: machine.Edition}
	after, err := d.Apply(start)
	if _, stale := errors.AsType[*machine.StaleEventError](err); !stale || after.Revision != note.Rev+1 {
		t.Fatalf("it is at revision %d: %v", after.Revision, err)
	}
	if _, err := d.Apply(start); err != nil || !slices.Equal(recorded, []machine.EventType{machine.Used, machine.RunStarted}) || d.State().Usage.InputTokens != 5 {
		t.Errorf("recorded are %v, with %d tokens: %v", recorded, d.State().Usage.InputTokens, err)
	}
}

// TestTheEndOfAnAgentsRunWaitsForTheHub, for hours if it must: the run was paid for. Other events are made again by the next attempt.
func TestTheEndOfAnAgentsRunWaitsForTheHub(t *testing.T) {
	d, _, bare, _ := newDesk(t)
	if err := os.Rename(bare, bare+".away"); err != nil {
		t.Fatal(err)
	}
	now := time.Now()
	began := now
	d.worker.Host.Now = func() time.Time { return now }
	d.worker.Host.Sleep = func(_ context.Context, pause time.Duration) error {
		if now = now.Add(20 * pause); now.Sub(began) > time.Hour {
			return os.Rename(bare+".away", bare)
		}
		return nil
	}
	if err := d.give(t.Context(), false, saves(d)); err == nil || !now.Equal(began) {
		t.Errorf("an event waited %v for the hub: %v", now.Sub(began), err)
	}
	if err := d.give(t.Context(), true, saves(d)); err != nil || now.Equal(began) || output(bare, "for-each-ref", "refs/autopilot/spec/work") == "" {
		t.Errorf("waited %v: %v", now.Sub(began), err)
	}
}

// TestAnActThatIsCalledOffWaitsNoLonger for the hub than for the server: stop --now waits for it.
func TestAnActThatIsCalledOffWaitsNoLonger(t *testing.T) {
	d, _, bare, _ := newDesk(t)
	if err := os.Rename(bare, bare+".away"); err != nil {
		t.Fatal(err)
	}
	now := time.Now()
	began, line := now, ""
	d.worker.Host.Now = func() time.Time { return now }
	d.worker.Host.Sleep = func(_ context.Context, pause time.Duration) error {
		now, line = now.Add(pause), *d.waits.Load()
		return nil
	}
	d.ended = func() error { return context.Canceled }
	if err := d.give(t.Context(), true, saves(d)); err == nil || now.Sub(began) > 2*patience || d.waits.Load() != nil || !strings.HasPrefix(line, "waits for the remote: git push: ") {
		t.Errorf("waited %v, saying %q: %v", now.Sub(began), line, err)
	}
}

// saves gives the hub the working tree.
func saves(d *desk) func(context.Context) error {
	return func(ctx context.Context) error {
		_, _, err := d.saveFor(ctx, 1, "", "")
		return err
	}
}

// TestWhatTheHubRefusesIsNotPaidForAgain: the session stops and says where the agent's work is, which no later act removes.
func TestWhatTheHubRefusesIsNotPaidForAgain(t *testing.T) {
	d, _, bare, _ := newDesk(t)
	d.free = func(bool) {}
	put(t, d.clone.Dir, "core", "as large as it gets")
	put(t, bare, "hooks/pre-receive", "#!/bin/sh\necho 'core is too large'\nexit 1\n")
	if err := os.Chmod(filepath.Join(bare, "hooks/pre-receive"), 0o700); err != nil {
		t.Fatal(err)
	}
	now := time.Now()
	began := now
	d.worker.Host.Now = func() time.Time { return now }
	d.worker.Host.Sleep = func(_ context.Context, pause time.Duration) error {
		now = now.Add(pause)
		return nil
	}
	err := d.give(t.Context(), true, saves(d))
	if waited := now.Sub(began); waited < patience || waited > 2*patience {
		t.Errorf("it was tried for %v", waited)
	}
	d.close()
	p, err := outcome(t.Context(), err, time.Hour, budget.Waited{}, now)
	kept := d.refused.kept
	if text, _ := os.ReadFile(filepath.Join(kept, "core")); err != nil || !strings.Contains(p.Stop, "core is too large") || !strings.Contains(p.Stop, kept) || len(text) == 0 {
		t.Errorf("%+v, %v; kept is %q", p, err, text)
	}
}

// TestLanesThatAreOverAreRemoved, also those of other sessions, and nothing else.
func TestLanesThatAreOverAreRemoved(t *testing.T) {
	d, _, _, _ := newDesk(t)
	const of = ".harness/worktrees/"
	for branch, dir := range map[string]string{"spec.task-001": "spec.lanes/task-001", "spec.task-002": "spec.lanes/task-002", "shop.task-001": "shop.lanes/task-001", "mine": "mine"} {
		output(d.clone.Dir, "worktree", "add", "--quiet", "-b", "autopilot/"+branch, of+dir)
	}
	s := machine.State{Tasks: []machine.Task{{ID: "task-001"}, {ID: "task-002", Lane: &machine.Lane{Dir: of + "spec.lanes/task-002"}}}}
	if err := d.sweep(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	trees, _ := filepath.Glob(filepath.Join(d.clone.Dir, of, "*", "*"))
	if left := output(d.clone.Dir, "branch", "--list", "--format=%(refname:short)", "autopilot/*"); left != "autopilot/mine\nautopilot/spec.task-002" || len(trees) != 2 {
		t.Errorf("left are the branches\n%s\nand %q", left, trees)
	}
}
