package cmd_test

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// holder does at its first attempt to its supervisor what HOLD says.
const holder = `cat > /dev/null
case "$AUTOPILOT_PERSONA $AUTOPILOT_ATTEMPT" in
planner*) mkdir -p docs/plans; printf '# Plan\n\n## Tasks\n\n### Task 1: Write\n\n**Files:** a.txt | **Validation:** ` + "`test -s a.txt`" + `\n' > "$AUTOPILOT_PLAN" ;;
"executor 1") eval "$HOLD"; echo held > "$HELD"; exec sleep 300 ;;
executor*) echo text > a.txt ;;
esac
echo '{"v":1,"status":"done","summary":"Done."}' > "$AUTOPILOT_REPLY"
`

// tracer attaches to all threads of a process, and keeps them.
const tracer = `import ctypes, os, sys, time
ptrace = ctypes.CDLL(None).ptrace
ptrace.argtypes = [ctypes.c_long] * 4
for thread in os.listdir("/proc/%s/task" % sys.argv[1]):
    if ptrace(16, int(thread), 0, 0) != 0:
        sys.exit(3)
print("attached", flush=True)
time.sleep(300)
`

// TestARunEndsInTimeWithASupervisorThatItsAgentHolds: a time-out ends the dispatch, and the first signal ends the run.
func TestARunEndsInTimeWithASupervisorThatItsAgentHolds(t *testing.T) {
	leftToCI(t)
	t.Parallel()
	for how, hold := range map[string]string{
		"stopped": "kill -STOP $PPID",
		"traced":  `python3 ../trace.py $PPID > ../said & until [ -s ../said ]; do kill -0 $! || { echo > ../refused; break; }; sleep 0.01; done`,
	} {
		for by, c := range map[string]struct {
			signal os.Signal
			code   int
			say    string
		}{
			"the time-out of a dispatch": {code: 0, say: "it did not end within 15s and was ended"},
			"Ctrl-C":                     {signal: os.Interrupt, code: interrupted, say: "Everything is saved."},
		} {
			t.Run(how+", "+by, func(t *testing.T) {
				t.Parallel()
				p := newEmptyPlace(t)
				timeout := "5m"
				if c.signal == nil {
					timeout = "15s" // the agent has to hold its supervisor before
				}
				p.put(t, filepath.Join(p.dir, "trace.py"), []byte(tracer))
				for name, text := range map[string]string{
					"autopilot.yaml": "backend: mine\ntimeouts: {dispatch: " + timeout + "}\nbackends:\n  mine: {type: command, command: [sh, ./agent.sh]}\n",
					"docs/spec.md":   goodSpec, "agent.sh": holder,
				} {
					p.put(t, filepath.Join(p.repo, name), []byte(text))
				}
				p.begin(t)
				held := filepath.Join(p.dir, "held")
				ctx, cancel := context.WithTimeout(t.Context(), time.Minute) // a supervisor that is waited for ends its agent after five
				defer cancel()
				run := exec.CommandContext(ctx, "autopilot", "docs/spec.md", "--fast", "--yes", "--non-interactive")
				var said bytes.Buffer
				run.Dir, run.Env, run.Stderr = p.repo, append(p.env, "HELD="+held, "HOLD="+hold), &said
				if err := run.Start(); err != nil {
					t.Fatal(err)
				}
				until(t, func() bool { _, err := os.Stat(held); return err == nil })
				if c.signal != nil {
					if err := run.Process.Signal(c.signal); err != nil {
						t.Error(err)
					}
				}
				_ = run.Wait() // the exit code says it
				if _, err := os.Stat(filepath.Join(p.dir, "refused")); err == nil {
					t.Skip("no process can be traced here")
				}
				if code := run.ProcessState.ExitCode(); code != c.code || !strings.Contains(said.String(), c.say) {
					t.Errorf("exit code %d, want %d: %s", code, c.code, said.String())
				}
				p.noProcesses(t)
			})
		}
	}
}
