package worker

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"testing"
	"time"

	"go.temporal.io/sdk/client"
	sdklog "go.temporal.io/sdk/log"
	"go.temporal.io/sdk/testsuite"

	"autopilot/autopilot"
	"autopilot/autopilot/git"
	"autopilot/autopilot/machine"
	"autopilot/autopilot/machine/transition"
	"autopilot/cmd/console"
	"autopilot/temporal/flow"
)

// workflow stands in for a session's: it has one step done after the other, and journals what is recorded.
type workflow struct {
	client.Client
	job    flow.Job
	state  machine.State
	events []machine.Event
	works  map[string]string
	got    []byte       // all that Temporal was sent
	log    bytes.Buffer // what the worker says
	each   func()       // comes before each step; nil: nothing does

	loses func(machine.Event) bool // whether the worker is lost right before an event is recorded; nil: never
	lost  bool                     // and was
}

func (w *workflow) apply(e machine.Event) error {
	e.Time = time.Now()
	e = w.state.Stamp(e)
	next, err := transition.Apply(w.state, e)
	if err == nil {
		w.state, w.events = next, append(w.events, e)
	}
	return err
}

func (w *workflow) UpdateWorkflow(_ context.Context, o client.UpdateWorkflowOptions) (client.WorkflowUpdateHandle, error) {
	sent, err := json.Marshal(o.Args)
	w.got = append(w.got, sent...)
	switch arg := o.Args[0].(type) {
	case flow.Take:
		return taken{event: flow.Taken{Revision: w.state.Revision, Events: w.events[arg.Revision:], Works: w.works}}, err
	case flow.Record:
		if w.lost = w.loses != nil && w.loses(arg.Event); w.lost {
			return nil, errors.New("the worker is lost")
		}
		if arg.Work != "" {
			w.works[arg.Task] = arg.Work
		}
		if err == nil {
			err = w.apply(arg.Event)
		}
		return taken{event: w.events[len(w.events)-1]}, err
	}
	return nil, fmt.Errorf("nobody expects the update %s", o.UpdateName)
}

func (w *workflow) RecordActivityHeartbeat(context.Context, []byte, ...any) error { return nil }

// runs has a worker do the session's steps, to its end.
func (w *workflow) runs(t *testing.T, k *Worker) {
	t.Helper()
	var suite testsuite.WorkflowTestSuite
	suite.SetLogger(sdklog.NewStructuredLogger(slog.New(slog.DiscardHandler)))
	env := suite.NewTestActivityEnvironment()
	env.RegisterActivity(k.Play)
	for step := machine.Next(w.state); step.Name != machine.StepEnd; step = machine.Next(w.state) {
		if w.each != nil {
			w.each()
		}
		before := w.state.Revision
		_, err := env.ExecuteActivity(k.Play, flow.Act{Job: w.job, Slug: "spec", Spec: "docs/spec.md", ID: fmt.Sprint(before), Step: step.Name})
		if w.lost {
			continue // another attempt does it
		}
		if err != nil {
			t.Fatalf("%s of %s: %v\n%s", step.Name, step.State, err, &w.log)
		}
		if w.state.Revision == before {
			t.Fatalf("%s of %s records nothing\n%s", step.Name, step.State, &w.log)
		}
	}
}

// newSession is the workflow of a new session with one phase, on a hub, and a worker whose agents a replay file plays.
func newSession(t *testing.T, played string, environ ...string) (w *workflow, k *Worker, bare string) {
	t.Helper()
	bare, seed := filepath.Join(t.TempDir(), "hub.git"), t.TempDir()
	file, spec := filepath.Join(t.TempDir(), "replay.yaml"), filepath.Join(seed, "docs", "spec.md")
	err := errors.Join(os.Mkdir(filepath.Dir(spec), 0o700), os.WriteFile(file, []byte(played), 0o600), os.WriteFile(spec, []byte(specText), 0o600))
	if err != nil {
		t.Fatal(err)
	}
	output(seed, "init", "--quiet", "--bare", "--initial-branch=main", bare)
	output(seed, "init", "--quiet", "--initial-branch=main")
	output(seed, "add", "--all")
	output(seed, "commit", "--quiet", "-m", "begin")
	output(seed, "push", "--quiet", bare, "main")
	w = &workflow{job: flow.Job{Repository: "hub", From: "main", Yes: true}, works: map[string]string{}}
	repo, err := git.Find(t.Context(), seed)
	if err != nil {
		t.Fatal(err)
	}
	first, _, err := autopilot.Begin(t.Context(), repo, autopilot.Order{Spec: spec, Rigor: machine.Fast, Retries: 1, SessionID: "s1"})
	if err != nil {
		t.Fatal(err)
	}
	first.Initial.StartingCommit = output(seed, "rev-parse", "HEAD")
	if err := w.apply(first); err != nil {
		t.Fatal(err)
	}
	for name, value := range map[string]string{
		"HOME": t.TempDir(), "GIT_CONFIG_NOSYSTEM": "1", "GIT_AUTHOR_NAME": "dev", "GIT_AUTHOR_EMAIL": "dev@example.com", "GIT_COMMITTER_NAME": "dev", "GIT_COMMITTER_EMAIL": "dev@example.com",
	} {
		t.Setenv(name, value)
		environ = append(environ, name+"="+value)
	}
	host := &console.Host{Now: time.Now, Err: &w.log, Out: io.Discard, Environ: append(environ, "PATH="+os.Getenv("PATH"))}
	k = &Worker{Client: w, Host: host, Dir: t.TempDir(), Repositories: map[string]string{"hub": bare}, Backend: Backend{Replay: file}, SaveEvery: time.Hour, Stopping: t.Context()}
	return w, k, bare
}

const specText = "# Spec: Greeting\n\n## Implementation Order\n\n### Phase 1: Greeting\n\n**Complexity:** low\n\nSay hello.\n"
