//go:build unix

package cmd_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// waitingAgent begins with waiting until somebody writes a line to the pipe, as long as there is one. It says so first.
const waitingAgent = `cat > /dev/null
: > "$HOLD.waits"
if [ -p "$HOLD" ]; then read -r line < "$HOLD"; fi
case "$AUTOPILOT_PERSONA" in
planner)
	mkdir -p docs/plans
	printf '# Plan: Greet\n## Tasks\n### Task 1: Write the greeting\n**Files:** greet.txt | **Validation:** §test -s greet.txt§\n' | tr § '\140' > docs/plans/greet.md
	echo '{"v":1,"status":"done","summary":"One task.","planPath":"docs/plans/greet.md"}' > "$AUTOPILOT_REPLY" ;;
*)
	[ "$AUTOPILOT_PERSONA" = executor ] && echo hello > greet.txt
	echo '{"v":1,"status":"done","summary":"Done."}' > "$AUTOPILOT_REPLY" ;;
esac
`

// TestOfProcessesAtOnceOneWorksAndTheOthersAreTurnedAway starts many on the same thing: while the first of them works, all
// others end with exit 6, and so do as many that come to its folder under another name.
func TestOfProcessesAtOnceOneWorksAndTheOthersAreTurnedAway(t *testing.T) {
	leftToCI(t)
	t.Parallel()
	for what, args := range map[string]func(n int) []string{
		"one session": func(int) []string { return []string{"docs/0.md", "--fast", "--yes", "--non-interactive"} },
		"one working tree": func(n int) []string {
			return []string{fmt.Sprintf("docs/%d.md", n), "--fast", "--yes", "--non-interactive"}
		},
		"one task file": func(int) []string { return []string{"tasks", "run", "--quiet"} },
	} {
		for _, many := range []int{2, 8} {
			t.Run(fmt.Sprintf("%s, %d processes", what, many), func(t *testing.T) {
				t.Parallel()
				p := crowdedPlace(t, many)
				let := p.hold(t)
				all := make(chan outcome, many)
				begin := func(dir string, from, to int) {
					for n := from; n < to; n++ {
						go func() { all <- p.from(dir, args(n)...) }()
					}
				}
				turnedAway := func(count int) {
					for range count {
						if got := <-all; got.code != held {
							t.Errorf("exit code %d, want %d:\n%s", got.code, held, got.text)
						}
					}
				}
				begin(p.repo, 0, many)
				turnedAway(many - 1)
				until(t, func() bool { return p.waits() || len(all) > 0 })
				moved := p.repo + "-moved"
				p.rename(t, p.repo, moved)
				begin(moved, 1, many)
				turnedAway(many - 1)
				p.rename(t, moved, p.repo)
				let()
				if got := <-all; got.code != 0 {
					t.Errorf("the one that was let in ended with exit code %d:\n%s", got.code, got.text)
				}
				if n := strings.Count(p.git(t, "log", "--all", "--format=%s"), "Write the greeting"); n != 1 {
					t.Errorf("%d commits of the task", n)
				}
			})
		}
	}
}

// crowdedPlace is a repository with so many specs, and a task file.
func crowdedPlace(t *testing.T, specs int) *place {
	t.Helper()
	p := newEmptyPlace(t)
	for n := range specs {
		p.put(t, filepath.Join(p.repo, "docs", fmt.Sprintf("%d.md", n)), fmt.Appendf(nil, "# Greeting %d\n\n## Implementation Order\n\n### Phase 1: Greet\n", n))
	}
	p.put(t, filepath.Join(p.repo, "agent.sh"), []byte(waitingAgent))
	p.put(t, filepath.Join(p.repo, "autopilot.yaml"), []byte("backend: mine\nbackends: {mine: {type: command, command: [sh, agent.sh]}}\n"))
	p.begin(t)
	p.put(t, filepath.Join(p.repo, "harness-tasks.json"), []byte(`{"version": 2, "session_config": {"concurrency_mode": "exclusive"}, "tasks": [
		{"id": "task-001", "title": "Write the greeting", "status": "pending", "priority": "P1", "validation": {"command": "test -s greet.txt"}}]}`))
	return p
}

// hold has the agents of a place wait, until let is called.
func (p *place) hold(t *testing.T) (let func()) {
	t.Helper()
	pipe := filepath.Join(p.dir, "hold")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	p.env = append(p.env, "HOLD="+pipe)
	f, err := os.OpenFile(pipe, os.O_RDWR, 0) // a reader too, so that nobody waits for one
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = f.Close() })
	return func() {
		if _, err := f.WriteString("\n"); err != nil {
			t.Error(err)
		}
		if err := os.Remove(pipe); err != nil {
			t.Error(err)
		}
	}
}

// waits says whether an agent has come to the pipe.
func (p *place) waits() bool {
	_, err := os.Stat(filepath.Join(p.dir, "hold.waits"))
	return err == nil
}

func (p *place) rename(t *testing.T, from, to string) {
	t.Helper()
	if err := os.Rename(from, to); err != nil {
		t.Fatal(err)
	}
}
