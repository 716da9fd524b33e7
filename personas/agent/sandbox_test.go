package agent

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"autopilot/autopilot/process"
	"autopilot/personas"
	"autopilot/personas/agent/toolbox"
)

// confined runs a command in a real sandbox.
func confined(t *testing.T, d personas.Dispatch, network bool, command string) string {
	t.Helper()
	s := &script{turns: []turn{calls("run_command", `{"command":"`+command+`","timeout_seconds":20}`), calls(toolbox.SubmitReply, doneReply)}}
	out, err := New(s, Options{Confined: toolbox.Confinement{Sandbox: true, Network: network}}).Dispatch(t.Context(), d)
	if err != nil || out.Reply == nil {
		t.Fatalf("%+v, %v", out, err)
	}
	return s.messages[len(s.messages)-1].Content
}

func TestSandboxKeepsCommandsToTheTree(t *testing.T) {
	if err := process.ProbeSandbox(t.Context(), os.Environ()); err != nil {
		t.Skip("no sandbox here: ", err)
	}
	home, outside := t.TempDir(), t.TempDir()
	t.Setenv("HOME", home)
	put(t, home, map[string]string{".ssh/id": "private", ".local/bin/tool": "x"})
	d := world(t)
	wantIn(t, confined(t, d, true, "pwd; echo made > made.txt; cat main.go; git log --format=%s; git status --short"), d.Dir, "first", "?? made.txt", "exit code 0")
	if read(t, d.Dir, "made.txt") != "made\n" {
		t.Error("the tree was not written")
	}
	put(t, d.Dir, map[string]string{"tries.sh": "echo x > .git/HEAD; echo x > .harness/sessions/s/spec.md; echo x > /etc/mine; echo x > " + filepath.Join(outside, "f") + "; rm -rf /usr/share/doc"})
	wantIn(t, confined(t, d, true, "sh tries.sh"), "Read-only file system")
	for _, path := range []string{"/etc/mine", filepath.Join(outside, "f")} {
		if _, err := os.Stat(path); err == nil {
			t.Errorf("%s was written", path)
		}
	}
	if read(t, d.Dir, ".git/HEAD") != "ref: refs/heads/main\n" || read(t, d.Dir, ".harness/sessions/s/spec.md") != "# The copy\n" {
		t.Error("what is not the agent's was written")
	}
	wantIn(t, confined(t, d, true, "ls -a $HOME; cat $HOME/.ssh/id; ls $HOME/.local/bin; echo x > $HOME/kept; echo x > ~/too; echo x > $TMPDIR/y"), "No such file", "tool")
	wantIn(t, confined(t, d, true, "cat $HOME/kept; ls $TMPDIR"), "x\n")
	if _, err := os.Stat(filepath.Join(home, "kept")); err == nil {
		t.Error("the user's home was written")
	}
	wantIn(t, confined(t, d, false, "tail -n +3 /proc/net/dev | cut -d: -f1 | tr -d ' '"), "\nlo\n")
	wantIn(t, confined(t, d, true, "kill -9 $$"), "137")
}

func TestSandboxEndsWithItsTimeLimit(t *testing.T) {
	if err := process.ProbeSandbox(t.Context(), os.Environ()); err != nil {
		t.Skip("no sandbox here: ", err)
	}
	d := world(t)
	s := &script{turns: []turn{calls("run_command", `{"command":"echo begun; setsid sleep 300 & sleep 300"}`), calls(toolbox.SubmitReply, doneReply)}}
	began := time.Now()
	out, err := New(s, Options{CommandTimeout: time.Second, Confined: toolbox.Confinement{Sandbox: true, Network: true}}).Dispatch(t.Context(), d)
	if err != nil || out.Reply == nil || time.Since(began) > 20*time.Second {
		t.Fatalf("after %s: %+v, %v", time.Since(began), out, err)
	}
	wantIn(t, s.messages[len(s.messages)-1].Content, "ended by the time limit", "begun")
}
