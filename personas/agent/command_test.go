package agent

import (
	"os"
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
