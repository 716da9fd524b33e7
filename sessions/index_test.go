package sessions

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"autopilot/autopilot/plainfile"
)

func TestIndexHasALineForEachSessionAndKeepsTheRest(t *testing.T) {
	dir := sessionDir(t)
	s := create(t, dir)
	harness := filepath.Dir(filepath.Dir(dir))
	file := filepath.Join(harness, "sessions", indexName)
	update := func() string {
		t.Helper()
		if err := WriteIndex(harness, options()); err != nil {
			t.Fatal(err)
		}
		return read(t, file)
	}
	begun := update()
	if want := "| [csv](csv/summary.md) | docs/csv.md | , phase 1, 1 of 2 | 2025-03-04 12:00 |\n"; !strings.Contains(begun, want) || !strings.HasPrefix(begun, "# Sessions\n") {
		t.Errorf("the index is\n%s", begun)
	}
	write(t, "Mine, above.\n\n"+begun[strings.Index(begun, indexBegin):]+"Mine, below.\n", file)
	apply(t, s, task("task-001"))
	broken := filepath.Join(harness, "sessions", "broken")
	if err := os.MkdirAll(broken, 0o755); err != nil {
		t.Fatal(err)
	}
	write(t, "no journal\n{}\n", broken, JournalName)
	got := update()
	if !strings.HasPrefix(got, "Mine, above.\n\n"+indexBegin) || !strings.HasSuffix(got, indexEnd+"\nMine, below.\n") {
		t.Errorf("what a person wrote is gone:\n%s", got)
	}
	if !strings.Contains(got, "| [broken](broken/summary.md) |  | cannot be read | - |\n") || strings.Count(got, "\n| [") != 2 {
		t.Errorf("the lines are wrong:\n%s", got)
	}
	if again := update(); again != got {
		t.Errorf("with nothing new the index changed:\n%s", again)
	}
	write(t, "No marks here", file)
	if got := update(); !strings.HasPrefix(got, "No marks here\n\n"+indexBegin+"\n") {
		t.Errorf("a file without marks became\n%s", got)
	}
}

func TestLinkInsteadOfAnIndexIsRefused(t *testing.T) {
	dir := sessionDir(t)
	closed(t, create(t, dir))
	harness := filepath.Dir(filepath.Dir(dir))
	if err := os.Symlink("elsewhere.md", filepath.Join(harness, "sessions", indexName)); err != nil {
		t.Skip(err)
	}
	var link *plainfile.LinkError
	if err := WriteIndex(harness, options()); !errors.As(err, &link) {
		t.Errorf("the error is %v", err)
	}
	if all, err := List(harness, options()); err != nil || len(all) != 1 {
		t.Errorf("it is listed as a session: %v, %v", all, err)
	}
}
