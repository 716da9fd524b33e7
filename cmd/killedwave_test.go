package cmd_test

import (
	"bufio"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// waveEnd is what a wave leaves behind, whatever the order in which its tasks came to their end.
type waveEnd struct {
	Tree, Status string
	Commits      []string
	Branches     string
	Worktrees    int
	Left         []string // what should be gone
	Completed    []string // by progress.txt
	Decisions    []string
	History      any
}

// TestKilledInAWaveARunComesToTheSameEnd kills the program while three tasks are at work, and resumes it: what was
// finished is kept, what was at work goes on, and no working tree, branch, lock or process is left.
func TestKilledInAWaveARunComesToTheSameEnd(t *testing.T) {
	leftToCI(t)
	if runtime.GOOS == "windows" {
		t.Skip("the agent is a script of sh")
	}
	t.Parallel()
	place := newStoryPlace(t, "resume", "wave.txtar")
	fresh := filepath.Join(place.dir, "fresh")
	copyTree(t, place.repo, fresh)
	began := time.Now()
	place.goOn(t)
	within := time.Since(began)
	want := place.waveEnd(t)
	if want.Worktrees != 1 || len(want.Left) > 0 || len(want.Commits) != 6 || len(want.Decisions) == 0 || want.History == nil {
		t.Fatalf("uninterrupted, the run ended with %+v", want)
	}

	kills := 1
	if *full {
		kills = 30
	}
	chance := chance()
	for range kills {
		again := filepath.Join(place.dir, "again")
		copyTree(t, fresh, again)
		place.restore(t, again)
		after := time.Duration(chance.Int64N(int64(within * 3 / 4)))
		place.killInWave(t, after)
		place.goOn(t)
		if diff := cmp.Diff(want, place.waveEnd(t)); diff != "" {
			t.Fatalf("killed %s after the first task began, the run ended otherwise (-uninterrupted +killed):\n%s%s", after, diff, place.journal(t))
		}
		place.noProcesses(t)
	}
}

// goOn runs the spec until it is done; the supervisor of a killed run may still hold the session for a moment.
func (p *place) goOn(t *testing.T) {
	t.Helper()
	for range 100 {
		c := exec.Command("autopilot", "docs/spec.md", "--yes", "--non-interactive")
		c.Dir, c.Env = p.repo, p.env
		out, err := c.CombinedOutput()
		switch c.ProcessState.ExitCode() {
		case 0:
			return
		case held:
		default:
			t.Fatalf("%v:\n%s%s", err, out, p.journal(t))
		}
	}
	t.Fatal("the session is still held")
}

// killInWave starts the run and kills it some time after the first executor was dispatched.
func (p *place) killInWave(t *testing.T, after time.Duration) {
	t.Helper()
	c := exec.Command("autopilot", "docs/spec.md", "--yes", "--json")
	c.Dir, c.Env = p.repo, p.env
	out, err := c.StdoutPipe()
	if err == nil {
		err = c.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(out)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var note struct{ Event, Persona string }
		if json.Unmarshal(lines.Bytes(), &note) == nil && note.Event == "dispatch" && note.Persona == "executor" {
			time.AfterFunc(after, func() { _ = c.Process.Signal(os.Kill) })
			break
		}
	}
	_, _ = io.Copy(io.Discard, out)
	_ = c.Wait() // it was killed, or came to its end before
}

func (p *place) waveEnd(t *testing.T) waveEnd {
	t.Helper()
	e := waveEnd{
		Tree: p.git(t, "rev-parse", "HEAD^{tree}"), Status: p.git(t, "status", "--porcelain", "-uall"),
		Commits:  strings.Split(p.git(t, "log", "--format=%s"), "\n"),
		Branches: p.git(t, "branch", "--format=%(refname:short)"),
	}
	slices.Sort(e.Commits)
	e.Worktrees = strings.Count(p.git(t, "worktree", "list", "--porcelain"), "worktree ")
	for _, dir := range []string{".harness/out", ".harness/worktrees", ".git/worktrees"} {
		walk(t, filepath.Join(p.repo, dir), func(name string) { e.Left = append(e.Left, dir+"/"+name) })
	}
	walk(t, filepath.Join(p.repo, ".git"), func(name string) {
		if strings.HasSuffix(name, ".lock") && name != "autopilot.lock" {
			e.Left = append(e.Left, name)
		}
	})
	progress, err := os.ReadFile(filepath.Join(p.session(), "progress.txt"))
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(progress)) {
		if _, task, ok := strings.Cut(line, " Completed ["); ok {
			e.Completed = append(e.Completed, task[:len("task-000")])
		}
		if strings.Contains(line, " ERROR ") {
			t.Errorf("an attempt was spent: %s", line)
		}
	}
	slices.Sort(e.Completed)
	p.recorded(t, &e)
	return e
}

// recorded takes from the state what a kill must neither lose nor double.
func (p *place) recorded(t *testing.T, e *waveEnd) {
	t.Helper()
	state, _ := p.sameness(t).document(t, filepath.Join(p.session(), "autopilot-state.json")).(map[string]any)
	decisions, _ := state["decisions"].([]any)
	for _, d := range decisions {
		text, err := json.Marshal(d)
		if err != nil {
			t.Fatal(err)
		}
		e.Decisions = append(e.Decisions, string(text))
	}
	slices.Sort(e.Decisions)
	e.History = state["history"]
}
