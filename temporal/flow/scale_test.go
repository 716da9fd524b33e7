package flow

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"go.temporal.io/sdk/activity"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/log"
	"go.temporal.io/sdk/temporal"
	sdk "go.temporal.io/sdk/worker"
	"go.temporal.io/sdk/workflow"

	"autopilot/autopilot/machine"
)

// TestScale measures sessions of fifty tasks with scripted agents, FLEET_SCALE (such as 20,50) at once, on the development server that
// TEMPORAL_CLI starts. It prints a row each: `make fleet-scale`.
func TestScale(t *testing.T) {
	cli, counts := os.Getenv("TEMPORAL_CLI"), os.Getenv("FLEET_SCALE")
	if cli == "" || counts == "" {
		t.Skip("TEMPORAL_CLI and FLEET_SCALE are not set: make fleet-scale")
	}
	fmt.Println("| sessions | session events | seconds | events/s | answers | answer p50 | answer p99 | server MB | database MB | workers MB |")
	fmt.Println("| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |")
	window, stop := context.WithTimeout(t.Context(), longestScale)
	defer stop()
	for _, text := range strings.Split(counts, ",") {
		n, err := strconv.Atoi(text)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Println(scale(window, t, cli, n))
	}
	if window.Err() != nil {
		t.Errorf("they didn't end within %s: the last row is about a part of the sessions", longestScale)
	}
}

// longestScale is for how long sessions are measured in all.
const longestScale = 58 * time.Minute

// crowd does the acts of many sessions.
type crowd struct {
	client  client.Client
	mu      sync.Mutex
	workers map[string]*worker // by slug
	took    []time.Duration    // answers
	failed  []error            // those of answers
}

// scale runs n sessions to their end or that of the window, and gives a row of what was measured.
func scale(window context.Context, t *testing.T, cli string, n int) string {
	dir := t.TempDir()
	c, server := devServer(t, cli, dir)
	cr := newCrowd(t, c)
	began, events := time.Now(), int64(0)
	var runs []client.WorkflowRun
	for i := range n {
		runs = append(runs, cr.begin(t, fmt.Sprintf("s%d", i), &worker{script: script{seed: uint64(i), tasks: 50}, warm: true}))
	}
	for _, run := range runs {
		var r Result
		if err := run.Get(window, &r); window.Err() == nil && (err != nil || r.State != machine.Done) {
			t.Fatalf("%s: %v, %v", run.GetID(), r, err)
		}
	}
	took := time.Since(began)
	for _, k := range cr.workers {
		k.mu.Lock()
		events += k.hub.Revision
		k.mu.Unlock()
	}
	cr.mu.Lock()
	defer cr.mu.Unlock()
	if len(cr.failed) > 0 {
		t.Errorf("%d answers failed: %v", len(cr.failed), errors.Join(cr.failed...))
	}
	if len(cr.took) == 0 {
		t.Fatal("nothing was answered")
	}
	slices.Sort(cr.took)
	at := func(part float64) time.Duration {
		return cr.took[int(part*float64(len(cr.took)-1))].Round(time.Millisecond)
	}
	return fmt.Sprintf("| %d | %d | %.0f | %.0f | %d | %s | %s | %d | %d | %d |", n, events, took.Seconds(), float64(events)/took.Seconds(), len(cr.took), at(.5), at(.99),
		resident(t, server), size(t, dir)>>20, resident(t, os.Getpid()))
}

// newCrowd starts workers of a server.
func newCrowd(t *testing.T, c client.Client) *crowd {
	cr := &crowd{client: c, workers: map[string]*worker{}}
	for _, queue := range []string{SessionQueue, RunQueue("scale", ""), GitQueue("scale")} {
		w := sdk.New(c, queue, sdk.Options{DisableWorkflowWorker: queue != SessionQueue, DeadlockDetectionTimeout: 30 * time.Second})
		if queue == SessionQueue {
			w.RegisterWorkflowWithOptions(Session, workflow.RegisterOptions{Name: Name})
		} else {
			w.RegisterActivityWithOptions(cr.play, activity.RegisterOptions{Name: PlayName})
			w.RegisterActivityWithOptions(func(context.Context, Keep) error { return nil }, activity.RegisterOptions{Name: KeepName})
		}
		if err := w.Start(); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(w.Stop)
	}
	return cr
}

// begin starts a session that a worker plays.
func (cr *crowd) begin(t *testing.T, slug string, k *worker) client.WorkflowRun {
	first := k.script.first()
	first.SessionSlug = slug
	cr.mu.Lock()
	cr.workers[slug] = k
	cr.mu.Unlock()
	run, err := cr.client.ExecuteWorkflow(t.Context(), client.StartWorkflowOptions{ID: slug, TaskQueue: SessionQueue}, Name, Input{Job: Job{Repository: "scale", Limits: rich()}, First: first})
	if err != nil {
		t.Fatal(err)
	}
	return run
}

// play does an act of any session. Where it is about a question, that is answered.
func (cr *crowd) play(ctx context.Context, a Act) (Played, error) {
	cr.mu.Lock()
	k := cr.workers[a.Slug]
	cr.mu.Unlock()
	k.mu.Lock()
	if k.send == nil {
		k.send, k.query = cr.send(a.Slug), cr.ask(a.Slug)
	}
	k.mu.Unlock()
	p, err := k.play(ctx, a)
	if a.Step == machine.StepWait && a.Answer == nil && err == nil {
		go cr.answer(context.WithoutCancel(ctx), a.Slug, k)
	}
	return p, err
}

// answer answers the open question, and measures how long that takes.
func (cr *crowd) answer(ctx context.Context, slug string, k *worker) {
	k.mu.Lock()
	st := k.hub
	k.mu.Unlock()
	if st.Gate == nil {
		return
	}
	began := time.Now()
	err := cr.send(slug)(ctx, AnswerUpdate, "", nil, k.script.answer(st.Revision, *st.Gate))
	app, is := errors.AsType[*temporal.ApplicationError](err)
	cr.mu.Lock()
	defer cr.mu.Unlock()
	switch {
	case err == nil:
		cr.took = append(cr.took, time.Since(began))
	case !is || app.Type() != AnswerErrorType: // else it is a question that was looked at twice
		cr.failed = append(cr.failed, err)
	}
}

// send sends a session an update.
func (cr *crowd) send(slug string) func(ctx context.Context, name, id string, result, arg any) error {
	return func(ctx context.Context, name, id string, result, arg any) error {
		handle, err := cr.client.UpdateWorkflow(ctx, client.UpdateWorkflowOptions{
			WorkflowID: slug, UpdateName: name, UpdateID: id, Args: []any{arg}, WaitForStage: client.WorkflowUpdateStageCompleted,
		})
		if err == nil {
			err = handle.Get(ctx, result)
		}
		return err
	}
}

// ask asks a session for the events after a revision.
func (cr *crowd) ask(slug string) func(ctx context.Context, rev int64) ([]machine.Event, error) {
	return func(ctx context.Context, rev int64) (events []machine.Event, err error) {
		value, err := cr.client.QueryWorkflow(ctx, slug, "", EventsQuery, rev)
		if err == nil {
			err = value.Get(&events)
		}
		return events, err
	}
}

// devServer starts a development server, and gives a client and the process.
func devServer(t *testing.T, cli, dir string) (c client.Client, pid int) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := listener.Addr().String()
	_, port, _ := net.SplitHostPort(address)
	_ = listener.Close()
	cmd := exec.CommandContext(t.Context(), cli, "server", "start-dev", "--headless", "--port", port, "--db-filename", filepath.Join(dir, "t.db"), "--log-level", "error")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	for until := time.Now().Add(time.Minute); time.Now().Before(until); {
		c, err := client.Dial(client.Options{HostPort: address, Logger: log.NewStructuredLogger(slog.New(slog.DiscardHandler))})
		if err == nil {
			t.Cleanup(c.Close)
			return c, cmd.Process.Pid
		}
	}
	t.Fatal("the server does not answer")
	return nil, 0
}

// resident is the memory of a process in MB; 0 where the system does not say.
func resident(t *testing.T, pid int) int {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if errors.Is(err, fs.ErrNotExist) {
		return 0
	}
	for line := range strings.Lines(string(text)) {
		if rest, is := strings.CutPrefix(line, "VmRSS:"); is {
			kb, err := strconv.Atoi(strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(rest), "kB")))
			if err != nil {
				t.Fatal(err)
			}
			return kb >> 10
		}
	}
	return 0
}

// size is that of all files below a folder, in bytes.
func size(t *testing.T, dir string) (n int64) {
	err := filepath.WalkDir(dir, func(_ string, e fs.DirEntry, err error) error {
		if info, failed := e.Info(); err == nil && failed == nil {
			n += info.Size()
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return n
}
