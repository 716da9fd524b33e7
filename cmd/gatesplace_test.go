package cmd_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"autopilot/autopilot/machine"
	"autopilot/cmd"
	"autopilot/cmd/console"
	"autopilot/sessions/storage"
)

// The turns of agents who do what is expected of them, one dispatch each. %s is what comes behind the phase.
const (
	plans    = `{persona: planner, phase: 1%s, turns: [{calls: [write_file: {path: docs/plans/greet-plan.md, content: %q}]}, {reply: {status: done, summary: A plan., planPath: docs/plans/greet-plan.md}}]}`
	executes = `{persona: executor, phase: 1, task: task-001, turns: [{calls: [write_file: {path: greet.txt, content: "hello\n"}]}, {reply: {status: done, summary: Written.}}]}`
	verifies = `{persona: verifier, phase: 1, turns: [{reply: {status: done, summary: It greets.}}]}`
	reviews  = `{persona: reviewer, phase: 1, turns: [{reply: {status: done, summary: Sound.}}]}`
	finishes = `{persona: reviewer, task: final, turns: [{reply: {status: done, summary: Sound.}}]}`

	// says is a dispatch that ends in a reply without a single call.
	says = `{persona: %s%s, turns: [{reply: %s}]}`
	// silent is a dispatch that brings nothing.
	silent = `{persona: %s%s, turns: [{fault: no_reply}]}`
)

const oneTask = "# Plan: Greet\n## Tasks\n### Task 1: Write the greeting\n**Files:** greet.txt | **Validation:** `grep -q hello greet.txt`\n"

// planned is the planner's dispatch for phase 1, with this plan.
func planned(plan string) string { return fmt.Sprintf(plans, "", plan) }

// arrival is how a session comes to a question: its phases, the configuration, the flags, and what the agents say.
type arrival struct {
	complexity string // of phase 1: low where nothing is said
	phases     int    // 1 where nothing is said
	config     string // autopilot.yaml
	flags      string // of the first run
	turns      []string
	byHand     bool                     // a person plays all personas
	last       string                   // what the final reviewer says
	disk       storage.Disk             // of the first run
	before     func(*testing.T, *place) // before the first run
	then       func(*testing.T, *place) // after it; the question is open after that
}

// question is a place whose session stands at an open question.
type question struct {
	*place
	flags []string
	point string // a copy of the repository at the question
}

// newQuestion brings a session to its question.
func newQuestion(t *testing.T, a arrival) *question {
	t.Helper()
	q := &question{place: newEmptyPlace(t), flags: strings.Fields(a.flags)}
	spec := "# Manners\n\n## Implementation Order\n\n### Phase 1: Greet <!-- complexity: " + orLow(a.complexity) + " -->\n\nSay hello.\n"
	for n := 2; n <= a.phases; n++ {
		spec += fmt.Sprintf("\n### Phase %d: Part %d\n", n, n)
	}
	q.put(t, filepath.Join(q.repo, "docs", "spec.md"), []byte(spec))
	q.put(t, filepath.Join(q.repo, "greet.txt"), []byte("good day\n"))
	if a.config != "" {
		q.put(t, filepath.Join(q.repo, "autopilot.yaml"), []byte(a.config))
	}
	last := a.last
	if last == "" {
		last = finishes
	}
	q.put(t, q.replay, []byte("version: 1\ndispatches:\n  - "+strings.Join(append(a.turns, last), "\n  - ")+"\n"))
	if a.byHand {
		q.replay = ""
	}
	q.begin(t)
	if a.before != nil {
		a.before(t, q.place)
	}
	said := q.runs(t, a.disk, append(q.flags, "--non-interactive")...)
	if a.then != nil {
		a.then(t, q.place)
	}
	if q.state(t).Gate == nil {
		t.Fatalf("no question is open:\n%s%s", said.text, q.journal(t))
	}
	q.point = filepath.Join(q.dir, "point")
	copyTree(t, q.repo, q.point)
	return q
}

func orLow(complexity string) string {
	if complexity == "" {
		return "low"
	}
	return complexity
}

// again puts the repository back to the moment at which the question was asked.
func (q *question) again(t *testing.T) {
	t.Helper()
	fresh := filepath.Join(q.dir, "fresh")
	copyTree(t, q.point, fresh)
	q.restore(t, fresh)
}

// outcome is how a command ended, and what it printed.
type outcome struct {
	code int
	text string
}

// run goes on with the session up to its next dispatch: a limit stops it there.
func (q *question) run(t *testing.T, h console.Host, flags ...string) outcome {
	t.Helper()
	limit := fmt.Sprint(max(1, q.state(t).Usage.Dispatches))
	return q.command(h, append(q.sameCommand("--max-dispatches", limit), flags...)...)
}

// runs is a run without a limit.
func (p *place) runs(t *testing.T, disk storage.Disk, flags ...string) outcome {
	t.Helper()
	return p.command(console.Host{Disk: disk}, p.sameCommand(flags...)...)
}

// sameCommand is the command that goes on with the session.
func (p *place) sameCommand(flags ...string) []string {
	if p.replay != "" {
		flags = append([]string{"--replay", p.replay}, flags...)
	}
	return append([]string{"docs/spec.md"}, flags...)
}

// command runs one command of the program in this process.
func (p *place) command(h console.Host, args ...string) outcome {
	var said bytes.Buffer
	if h.Disk == nil {
		h.Disk = storage.PassingDisk{}
	}
	h.Out, h.Dir, h.Environ, h.Now = &said, p.repo, p.env, time.Now
	if h.In == nil {
		h.In = strings.NewReader("")
	}
	if h.Err == nil {
		h.Err = &said
	}
	code := cmd.Main(args, h)
	for n := 0; code == held && n < 20; n++ { // a child that another test starts has the lock's file for a moment
		said.Reset()
		code = cmd.Main(args, h)
	}
	if heard, ok := h.Err.(*listener); ok {
		said.WriteString(heard.String())
	}
	return outcome{code, said.String()}
}

// from runs autopilot in a folder, as a process of its own.
func (p *place) from(dir string, args ...string) outcome {
	c := exec.Command("autopilot", args...)
	c.Dir, c.Env = dir, p.env
	var said bytes.Buffer
	c.Stdout, c.Stderr = &said, &said
	if err := c.Run(); c.ProcessState == nil {
		return outcome{code: -1, text: err.Error()}
	}
	return outcome{code: c.ProcessState.ExitCode(), text: said.String()}
}

// listener is an output that can be waited for.
type listener struct {
	mu   sync.Mutex
	text strings.Builder
	more chan struct{}
}

func newListener() *listener { return &listener{more: make(chan struct{}, 1)} }

func (l *listener) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	select {
	case l.more <- struct{}{}:
	default:
	}
	return l.text.Write(p)
}

func (l *listener) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

// until waits for a text.
func (l *listener) until(ctx context.Context, text string) error {
	for !strings.Contains(l.String(), text) {
		select {
		case <-l.more:
		case <-ctx.Done():
			return fmt.Errorf("it never said %q, but:\n%s", text, l)
		}
	}
	return nil
}

// live is a run at a terminal at which nobody types.
type live struct {
	done chan outcome
	keys *io.PipeWriter
}

// asking starts a run and returns once it has asked its question.
func (q *question) asking(t *testing.T) live {
	t.Helper()
	in, keys := io.Pipe()
	heard := newListener()
	r := live{done: make(chan outcome, 1), keys: keys}
	go func() { r.done <- q.run(t, console.Host{In: in, Err: heard, Terminal: true}) }()
	if err := heard.until(t.Context(), "Your answer: "); err != nil {
		t.Fatal(err)
	}
	return r
}

// leave ends the input, so that the run stops at its next question.
func (l live) leave() outcome {
	_ = l.keys.Close()
	return <-l.done
}

// where says where a session stands: the state, the step, and the kind of the open question.
func where(s machine.State) string {
	at := string(s.CurrentState) + " " + string(s.Step)
	if s.Gate != nil {
		at += " ? " + string(s.Gate.Kind)
	}
	return at
}

// failingDisk loses the journal at the first line that holds a text.
type failingDisk struct {
	storage.OSDisk
	at string
}

func (d failingDisk) OpenFile(name string, flags int, perm os.FileMode) (storage.File, error) {
	f, err := d.OSDisk.OpenFile(name, flags, perm)
	if err != nil || filepath.Base(name) != "events.jsonl" {
		return f, err
	}
	return failingFile{f, d.at}, nil
}

type failingFile struct {
	storage.File
	at string
}

func (f failingFile) WriteAt(p []byte, at int64) (int, error) {
	if strings.Contains(string(p), f.at) {
		return 0, os.ErrDeadlineExceeded
	}
	return f.File.WriteAt(p, at)
}
