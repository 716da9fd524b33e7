package cmd_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

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
	leftToCI(t)
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
