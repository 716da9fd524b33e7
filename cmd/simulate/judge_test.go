package simulate

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"autopilot/autopilot/machine"
	"autopilot/cmd/app"
	"autopilot/cmd/console"
)

// prepared is one of a small spec, in which nobody runs.
func prepared(t *testing.T) *Simulation {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	text := "# Small\n\n## Implementation Order\n\n### Phase 1: First\n\n<!-- complexity: low -->\n"
	if err := app.WriteFile(filepath.Join(dir, "docs", "spec.md"), []byte(text)); err != nil {
		t.Fatal(err)
	}
	environ := append(os.Environ(), "GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@b", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@b")
	for _, args := range [][]string{{"init", "-q", "-b", "main"}, {"add", "-A"}, {"commit", "-q", "-m", "Begin"}} {
		if _, err := app.Git(t.Context(), dir, environ, args...); err != nil {
			t.Fatal(err)
		}
	}
	host := &console.Host{Dir: dir, Environ: append(os.Environ(), "AUTOPILOT_RETRIES=1"), Now: time.Now, NoUserConfig: true}
	s, err := Prepare(t.Context(), host, nil, "docs/spec.md", "")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s
}

// TestASimulationThatIsStoppedSaysSo is stopped before it has read anything.
func TestASimulationThatIsStoppedSaysSo(t *testing.T) {
	t.Parallel()
	s := prepared(t)
	ctx, end := context.WithCancelCause(t.Context())
	end(console.BySignal(os.Interrupt))
	err := console.InterruptedBy(ctx, runSimulate(ctx, &simulateOptions{host: s.host, profile: "honest"}, "docs/spec.md"))
	if console.ExitCode(ctx, err) != 130 || !strings.Contains(fmt.Sprint(err), "the simulation is thrown away") {
		t.Errorf("exit code %d: %v", console.ExitCode(ctx, err), err)
	}
}

// TestEachBrokenPromiseIsSeen shows the judge of simulated runs what must never happen, one thing at a time.
func TestEachBrokenPromiseIsSeen(t *testing.T) {
	t.Parallel()
	s := prepared(t)
	dir, err := s.scene(t.Context(), "judged")
	if err != nil {
		t.Fatal(err)
	}
	there := machine.Task{ID: "task-001", Title: "There", Files: []string{"docs/there.txt"}, Status: machine.TaskCompleted}
	if err := app.WriteFile(filepath.Join(dir, "docs", "there.txt"), []byte(pieceOf(1, there).mark.String()+"\n")); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"add", "docs"}, {"commit", "--quiet", "-m", "There"}} {
		if _, err := s.git(t.Context(), dir, args...); err != nil {
			t.Fatal(err)
		}
	}
	good := machine.State{
		CurrentState: machine.Done, Phases: []machine.Phase{{Number: "1"}}, History: []machine.HistoryEntry{{}}, Tasks: []machine.Task{there},
	}
	for name, c := range map[string]struct {
		code   int
		change func(*machine.State, *witness)
		want   string
	}{
		"nothing":                 {0, func(*machine.State, *witness) {}, ""},
		"an unexpected end":       {1, func(*machine.State, *witness) {}, "exit code 1"},
		"an end before the end":   {0, func(s *machine.State, _ *witness) { s.CurrentState = machine.Review }, "exit code 0 in REVIEW"},
		"a phase left out":        {0, func(s *machine.State, _ *witness) { s.History = nil }, "only 0 of 1 phases"},
		"a task in name only":     {0, func(_ *machine.State, w *witness) { w.done[0].files = []string{"docs/nowhere.txt"} }, "task-001 of phase 1 is not in HEAD"},
		"a file without its mark": {0, func(_ *machine.State, w *witness) { w.done[0].files = []string{"docs/spec.md"} }, "task-001 of phase 1 is not in HEAD"},
		"too many dispatches":     {0, func(s *machine.State, _ *witness) { s.Usage.Dispatches = 201 }, "201 dispatches"},
		"too many attempts": {0, func(s *machine.State, _ *witness) {
			s.Tasks[0].Attempts = slices.Repeat([]machine.Attempt{{Result: "failed"}}, 3)
		}, "3 attempts at task-001"},
		"too many fixes": {3, func(s *machine.State, _ *witness) { s.Phases[0].ReviewFixes = 4 }, "4 fix rounds of the review"},
		"a lost file": {0, func(*machine.State, *witness) {
			if err := os.Remove(filepath.Join(dir, usersFile)); err != nil {
				t.Error(err)
			}
		}, usersFile + " was lost"},
	} {
		t.Run(name, func(t *testing.T) {
			state := good
			state.Phases, state.Tasks = slices.Clone(good.Phases), slices.Clone(good.Tasks)
			w := &witness{done: []piece{pieceOf(1, there)}}
			c.change(&state, w)
			broken, err := s.judge(t.Context(), &simulated{dir: dir, code: c.code, state: state, seen: w})
			if err != nil {
				t.Fatal(err)
			}
			if got := strings.Join(broken, "; "); (c.want == "") != (got == "") || !strings.Contains(got, c.want) || len(broken) > 1 {
				t.Errorf("broken: %q, want %q", got, c.want)
			}
			if err := app.WriteFile(filepath.Join(dir, usersFile), []byte(usersText)); err != nil {
				t.Fatal(err)
			}
		})
	}
}

func TestDoneWithAWeakenedCheckIsSeen(t *testing.T) {
	t.Parallel()
	s := prepared(t)
	dir, err := s.scene(t.Context(), "weakened")
	if err != nil {
		t.Fatal(err)
	}
	if err := app.WriteFile(filepath.Join(dir, checkScript), []byte("exit 0\n")); err != nil {
		t.Fatal(err)
	}
	if _, err := s.git(t.Context(), dir, "commit", "--quiet", "-m", "Weaken", "--", checkScript); err != nil {
		t.Fatal(err)
	}
	broken, err := s.judge(t.Context(), &simulated{dir: dir, state: machine.State{CurrentState: machine.Done}, seen: &witness{}})
	if want := "it is DONE, and " + checkScript + " is not what it was"; err != nil || !slices.Equal(broken, []string{want}) {
		t.Errorf("broken: %q, want %q (%v)", broken, want, err)
	}
}
