package sessions

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

func TestFolderOfAnotherNameBecomesTheSessions(t *testing.T) {
	other := olderSession(t, small)
	write(t, "- a lesson", other, "learnings.md")
	dir := filepath.Join(filepath.Dir(other), "docs--csv")
	if err := Adopt(other, dir, options()); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Lstat(other); !errors.Is(err, os.ErrNotExist) || read(t, dir, "learnings.md") == "" {
		t.Errorf("the old folder: %v", err)
	}
	if s := openReal(t, dir).State(); s.SessionSlug != "docs--csv" {
		t.Errorf("slug %q", s.SessionSlug)
	}
}

func TestAFileIsCopiedAndReplacesNothing(t *testing.T) {
	dir := sessionDir(t)
	harness := filepath.Dir(filepath.Dir(dir))
	if err := os.MkdirAll(harness, 0o755); err != nil {
		t.Fatal(err)
	}
	write(t, small, harness, SnapshotName)
	if err := Adopt(filepath.Join(harness, SnapshotName), dir, options()); err != nil {
		t.Fatal(err)
	}
	if read(t, dir, SnapshotName) != small || read(t, harness, SnapshotName) != small {
		t.Error("it is not a copy")
	}
	if err := Adopt(filepath.Join(harness, SnapshotName), dir, options()); !errors.Is(err, ErrSessionExists) {
		t.Errorf("over a session: %v", err)
	}
	if err := Adopt(filepath.Join(harness, "gone"), dir, options()); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("what is not there: %v", err)
	}
	other := filepath.Join(filepath.Dir(dir), "empty")
	if err := os.Mkdir(other, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := Adopt(dir, other, options()); err != nil || read(t, other, SnapshotName) != small {
		t.Errorf("into a folder that is there: %v", err)
	}
}
