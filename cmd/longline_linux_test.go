package cmd_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
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
	leftToCI(t)
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
