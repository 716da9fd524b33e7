//go:build unix

package command

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"autopilot/autopilot/process"
	"autopilot/personas"
)

func TestProgramGetsThePromptOnStandardInputAndItsReplyIsRead(t *testing.T) {
	d := world(t)
	out := play(t, sh(`cat > got.md; pwd > where; echo '`+done+`' > "$AUTOPILOT_REPLY"`), d)
	wantKind(t, out, personas.GotReply)
	if out.Reply.Summary != "Did it." || out.Turns != 1 {
		t.Errorf("reply %+v after %d runs", out.Reply, out.Turns)
	}
	if got := read(t, d.Dir, "got.md"); got != d.Prompt {
		t.Errorf("standard input was %q", got)
	}
	where, _ := filepath.EvalSymlinks(strings.TrimSpace(read(t, d.Dir, "where")))
	if want, _ := filepath.EvalSymlinks(d.Dir); where != want {
		t.Errorf("it ran in %s, not in %s", where, want)
	}
}

func TestEnvironmentIsTheUsersThenTheBackendsThenTheDispatchs(t *testing.T) {
	d := world(t)
	b := New(Options{
		Argv: []string{"sh", "-c", `env > env; echo '` + done + `' > "$AUTOPILOT_REPLY"`},
		Env:  map[string]string{"MINE": "backend", "AUTOPILOT_TASK": "mine"},
		Environ: []string{
			"PATH=" + os.Getenv("PATH"), "MINE=user", "KEPT=yes", "AUTOPILOT_RETRIES=9", "AUTOPILOT_SPEC=of another dispatch",
		},
	})
	wantKind(t, play(t, b, d), personas.GotReply)
	env := "\n" + read(t, d.Dir, "env")
	for _, want := range []string{"MINE=backend", "KEPT=yes", "AUTOPILOT_TASK=task-001", "AUTOPILOT_REPLY=" + d.ReplyPath} {
		if !strings.Contains(env, "\n"+want+"\n") {
			t.Errorf("%s is not in the environment:%s", want, env)
		}
	}
	for _, not := range []string{"AUTOPILOT_RETRIES", "AUTOPILOT_SPEC"} {
		if strings.Contains(env, not) {
			t.Errorf("%s is in the environment", not)
		}
	}
}

func TestArgumentsNameThePromptTheReplyAndTheModel(t *testing.T) {
	d := world(t)
	b := New(Options{
		Argv:  []string{"sh", "-c", `cp "$1" copied; echo "$3" > model; echo '` + done + `' > "$2"`, "agent", "{prompt_file}", "{reply_file}", "--model={model}"},
		Model: "m1",
	})
	wantKind(t, play(t, b, d), personas.GotReply)
	if got := read(t, d.Dir, "copied"); got != d.Prompt {
		t.Errorf("the prompt's file holds %q", got)
	}
	if got := read(t, d.Dir, "model"); got != "--model=m1\n" {
		t.Errorf("the model was %q", got)
	}
	if !WantsModel(b.o.Argv) || WantsModel([]string{"agent", "model"}) {
		t.Error("whether a model is wanted is not told")
	}
}

func TestMissingProgramIsAnErrorThatSaysWhatToDo(t *testing.T) {
	d := world(t)
	b := New(Options{Argv: []string{"no-such-agent"}})
	var start *process.StartError
	if _, err := b.Dispatch(t.Context(), d); !errors.As(err, &start) || !strings.Contains(err.Error(), "install it or correct the command") {
		t.Errorf("dispatching: %v", err)
	}
	if err := b.Check(d.Dir); !errors.As(err, &start) || !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("checking: %v", err)
	}
	if err := sh("true").Check(d.Dir); err != nil {
		t.Errorf("a program that is there: %v", err)
	}
}

func TestMissingTreeOrUnwritableRecordIsAnError(t *testing.T) {
	d := world(t)
	d.Dir += "/none"
	if _, err := sh("true").Dispatch(t.Context(), d); err == nil || !strings.Contains(err.Error(), "working tree") {
		t.Errorf("a missing tree: %v", err)
	}
	d = world(t)
	write(t, d.SessionDir, "a file where the folder should be")
	if _, err := sh("true").Dispatch(t.Context(), d); err == nil || !strings.Contains(err.Error(), "record") {
		t.Errorf("a record that cannot be written: %v", err)
	}
}

func TestSilenceAndLengthAreLimited(t *testing.T) {
	t.Parallel()
	d := world(t)
	d.Idle = 100 * time.Millisecond
	wantKind(t, play(t, sh("echo begun; sleep 60"), d), personas.TimedOut, "no output for 100ms", "begun")
	d.Idle, d.Timeout = 0, 200*time.Millisecond
	wantKind(t, play(t, sh("while :; do echo .; sleep 0.05; done"), d), personas.TimedOut, "did not end within 200ms")
}

func TestInterruptionIsNoReplyWhateverTheProgramLeft(t *testing.T) {
	d := world(t)
	ctx, cancel := context.WithCancel(t.Context())
	d.OnEvent = func(_, text string) {
		if text == "ready" {
			cancel()
		}
	}
	b := sh(`echo '{"v":1,"status":"failed","summary":"cut off"}' > "$AUTOPILOT_REPLY"; echo ready; exec sleep 60`)
	out, err := b.Dispatch(ctx, d)
	if err != nil {
		t.Fatal(err)
	}
	wantKind(t, out, personas.Interrupted)
}

func TestWholeTreeEndsWithTheProgram(t *testing.T) {
	d := world(t)
	write(t, filepath.Join(d.Dir, "child.sh"), `while :; do echo x >> beats; sleep 0.02; done`)
	b := sh(`sh child.sh & until test -s beats; do sleep 0.01; done; echo '` + done + `' > "$AUTOPILOT_REPLY"`)
	wantKind(t, play(t, b, d), personas.GotReply)
	before := read(t, d.Dir, "beats")
	time.Sleep(100 * time.Millisecond) // five beats, if the child lived
	if after := read(t, d.Dir, "beats"); after != before {
		t.Error("a child of the program lives on")
	}
}
