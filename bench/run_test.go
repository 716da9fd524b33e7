package bench

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"go.yaml.in/yaml/v3"
)

// BenchmarkRun carries out a spec of 20 phases and 200 tasks with an agent that answers at once, beside the git command
// lines of such a run, one after the other.
func BenchmarkRun(b *testing.B) {
	w := newWork(b, 20)
	trace := w.trace(b)
	pair{
		ours: func() time.Duration { return w.run(b, w.env) },
		theirs: func() time.Duration {
			w.begin(b)
			return trace.replay(b, w.repo)
		},
	}.compare(b, 1, 2) // it takes minutes: -count gives more rounds
	b.ReportMetric(trace.perTask(), "git/task")
	b.ReportMetric(8, "goal-git")
	b.ReportMetric(float64(len(trace.calls)), "git/run")
	b.ReportMetric(float64(w.peak), "peak-B")
	b.ReportMetric(64<<20, "goal-B")
}

// runTasks is how many tasks each phase has.
const runTasks = 10

// work is a repository with a spec, and the turns of an agent that carries it out.
type work struct {
	program, repo, replay, fresh string
	env                          []string
	phases, begun                int
	peak                         int64         // bytes, of the program over all runs
	processors                   time.Duration // what the last run took of them, with all that it started
}

func newWork(b *testing.B, phases int) *work {
	b.Helper()
	dir := b.TempDir()
	w := &work{
		program: build(b, "cmd/autopilot"), repo: filepath.Join(dir, "repo"), replay: filepath.Join(dir, "replay.yaml"),
		fresh: filepath.Join(dir, "fresh"), env: alone(b), phases: phases,
	}
	put(b, filepath.Join(w.fresh, "docs", "spec.md"), runSpec(phases))
	turns, err := yaml.Marshal(map[string]any{"version": 1, "dispatches": runTurns(phases, runTasks)})
	if err != nil {
		b.Fatal(err)
	}
	put(b, w.replay, string(turns))
	commitAll(b, w.fresh, w.env)
	return w
}

func commitAll(b testing.TB, repo string, env []string) {
	b.Helper()
	git(b, repo, env, "init", "-q", "-b", "main", "--template=")
	git(b, repo, env, "add", "-A")
	git(b, repo, env, "commit", "-q", "-m", "Begin")
}

// begin puts the repository back to where a run begins, at the same path: the command lines name it. The one before is
// set aside: a file system that has just removed many files makes new ones more slowly.
func (w *work) begin(b *testing.B) {
	b.Helper()
	if err := os.Rename(w.repo, fmt.Sprintf("%s-%d", w.repo, w.begun)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		b.Fatal(err)
	}
	w.begun++
	if err := os.CopyFS(w.repo, os.DirFS(w.fresh)); err != nil {
		b.Fatal(err)
	}
}

func (w *work) run(b *testing.B, env []string) time.Duration {
	b.Helper()
	w.begin(b)
	c := w.command("--yes", "--quiet", "--max-dispatches", "10000")
	c.Env = env
	began := time.Now()
	w.peak = max(w.peak, watched(b, c, 0))
	took := time.Since(began)
	w.processors = c.ProcessState.UserTime() + c.ProcessState.SystemTime()
	if commits := strings.Count(git(b, w.repo, w.env, "log", "--format=%H"), "\n"); commits <= w.phases*runTasks {
		b.Fatalf("the run made only %d commits", commits)
	}
	return took
}

func (w *work) command(flags ...string) *exec.Cmd {
	c := exec.Command(w.program, append([]string{"docs/spec.md", "--replay", w.replay, "--non-interactive"}, flags...)...)
	c.Dir, c.Env = w.repo, w.env
	return c
}

func runSpec(phases int) string {
	var s strings.Builder
	s.WriteString("# Work\n\n## Success Criteria\n\n- It is done.\n\n## Implementation Order\n")
	for p := range phases {
		fmt.Fprintf(&s, "\n### Phase %d: Part %d\n\nDo it.\n", p+1, p+1)
	}
	return s.String()
}

func runPlan(phase, tasks int) string {
	var s strings.Builder
	fmt.Fprintf(&s, "# Plan: Part %d\n\n**Spec:** docs/spec.md\n\n## Tasks\n", phase)
	for t := range tasks {
		file := runFile(phase, t+1)
		fmt.Fprintf(&s, "\n### Task %d: Write %s\n\n**Depends on:** none | **Files:** %s | **Validation:** `test -s %s`\n\n1. Write it.\n", t+1, file, file, file)
	}
	return s.String()
}

func runFile(phase, task int) string { return fmt.Sprintf("part%d/file%d.txt", phase, task) }

// runTurns are the dispatches of a run in which all goes well.
func runTurns(phases, tasks int) []any {
	type entry = map[string]any
	write := func(path, content string) entry {
		return entry{"calls": []any{entry{"write_file": entry{"path": path, "content": content}}}}
	}
	reply := func(more entry) entry {
		more["status"], more["summary"] = "done", "Done."
		return entry{"reply": more}
	}
	var all []any
	for p := 1; p <= phases; p++ {
		plan := fmt.Sprintf("docs/plans/part-%d-plan.md", p)
		all = append(all, entry{"persona": "planner", "phase": p, "turns": []any{write(plan, runPlan(p, tasks)), reply(entry{"planPath": plan})}})
		for t := 1; t <= tasks; t++ {
			turns := []any{write(runFile(p, t), strings.Repeat("some text\n", 20)), reply(entry{})}
			all = append(all, entry{"persona": "executor", "phase": p, "task": fmt.Sprintf("task-%03d", t), "turns": turns})
		}
		for _, persona := range []string{"verifier", "reviewer"} {
			all = append(all, entry{"persona": persona, "phase": p, "turns": []any{reply(entry{})}})
		}
	}
	done := entry{"text": "It is done.", "satisfied": true, "confidence": "high", "evidence": "the files"}
	return append(all, entry{"persona": "reviewer", "task": "final", "turns": []any{reply(entry{"criteria": []any{done}})}})
}
