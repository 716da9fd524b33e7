package agent

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"autopilot/personas"
	"autopilot/personas/agent/toolbox"
)

func TestCommandSaysHowItEnded(t *testing.T) {
	d := world(t)
	d.Env = map[string]string{"AUTOPILOT_SCRATCHPAD": "/somewhere"}
	wantIn(t, use(t, d, "run_command", args{"command": "echo out; echo err >&2; exit 3"}), "exit code 3", "out\nerr")
	wantIn(t, use(t, d, "run_command", args{"command": "true"}), "exit code 0", "(no output)")
	wantIn(t, use(t, d, "run_command", args{"command": "echo $AUTOPILOT_SCRATCHPAD $GIT_EDITOR; cat"}), "/somewhere true")
	wantIn(t, use(t, d, "run_command", args{"command": "kill -9 $$"}), "137")
	long := use(t, d, "run_command", args{"command": "echo first; i=0; while [ $i -lt 6000 ]; do echo 0123456789; i=$((i+1)); done; echo last"})
	wantIn(t, long, "first\n", "bytes left out", "last\n")
	if len(long) > toolbox.MaxOutput+200 {
		t.Errorf("%d bytes of output", len(long))
	}
}

func TestPipeFailsWithAnyOfItsCommands(t *testing.T) {
	d := world(t)
	wantIn(t, use(t, d, "run_command", args{"command": "(echo wrong; exit 3) | tail -4"}), "exit code 3", "wrong")
	for _, unread := range []string{"yes | head -1", "cd sub && yes | head -1", "for i in 1 2; do yes | head -1; done"} {
		wantIn(t, use(t, d, "run_command", args{"command": unread}), "exit code 0 after ", toolbox.LastAlone, "\ny\n")
	}
	wantIn(t, use(t, d, "run_command", args{"command": "yes | head -1 && echo never"}), "exit code 141")
	wantIn(t, use(t, d, "run_command", args{"command": "exit 141"}), "exit code 141")
	if got := use(t, d, "run_command", args{"command": "echo a | cat"}); strings.Contains(got, toolbox.LastAlone) {
		t.Errorf("a pipe that was read to its end: %s", got)
	}
}

func TestWithoutBashAPipeSaysNothingOfItsFirstCommands(t *testing.T) {
	d, bin := world(t), t.TempDir()
	for _, name := range []string{"sh", "tail"} {
		program, err := exec.LookPath(name)
		if err == nil {
			err = os.Symlink(program, filepath.Join(bin, name))
		}
		if err != nil {
			t.Skip("no such programs here: ", err)
		}
	}
	s := &script{turns: []turn{calls("run_command", `{"command":"false | tail -4"}`, "run_command", `{"command":"echo 'a | b'"}`), calls(toolbox.SubmitReply, doneReply)}}
	if _, err := New(s, Options{Environ: []string{"PATH=" + bin}}).Dispatch(t.Context(), d); err != nil {
		t.Fatal(err)
	}
	results := s.messages[len(s.messages)-2:]
	wantIn(t, results[0].Content, "exit code 0 after ", toolbox.LastAlone+"there is no bash")
	if strings.Contains(results[1].Content, toolbox.LastAlone) {
		t.Errorf("there is no pipe: %s", results[1].Content)
	}
	for _, tool := range s.tools {
		if tool.Name == "run_command" {
			wantIn(t, tool.Description, "Run an sh command", "default 600")
		}
	}
}

func TestFailingTestInAPipeIsNoCheckThatPassed(t *testing.T) {
	d := world(t)
	var turns []turn
	for i := range 8 {
		turns = append(turns, calls("write_file", fmt.Sprintf(`{"path":"a.go","content":"v%d"}`, i)), calls("run_command", fmt.Sprintf(`{"command":"sh -c 'echo got %d; exit 1' | tail -4"}`, i)))
	}
	_, s := run(t, d, Options{}, append(turns, calls(toolbox.SubmitReply, doneReply))...)
	var advised bool
	for _, m := range s.messages {
		advised = advised || m.Role == personas.RoleUser && strings.Contains(m.Content, "a.go was edited 4 times") && strings.Contains(m.Content, "no check passed")
	}
	if !advised {
		t.Errorf("nobody was advised: %+v", s.messages[len(s.messages)-1])
	}
}

func TestMiddleOfALongOutputIsInAFile(t *testing.T) {
	d := world(t)
	t.Setenv("MY_TOKEN", "a-secret-in-the-middle")
	const command = "seq 1 5000; printf 'a-secret-in'; echo '-the-middle'; seq 5001 10000"
	got := use(t, d, "run_command", args{"command": command})
	found := regexp.MustCompile(`is in (\S+);`).FindStringSubmatch(got)
	if found == nil {
		t.Fatalf("no file is named:\n%s", toolbox.Cut(nil, got, 300))
	}
	whole := read(t, d.Dir, found[1])
	wantIn(t, whole, "\n4999\n5000\n"+personas.Masked+"\n5001\n5002\n", "\n10000")
	wantIn(t, use(t, d, "read_file", args{"path": found[1], "from": 4321, "to": 4321}), "4321\t4321")
	again := calls("run_command", `{"command":"`+strings.ReplaceAll(command, "\\", "")+`"}`)
	if out, _ := run(t, d, Options{Window: 400_000}, again, again, again, again, again, again, again); !strings.Contains(out.Detail, "stuck") {
		t.Errorf("the same long output six times is not seen as the same: %+v", out)
	}
	d.AttemptDir = ""
	if got := use(t, d, "run_command", args{"command": command}); !strings.Contains(got, "bytes left out") || strings.Contains(got, "is in ") {
		t.Errorf("where nothing is kept: %s", toolbox.Cut(nil, got, 200))
	}
}

func TestCommandHasATimeLimit(t *testing.T) {
	t.Parallel()
	s := &script{turns: []turn{calls("run_command", `{"command":"echo begun; sleep 300"}`), calls(toolbox.SubmitReply, doneReply)}}
	out, err := New(s, Options{CommandTimeout: 300 * time.Millisecond}).Dispatch(t.Context(), world(t))
	if err != nil || out.Kind != personas.GotReply {
		t.Fatalf("%+v, %v", out, err)
	}
	wantIn(t, s.messages[len(s.messages)-1].Content, "ended by the time limit of 300ms", "begun")
	got := use(t, world(t), "run_command", args{"command": "sleep 300", "timeout_seconds": 1})
	wantIn(t, got, "ended by the time limit of 1s")
}

func TestCommandsDoNotGetSecrets(t *testing.T) {
	t.Setenv("OPENAI_API_KEY", "sk-000000000000")
	t.Setenv("GITHUB_TOKEN", "ghp-00000000000")
	t.Setenv("DB_PASSWORD", "pw-000000000000")
	t.Setenv("HARMLESS", "seen")
	got := use(t, world(t), "run_command", args{"command": "env"})
	wantIn(t, got, "HARMLESS=seen")
	for _, name := range []string{"OPENAI_API_KEY", "GITHUB_TOKEN", "DB_PASSWORD"} {
		if strings.Contains(got, name) {
			t.Errorf("the command got %s", name)
		}
	}
}

func TestGitIsReadThroughCommandsAndNotWritten(t *testing.T) {
	wantIn(t, use(t, world(t), "run_command", args{"command": "git commit -m x"}), "error: git commit is refused")
	wantIn(t, use(t, world(t), "run_command", args{"command": "git log --format=%s"}), "exit code 0", "first")
}

func TestRefusedCommandIsNotRun(t *testing.T) {
	d := world(t)
	got := use(t, d, "run_command", args{"command": "touch ran; rm -rf /nowhere-at-all"})
	wantIn(t, got, "error: refused: rm reaches beyond the working tree: /nowhere-at-all", "blocked")
	if _, err := os.Stat(d.Dir + "/ran"); err == nil {
		t.Error("a part of it ran")
	}
	d.OutDir = "/srv/elsewhere/out"
	wantIn(t, use(t, d, "run_command", args{"command": "echo x > /srv/elsewhere/out/note"}), "exit code")
}

func TestOfALongTextBeginningAndEndAreKept(t *testing.T) {
	if got := toolbox.Capped(nil, strings.Repeat("0123456789", 100), 20); got != "0123456789\n… 980 bytes left out …\n0123456789" {
		t.Errorf("%q", got)
	}
	if got := toolbox.Capped(nil, "short", 100); got != "short" {
		t.Errorf("%q", got)
	}
	if got := toolbox.Cut(nil, "äöü", 3); got != "ä…" {
		t.Errorf("%q", got)
	}
}
