package bench

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"autopilot/sessions"
	"autopilot/sessions/storage"
)

// watched runs a command to its end, with the exit code that it should have, and returns the most memory that it held, in
// bytes: of its own process, not of those that it starts. Only Linux tells; elsewhere it is 0. What the kernel says of a
// process that has ended would not do: it counts what the process that started it held.
func watched(b *testing.B, c *exec.Cmd, exit int) int64 {
	b.Helper()
	var out bytes.Buffer
	c.Stdout, c.Stderr = &out, &out
	if err := c.Start(); err != nil {
		b.Fatal(err)
	}
	ended := make(chan struct{})
	go func() {
		_ = c.Wait() // the exit code says it
		close(ended)
	}()
	peak := int64(0)
	for {
		select {
		case <-ended:
			if got := c.ProcessState.ExitCode(); got != exit {
				b.Fatalf("%s: exit code %d, not %d: %s", strings.Join(c.Args, " "), got, exit, out.String())
			}
			return peak
		case <-time.After(10 * time.Millisecond):
			peak = max(peak, held(c.Process.Pid))
		}
	}
}

// held is the most memory that a process held so far.
func held(pid int) int64 {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0
	}
	_, rest, _ := strings.Cut(string(status), "VmHWM:")
	fields := strings.Fields(rest)
	if len(fields) == 0 {
		return 0
	}
	kB, err := strconv.ParseInt(fields[0], 10, 64)
	if err != nil {
		return 0
	}
	return kB << 10
}

// reportPeak is the end of the benchmarks of memory alone.
func reportPeak(b *testing.B, peak, goal int64) {
	b.Helper()
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(float64(peak), "peak-B")
	b.ReportMetric(float64(goal), "goal-B")
}

// BenchmarkOutput is the memory of a run whose agent prints 1 GB: half of it in lines, half of it in one.
func BenchmarkOutput(b *testing.B) {
	if _, err := os.Stat("/proc/self/status"); err != nil {
		b.Skip("the memory of a process is read from /proc")
	}
	program := build(b, "cmd/autopilot")
	peak := int64(0)
	for b.Loop() {
		repo, env := b.TempDir(), alone(b)
		for name, text := range map[string]string{
			"autopilot.yaml": "backend: loud\nbackends:\n  loud: {type: command, command: [sh, ./agent.sh]}\n",
			"docs/spec.md":   runSpec(1),
			"plan.txt":       runPlan(1, 1),
			"agent.sh":       loud,
		} {
			put(b, filepath.Join(repo, name), text)
		}
		commitAll(b, repo, env)
		c := exec.Command(program, "docs/spec.md", "--fast", "--yes", "--non-interactive", "--quiet")
		c.Dir, c.Env = repo, env
		peak = max(peak, watched(b, c, 0))
		if done := git(b, repo, env, "log", "--format=%s"); !strings.Contains(done, "Write part1") {
			b.Fatalf("the task was not done:\n%s", done)
		}
	}
	reportPeak(b, peak, 64<<20)
}

const loud = `cat > /dev/null
case "$AUTOPILOT_PERSONA" in
planner) mkdir -p docs/plans; cp plan.txt "$AUTOPILOT_PLAN" ;;
executor)
	yes 'a line of output, as long as such lines usually are' | head -c 500000000
	yes '' | tr '\n' x | head -c 500000000
	mkdir -p part1 && echo text > part1/file1.txt ;;
esac
echo '{"v":1,"status":"done","summary":"Done."}' > "$AUTOPILOT_REPLY"
`

// BenchmarkResumeMemory is the memory of a program that takes up a session at a question, with a journal of 50,000 events.
func BenchmarkResumeMemory(b *testing.B) {
	if _, err := os.Stat("/proc/self/status"); err != nil {
		b.Skip("the memory of a process is read from /proc")
	}
	w := newWork(b, 1)
	w.begin(b)
	watched(b, w.command("--review-plans"), 3)
	s, err := sessions.Open(sessionIn(w.repo), sessions.Options{Now: time.Now, Disk: storage.PassingDisk{}})
	if err != nil {
		b.Fatal(err)
	}
	lengthen(b, s, 50_000)
	peak := int64(0)
	for b.Loop() {
		peak = max(peak, watched(b, w.command(), 3)) // it opens the session, and finds the question about the plan
	}
	reportPeak(b, peak, 60<<20)
}
