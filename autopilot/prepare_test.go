package autopilot

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"autopilot/autopilot/halt"
)

// TestAFolderForAgentsSaysWhatKeepsItFromBeingMade: only what stands in its way is told as such; a full disk, or a right
// that is missing, is what it is.
func TestAFolderForAgentsSaysWhatKeepsItFromBeingMade(t *testing.T) {
	repo := t.TempDir()
	if err := os.WriteFile(filepath.Join(repo, "file"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	var refused *halt.UsageError
	if err := makeFolder(repo, filepath.Join("file", "out")); !errors.As(err, &refused) {
		t.Errorf("a file in its way: %v", err)
	}
	err := makeFolder(repo, filepath.Join("out", strings.Repeat("n", 300)))
	var system *fs.PathError
	if errors.As(err, &refused) || !errors.As(err, &system) || strings.Contains(err.Error(), "in its way") {
		t.Errorf("an error of the system: %v", err)
	}
	if err := makeFolder(repo, filepath.Join("out", "one")); err != nil {
		t.Error(err)
	}
}
