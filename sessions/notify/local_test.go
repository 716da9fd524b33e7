package notify

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"autopilot/autopilot/process"
)

func TestMain(m *testing.M) {
	if code, was := process.Supervise(); was {
		os.Exit(code)
	}
	os.Exit(m.Run())
}

func env(pairs ...string) func(string) string {
	return func(name string) string {
		for _, p := range pairs {
			if value, is := strings.CutPrefix(p, name+"="); is {
				return value
			}
		}
		return ""
	}
}

func TestATerminalGetsWhatItKnows(t *testing.T) {
	for pairs, want := range map[string]string{
		"TERM=xterm-256color":      "\a",
		"TERM_PROGRAM=WezTerm":     "\x1b]9;limits: done\x1b\\",
		"TERM_PROGRAM=ghostty":     "\x1b]9;limits: done\x1b\\",
		"TERM=xterm-kitty":         "\x1b]99;o=unfocused;limits: done\x1b\\",
		"TERM=foot":                "\x1b]99;o=unfocused;limits: done\x1b\\",
		"TMUX=a KITTY_WINDOW_ID=1": "\a",
	} {
		var out bytes.Buffer
		err := Terminal{Out: &out, Form: FormOf(env(strings.Fields(pairs)...))}.Send(t.Context(), Notice{Title: "limits: done"})
		if out.String() != want || err != nil {
			t.Errorf("%s: %q, %v", pairs, out.String(), err)
		}
	}
}

// program writes a program into a folder that is all of PATH, and gives its environment.
func program(t *testing.T, name, text string) (dir string, environ []string) {
	t.Helper()
	dir = t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/sh\n"+text), 0o755); err != nil {
		t.Fatal(err)
	}
	return dir, []string{"PATH=" + dir + ":/usr/bin:/bin"}
}

func TestACommandGetsTheNotice(t *testing.T) {
	dir, environ := program(t, "tell", `cat > got; printf %s "$AUTOPILOT_EVENT $AUTOPILOT_URL" >> got`)
	c := Command{Argv: []string{"./tell"}, Dir: dir, Env: environ}
	if err := c.Send(t.Context(), Notice{ID: "a/1", Event: Done, URL: "https://box"}); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(filepath.Join(dir, "got"))
	if text := string(got); err != nil || !strings.HasPrefix(text, `{"id":"a/1","event":"done",`) || !strings.HasSuffix(text, "}\ndone https://box") {
		t.Errorf("%v: it got %s", err, got)
	}
}

func TestACommandThatFailsSaysWhy(t *testing.T) {
	dir, environ := program(t, "tell", "echo no such room; exit 3")
	err := Command{Argv: []string{"./tell"}, Dir: dir, Env: environ}.Send(t.Context(), Notice{})
	if err == nil || err.Error() != "exit code 3: no such room" {
		t.Errorf("%v", err)
	}
	dir, environ = program(t, "tell", "sleep 60")
	ctx, end := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer end()
	if err := (Command{Argv: []string{"./tell"}, Dir: dir, Env: environ}).Send(ctx, Notice{}); err == nil || err.Error() != "it didn't end in time" {
		t.Errorf("%v", err)
	}
	if err := (Command{Argv: []string{"./none"}, Dir: dir}).Send(t.Context(), Notice{}); err == nil {
		t.Error("a command that is not there ran")
	}
}

func TestTheDesktopShowsTitleAndText(t *testing.T) {
	dir, environ := program(t, "notify-send", `printf '%s|' "$@" > "$(dirname "$0")/got"`)
	d, why := NewDesktop("linux", environ, env("DISPLAY=:0"))
	if why != "" {
		t.Fatal(why)
	}
	if err := d.Send(t.Context(), Notice{Title: "-limits: done", Text: "a < b"}); err != nil {
		t.Fatal(err)
	}
	if got, _ := os.ReadFile(filepath.Join(dir, "got")); string(got) != "--app-name=autopilot|--|-limits: done|a &lt; b|" {
		t.Errorf("shown: %s", got)
	}
	dir, environ = program(t, "osascript", `printf '%s|' "$@" > "$(dirname "$0")/got"`)
	if d, why = NewDesktop("darwin", environ, env()); why != "" {
		t.Fatal(why)
	}
	if err := d.Send(t.Context(), Notice{Title: "limits: done", Text: `a "b"`}); err != nil {
		t.Fatal(err)
	}
	if got, _ := os.ReadFile(filepath.Join(dir, "got")); !strings.HasSuffix(string(got), `|end run|--|limits: done|a "b"|`) {
		t.Errorf("shown: %s", got)
	}
}

func TestWithoutADesktopNothingIsShown(t *testing.T) {
	_, environ := program(t, "notify-send", "")
	for pairs, want := range map[string]string{
		"DISPLAY=:0 SSH_TTY=/dev/pts/1": "over SSH there is no desktop here", "LANG=C": "there is no desktop here", "WAYLAND_DISPLAY=w": "",
	} {
		if _, why := NewDesktop("linux", environ, env(strings.Fields(pairs)...)); why != want {
			t.Errorf("%s: %q", pairs, why)
		}
	}
	if _, why := NewDesktop("linux", []string{"PATH=" + t.TempDir()}, env("DISPLAY=:0")); why != "notify-send is not installed" {
		t.Errorf("without the program: %q", why)
	}
}
