package cmd_test

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"autopilot/autopilot/machine"
)

// BenchmarkWave runs forty sleeping tasks on four workers, and compares how long EXECUTE took with the longest of: the
// critical path, and all the work divided by four. All git work is part of it: forty working trees, forty commits. The
// goal is 10 % and a second more than that.
func BenchmarkWave(b *testing.B) {
	const tasks, workers, unit = 40, 4, time.Second
	plan, work, critical := sleepers(tasks)
	bound := max(critical, work/workers)
	for b.Loop() {
		p := newSleepersPlace(b, plan, workers)
		c := exec.Command("autopilot", "docs/spec.md", "--fast", "--yes", "--non-interactive")
		c.Dir, c.Env = p.repo, p.env
		if out, err := c.CombinedOutput(); err != nil {
			b.Fatalf("%v:\n%s%s", err, out, p.journal(b))
		}
		took, least := p.executed(b), time.Duration(bound)*unit
		b.ReportMetric(took.Seconds(), "s/makespan")
		b.ReportMetric(least.Seconds(), "s/bound")
		b.ReportMetric(took.Seconds()/least.Seconds(), "ratio")
	}
}

func newSleepersPlace(b *testing.B, plan string, workers int) *place {
	b.Helper()
	p := newEmptyPlace(b)
	for name, text := range map[string]string{
		"autopilot.yaml":   fmt.Sprintf("backend: mine\nparallel: %d\nlimits: {max_dispatches: 1000}\nbackends:\n  mine: {type: command, command: [sh, ./agent.sh]}\n", workers),
		"docs/spec.md":     "# Sleep\n\n## Implementation Order\n\n### Phase 1: Sleep\n",
		"docs/plans/.keep": "", "plan.txt": plan,
		"agent.sh": `cat > /dev/null
case "$AUTOPILOT_PERSONA" in
planner) cat > "$AUTOPILOT_PLAN" < plan.txt ;;
executor)
	n=$(echo "${AUTOPILOT_TASK#task-}" | sed 's/^0*//')
	sleep "$(echo "$n" | awk '{print 1 + $1 * 5 % 8}')"
	echo "$n" > "f$n.txt" ;;
esac
echo '{"v":1,"status":"done","summary":"Done."}' > "$AUTOPILOT_REPLY"
`,
	} {
		p.put(b, filepath.Join(p.repo, name), []byte(text))
	}
	p.begin(b)
	return p
}

// executed is how long EXECUTE took, from the first task's beginning to the end of the last.
func (p *place) executed(b *testing.B) time.Duration {
	b.Helper()
	data, err := os.ReadFile(filepath.Join(p.session(), "events.jsonl"))
	if err != nil {
		b.Fatal(err)
	}
	var began, ended time.Time
	for line := range strings.Lines(string(data)) {
		var e machine.Event
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			b.Fatal(err)
		}
		if e.Type == machine.TaskStarted && began.IsZero() {
			began = e.Time
		}
		if e.Type == machine.TasksFinished {
			ended = e.Time
		}
	}
	return ended.Sub(began)
}

// sleepers is a plan of tasks that sleep for one to eight units, every fifth after the one before it; work and critical are
// in units.
func sleepers(n int) (plan string, work, critical int) {
	var text strings.Builder
	text.WriteString("# Plan: Sleep\n\n## Tasks\n")
	ends := make([]int, n+1)
	for i := 1; i <= n; i++ {
		units := 1 + i*5%8
		begins, depends := 0, "none"
		if i%5 == 0 {
			begins, depends = ends[i-1], fmt.Sprintf("Task %d", i-1)
		}
		ends[i] = begins + units
		work, critical = work+units, max(critical, ends[i])
		fmt.Fprintf(&text, "\n### Task %d: Sleep %d\n\n**Depends on:** %s | **Files:** f%d.txt | **Validation:** `test -s f%d.txt`\n", i, units, depends, i, i)
	}
	return text.String(), work, critical
}
