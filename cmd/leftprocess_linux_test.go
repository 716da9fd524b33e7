package cmd_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// deserter leaves a daemon behind and kills autopilot with its supervisor; at the next start it does its work.
const deserter = `cat > /dev/null
case "$AUTOPILOT_PERSONA" in
planner) mkdir -p docs/plans; printf '# Plan\n\n## Tasks\n\n### Task 1: Write\n\n**Files:** a.txt | **Validation:** ` + "`test -s a.txt`" + `\n' > "$AUTOPILOT_PLAN" ;;
executor)
	if [ ! -e "$DAEMON" ]; then
		setsid sh -c 'echo $$ > "$DAEMON.new"; mv "$DAEMON.new" "$DAEMON"; exec sleep 300' > /dev/null 2>&1 &
		until [ -s "$DAEMON" ]; do sleep 0.01; done
		autopilot=$(cut -d' ' -f4 /proc/$PPID/stat)
		kill -STOP $autopilot $PPID
		kill -KILL $autopilot
		kill -KILL $PPID
	fi
	echo text > a.txt ;;
esac
echo '{"v":1,"status":"done","summary":"Done."}' > "$AUTOPILOT_REPLY"
`

// TestNoRunBesideAProcessThatCannotBeEnded: the daemon is frozen by the kernel, as one is that waits for a disk that does
// not answer.
func TestNoRunBesideAProcessThatCannotBeEnded(t *testing.T) {
	leftToCI(t)
	t.Parallel()
	p := newEmptyPlace(t)
	frozen := filepath.Join("/sys/fs/cgroup/freezer", filepath.Base(t.TempDir())+filepath.Base(filepath.Dir(p.dir)))
	if err := os.Mkdir(frozen, 0o700); err != nil {
		t.Skipf("no process can be made unkillable here: %v", err)
	}
	t.Cleanup(func() { _ = os.Remove(frozen) })
	set := func(file, text string) {
		if err := os.WriteFile(filepath.Join(frozen, file), []byte(text), 0); err != nil {
			t.Error(err)
		}
	}
	for name, text := range map[string]string{
		"autopilot.yaml": "backend: mine\nbackends:\n  mine: {type: command, command: [sh, ./agent.sh]}\n",
		"docs/spec.md":   goodSpec, "agent.sh": deserter,
	} {
		p.put(t, filepath.Join(p.repo, name), []byte(text))
	}
	p.begin(t)
	daemon := filepath.Join(p.dir, "daemon")
	p.env = append(p.env, "DAEMON="+daemon)
	run := func() (int, string) {
		c := exec.Command("autopilot", "docs/spec.md", "--fast", "--yes", "--non-interactive")
		c.Dir, c.Env = p.repo, p.env
		said, _ := c.CombinedOutput() // the exit code says it
		return c.ProcessState.ExitCode(), string(said)
	}
	if code, said := run(); code != killed {
		t.Fatalf("exit code %d: %s", code, said)
	}
	content, err := os.ReadFile(daemon)
	if err != nil {
		t.Fatal(err)
	}
	pid := strings.TrimSpace(string(content))
	set("cgroup.procs", pid)
	set("freezer.state", "FROZEN")
	before := p.state(t).Revision
	code, said := run()
	if code != 6 || !strings.Contains(said, "can't end process "+pid+" (sleep)") || p.state(t).Revision != before {
		t.Errorf("exit code %d: %s", code, said)
	}
	set("freezer.state", "THAWED") // it takes its end now
	until(t, func() bool { _, err := os.Readlink("/proc/" + pid + "/exe"); return err != nil })
	if code, said := run(); code != 0 {
		t.Errorf("exit code %d: %s", code, said)
	}
}
