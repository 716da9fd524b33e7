package cmd_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"autopilot/cmd/console"
)

// What lies in the place of a folder is told with its path and what to do, whichever command finds it, and ends with 2.
func TestWhatLiesInThePlaceOfAFolderIsToldWithWhatToDo(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows has no such links, and other words")
	}
	t.Parallel()
	p := newEmptyPlace(t)
	p.put(t, filepath.Join(p.repo, "docs", "spec.md"), []byte(goodSpec))
	p.put(t, p.replay, []byte("version: 1\ndispatches: []\n"))
	p.begin(t)
	p.stopBeforeThePlan(t)
	const run = "docs/spec.md --no-branch --non-interactive --replay ../replay.yaml"
	for _, c := range []struct {
		path string
		put  func(path string) error
		line string
	}{
		{".harness", aFile, "list"},
		{".harness", aFile, run},
		{".harness", aFile, "learnings prune"},
		{".harness/sessions", aLoop, run},
		{".harness/sessions", aLoop, "list"},
		{".harness/sessions", aLoop, "status docs/spec.md"},
		{".harness/sessions/spec/inbox", aFile, run},
		{".harness/sessions/spec/inbox", aPipe, run},
		{".harness/sessions/spec/inbox", aDevice, run},
		{".harness/sessions/spec/inbox", aFile, "answer docs/spec.md yes"},
		{".harness/worktrees", aFile, run + " --restart --worktree"},
		{".harness/archive", aFile, run + " --restart"},
		{".harness/personas", aFile, run},
		{".harness/personas", aLoop, run},
		{".git/info", aFile, run + " --restart"},
	} {
		path := filepath.Join(p.repo, filepath.FromSlash(c.path))
		aside := filepath.Join(p.dir, "aside")
		moved := os.Rename(path, aside)
		if err := c.put(path); err != nil {
			t.Fatal(err)
		}
		got := p.command(console.Host{In: strings.NewReader("")}, strings.Fields(c.line)...)
		if got.code != 2 || !strings.Contains(got.text, c.path) || !strings.Contains(got.text, "again") {
			t.Errorf("%s, autopilot %s: exit code %d:\n%s", c.path, c.line, got.code, got.text)
		}
		if err := os.Remove(path); err != nil {
			t.Errorf("%s is no longer what it was: %v", c.path, err)
		}
		if moved == nil {
			if err := os.Rename(aside, path); err != nil {
				t.Fatal(err)
			}
		}
	}
}

func aFile(path string) error {
	return errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte("a file\n"), 0o600))
}
func aLoop(path string) error   { return os.Symlink(filepath.Base(path), path) }
func aDevice(path string) error { return os.Symlink(os.DevNull, path) }
func aPipe(path string) error   { return exec.Command("mkfifo", path).Run() }
