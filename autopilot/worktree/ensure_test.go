package worktree

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"autopilot/autopilot/git"
	"autopilot/autopilot/validate"
)

// treeOfNothing is an empty repository.
func treeOfNothing(t *testing.T) *git.Repo {
	t.Helper()
	dir := t.TempDir()
	if out, err := exec.Command("git", "init", "-q", dir).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	tree, err := git.Find(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

func put(t *testing.T, text string, parts ...string) {
	t.Helper()
	path := filepath.Join(parts...)
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o644)); err != nil {
		t.Fatal(err)
	}
}

func TestTreeIsMadeReadyAgainAfterAFailure(t *testing.T) {
	from, tree := t.TempDir(), treeOfNothing(t)
	put(t, "old", from, "deps", "lib.txt")
	put(t, "gone later", from, "deps", "old.txt")
	furnish := func(copies ...string) error {
		_, err := EnsureSetup(t.Context(), validate.Runner{Now: time.Now}, Setup{Copy: copies}, from, tree)
		return err
	}
	var wrong *NotReadyError
	if err := furnish("deps", "none", "../outside"); !errors.As(err, &wrong) || IsSetUp(tree) {
		t.Fatalf("a copy that fails: %v", err)
	}
	put(t, "new", from, "deps", "lib.txt")
	if err := os.Remove(filepath.Join(from, "deps", "old.txt")); err != nil {
		t.Fatal(err)
	}
	if err := furnish("deps", "none"); err != nil || !IsSetUp(tree) {
		t.Fatalf("once more: %v", err)
	}
	text, err := os.ReadFile(filepath.Join(tree.Root(), "deps", "lib.txt"))
	_, old := os.Stat(filepath.Join(tree.Root(), "deps", "old.txt"))
	if string(text) != "new" || old == nil {
		t.Errorf("lib.txt holds %q, error %v; old.txt: %v", text, err, old)
	}
	if err := furnish("../outside"); err != nil {
		t.Errorf("a tree that is ready: %v", err)
	}
}

// What was in the tree before is not the copy's to overwrite, the first time as well as the next.
func TestFolderOfTheTreeIsNotReplacedByACopy(t *testing.T) {
	from, tree := t.TempDir(), treeOfNothing(t)
	put(t, "theirs", from, "config", "a.txt")
	put(t, "tracked", tree.Root(), "config", "a.txt")
	for range 2 {
		_, err := EnsureSetup(t.Context(), validate.Runner{Now: time.Now}, Setup{Copy: []string{"config"}}, from, tree)
		text, readErr := os.ReadFile(filepath.Join(tree.Root(), "config", "a.txt"))
		if err == nil || readErr != nil || string(text) != "tracked" {
			t.Errorf("error %v; the file holds %q, error %v", err, text, readErr)
		}
	}
}
