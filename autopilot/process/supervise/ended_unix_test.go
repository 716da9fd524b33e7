//go:build unix

package supervise

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

func TestTheEndOfAKilledRunIsNotKnownInACopy(t *testing.T) {
	dir := t.TempDir()
	ended := filepath.Join(dir, "lock.ended")
	if MarkEnded(ended); EndedAt(ended).IsZero() {
		t.Error("where it was noted it is not known")
	}
	moved := filepath.Join(dir, "moved")
	if err := os.Rename(ended, moved); err != nil || EndedAt(moved).IsZero() {
		t.Errorf("in a folder that was renamed it is not known: %v", err)
	}
	for _, args := range [][]string{{"-p"}, nil} {
		copied := filepath.Join(dir, "copied")
		if out, err := exec.CommandContext(t.Context(), "cp", append(args, moved, copied)...).CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		if at := EndedAt(copied); !at.IsZero() {
			t.Errorf("cp %q: known in a copy: %s", args, at)
		}
		if err := os.Remove(copied); err != nil {
			t.Fatal(err)
		}
	}
	empty := filepath.Join(dir, "empty")
	if err := os.WriteFile(empty, nil, 0o600); err != nil || !EndedAt(empty).IsZero() || !EndedAt(filepath.Join(dir, "none")).IsZero() {
		t.Errorf("known where nothing is noted: %v", err)
	}
}
