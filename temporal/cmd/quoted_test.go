package cmd

import (
	"strings"
	"testing"
)

// TestCommandsInMessagesAreForAShell: a spec may have a space in its name.
func TestCommandsInMessagesAreForAShell(t *testing.T) {
	const spaced = "docs/my spec.md"
	m := newMine(t)
	m.write(spaced, specText)
	said, code := m.types("submit", spaced)
	_, line, is := strings.Cut(said, "  git ")
	if code != 2 || !is {
		t.Fatalf("it ends with %d, and names no command:\n%s", code, said)
	}
	m.git(line)
	said, code = m.types("submit", spaced)
	_, line, _ = strings.Cut(said, "get it here: autopilot-temporal ")
	if args := m.sh(`printf '%s|' ` + line); code != 0 || args != "fetch|"+spaced+"|" {
		t.Errorf("it ends with %d, and a shell takes its command as %s", code, args)
	}
}
