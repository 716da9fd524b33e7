package cmd_test

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
)

// hugeLine is what an agent program prints in one line, in bytes. make bench has one of a gigabyte.
const hugeLine = 80_000_000

// loudAgent asks the system itself how much memory the run has taken: what is told of a process that ended counts what
// the tests had when they started it.
const loudAgent = `cat > /dev/null
case "$AUTOPILOT_PERSONA" in
planner) mkdir -p docs/plans; printf '# Plan\n\n## Tasks\n\n### Task 1: Write\n\n**Files:** a.txt | **Validation:** ` + "`true`" + `\n' > "$AUTOPILOT_PLAN" ;;
executor)
	echo the first words; head -c 80000000 /dev/zero | tr '\0' x; echo the last words
	supervised="$(sed -n 's/^PPid://p' "/proc/$PPID/status" | tr -d '\t')"
	sed -n 's/^VmHWM://p' "/proc/$supervised/status" > "$PEAK"
	echo text > a.txt ;;
esac
echo '{"v":1,"status":"done","summary":"Done."}' > "$AUTOPILOT_REPLY"
`

// TestALineWithoutAnEndIsNeitherHeldNorKeptWhole: the run comes to its end, in less memory than the line alone would take,
// and the disk has the beginning and the end of it.
func TestALineWithoutAnEndIsNeitherHeldNorKeptWhole(t *testing.T) {
	t.Parallel()
	p := newEmptyPlace(t)
	for name, text := range map[string]string{
		"autopilot.yaml": "backend: loud\nbackends:\n  loud: {type: command, command: [sh, ./agent.sh]}\n",
		"docs/spec.md":   goodSpec, "agent.sh": loudAgent,
	} {
		p.put(t, filepath.Join(p.repo, name), []byte(text))
	}
	p.begin(t)
	c := exec.Command("autopilot", "docs/spec.md", "--fast", "--yes", "--non-interactive", "--quiet")
	peak := filepath.Join(p.dir, "peak")
	c.Dir, c.Env = p.repo, append(p.env, "PEAK="+peak)
	said, err := c.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, said)
	}
	if most := kilobytes(t, peak) << 10; most >= hugeLine && !builtWithRace() {
		t.Errorf("it took %d MB of memory", most>>20)
	}
	logs, _ := filepath.Glob(filepath.Join(p.session(), "attempts", "1", "*", "*", "output.log*"))
	size := int64(0)
	for _, log := range logs {
		if info, err := os.Stat(log); err == nil && info.Size() > 1<<20 {
			size += info.Size()
			text, _ := os.ReadFile(log)
			if !strings.HasPrefix(string(text), "the first words\nxxx") || !strings.Contains(string(text), "xthe last words\n== it ended with") ||
				strings.Count(string(text), " bytes are left out here; the end follows\nxxx") != 1 {
				t.Errorf("%s lacks the beginning, the end or the word between", log)
			}
		}
	}
	if size < 48<<20 || size > 65<<20 {
		t.Errorf("%d MB of the output were kept, in %q", size>>20, logs)
	}
}

// quietAgent hears of what others print; the reviewer tells how much memory the run has taken until then.
const quietAgent = `cat > /dev/null
case "$AUTOPILOT_PERSONA" in
planner) mkdir -p docs/plans; printf '# Plan\n\n## Tasks\n\n### Task 1: Write\n\n**Files:** a.txt | **Validation:** ` + "`sh ./loud.sh`" + `\n' > "$AUTOPILOT_PLAN" ;;
executor) echo text > a.txt ;;
reviewer)
	supervised="$(sed -n 's/^PPid://p' "/proc/$PPID/status" | tr -d '\t')"
	sed -n 's/^VmHWM://p' "/proc/$supervised/status" > "$PEAK" ;;
esac
echo '{"v":1,"status":"done","summary":"Done."}' > "$AUTOPILOT_REPLY"
`

// loudCommand prints much on one line.
const loudCommand = "echo the first words; head -c 60000000 /dev/zero | tr '\\0' x; echo; echo the last words\n"

// TestWhatCommandsPrintIsNeitherHeldNorKeptWhole: a validation that prints much, and a hook that does, leave room for the
// rest of the machine.
func TestWhatCommandsPrintIsNeitherHeldNorKeptWhole(t *testing.T) {
	t.Parallel()
	p := newEmptyPlace(t)
	for name, text := range map[string]string{
		"autopilot.yaml": "backend: quiet\nbackends:\n  quiet: {type: command, command: [sh, ./agent.sh]}\n",
		"docs/spec.md":   goodSpec, "agent.sh": quietAgent, "loud.sh": loudCommand,
	} {
		p.put(t, filepath.Join(p.repo, name), []byte(text))
	}
	p.begin(t)
	p.put(t, filepath.Join(p.repo, ".git", "hooks", "pre-commit"), []byte("#!/bin/sh\n"+loudCommand))
	if err := os.Chmod(filepath.Join(p.repo, ".git", "hooks", "pre-commit"), 0o700); err != nil {
		t.Fatal(err)
	}
	c := exec.Command("autopilot", "docs/spec.md", "--fast", "--yes", "--non-interactive", "--quiet")
	peak := filepath.Join(p.dir, "peak")
	c.Dir, c.Env = p.repo, append(p.env, "PEAK="+peak)
	if said, err := c.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, said)
	}
	if most := kilobytes(t, peak) << 10; most > mostMemory && !builtWithRace() {
		t.Errorf("it took %d MB of memory", most>>20)
	}
	var logs []string
	for _, pattern := range []string{"attempts/1/*/*/validation.log", "phase-1-verify.log", "evidence/*.log"} {
		found, _ := filepath.Glob(filepath.Join(p.session(), filepath.FromSlash(pattern)))
		logs = append(logs, found...)
	}
	for _, log := range logs {
		text, err := os.ReadFile(log)
		if err != nil || len(text) > 10<<20 || !strings.Contains(string(text), "\nthe first words\nxxx") ||
			!strings.Contains(string(text), " bytes are left out here; the end follows\nxxx") || !strings.Contains(string(text), "xxx\nthe last words\n[passed, exit code 0]\n") {
			t.Errorf("%s: %v, %d bytes; it lacks the beginning, the end or the word between", log, err, len(text))
		}
	}
	if len(logs) < 4 {
		t.Errorf("kept: %q", logs)
	}
}

// mostMemory is what the program may take whatever others print, in bytes.
const mostMemory = 64 << 20

// TestAnswerWithoutAnEndIsNotHeld: the server of a model says one thing for ever, in each of the forms of an answer. At the
// beginning of each request, and when nobody takes its answer any more, it looks at the program that asked.
func TestAnswerWithoutAnEndIsNotHeld(t *testing.T) {
	t.Parallel()
	many := strings.Repeat("x", 10_000)
	for name, part := range map[string]string{
		"one line":  many,
		"pieces":    `"}}]}` + "\n\n" + `data: {"choices":[{"index":0,"delta":{"content":"` + many,
		"arguments": `"}}]}` + "\n\n" + `data: {"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"c","function":{"name":"write_file","arguments":"` + many + `"}}],"refusal":"`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newEmptyPlace(t)
			c := exec.Command("autopilot", "docs/spec.md", "--fast", "--yes", "--non-interactive", "--quiet")
			var most atomic.Int64
			started := make(chan struct{})
			s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				<-started
				most.Store(max(most.Load(), peakOf(c.Process.Pid)))
				_, err := io.WriteString(w, `data: {"choices":[{"index":0,"delta":{"content":"`)
				for range 150_000_000 / len(part) {
					if err == nil {
						_, err = io.WriteString(w, part)
					}
				}
				most.Store(max(most.Load(), peakOf(c.Process.Pid)))
			}))
			t.Cleanup(s.Close)
			p.put(t, filepath.Join(p.repo, "autopilot.yaml"), []byte("backend: m\nbackends:\n  m: {type: openai, model: m, base_url: "+s.URL+"/v1}\n"))
			p.put(t, filepath.Join(p.repo, "docs", "spec.md"), []byte(goodSpec))
			p.begin(t)
			c.Dir, c.Env = p.repo, p.env
			var out bytes.Buffer
			c.Stdout, c.Stderr = &out, &out
			if err := c.Start(); err != nil {
				t.Fatal(err)
			}
			close(started)
			_ = c.Wait()
			said := out.String()
			if c.ProcessState.ExitCode() != 3 || !strings.Contains(said, "the model's server failed: the answer is longer than 2 MB") {
				t.Errorf("exit code %d: %s", c.ProcessState.ExitCode(), said)
			}
			if took := most.Load(); (took == 0 || took > mostMemory) && !builtWithRace() {
				t.Errorf("it took %d MB of memory", took>>20)
			}
		})
	}
}

// peakOf is the most memory that a process took so far, in bytes; 0 where it is gone.
func peakOf(pid int) int64 {
	var kB int64
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	_, rest, _ := strings.Cut(string(text), "VmHWM:")
	_, _ = fmt.Sscanf(rest, "%d kB", &kB)
	return kB << 10
}

// builtWithRace says whether the tests are built with the race detector, which takes much memory of its own.
func builtWithRace() bool {
	info, _ := debug.ReadBuildInfo()
	return info != nil && slices.Contains(info.Settings, debug.BuildSetting{Key: "-race", Value: "true"})
}

// kilobytes reads a number as the files of a process give it: "1234 kB".
func kilobytes(t *testing.T, path string) (n int) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err == nil {
		_, err = fmt.Sscanf(string(text), "%d kB", &n)
	}
	if err != nil {
		t.Fatal(err)
	}
	return n
}
