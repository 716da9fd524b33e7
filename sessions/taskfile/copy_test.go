package taskfile_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"autopilot/sessions/taskfile"
)

func TestAListThatIsGoneOrOlderIsWrittenAnewFromItsCopy(t *testing.T) {
	const first = `{"version": 2, "mine": 1, "session_count": 4, "tasks": [{"id": "a", "attempts": 1}]}`
	for what, c := range map[string]struct {
		spoil func(path string) error
		back  bool
	}{
		"untouched":  {func(string) error { return nil }, false},
		"edited":     {func(path string) error { return os.WriteFile(path, []byte(`{"session_count": 5, "tasks": []}`), 0o600) }, false},
		"gone":       {os.Remove, true},
		"older":      {func(path string) error { return os.WriteFile(path, []byte(first), 0o600) }, true},
		"unreadable": {func(path string) error { return os.WriteFile(path, []byte("{no"), 0o600) }, true},
	} {
		root, kept := t.TempDir(), filepath.Join(t.TempDir(), "autopilot", "list.json")
		store := &taskfile.Store{Root: root, Now: time.Now}
		if err := os.WriteFile(store.Path(), []byte(first), 0o600); err != nil {
			t.Fatal(err)
		}
		if back, err := store.BringBack(t.Context()); err != nil || back {
			t.Fatalf("without a copy: %v, %v", back, err)
		}
		list, err := store.Keep(t.Context(), kept)
		if err != nil || list.SessionCount != 4 {
			t.Fatalf("%d, %v", list.SessionCount, err)
		}
		if err := store.Update(t.Context(), func(l *taskfile.TaskList) error {
			l.SessionCount, l.Tasks[0].Attempts = 5, 2
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		if err := c.spoil(store.Path()); err != nil {
			t.Fatal(err)
		}
		back, err := store.BringBack(t.Context())
		if err != nil || back != c.back {
			t.Errorf("%s: %v, %v", what, back, err)
		}
		data, err := os.ReadFile(store.Path())
		if whole := strings.Contains(string(data), `"attempts": 2`) && strings.Contains(string(data), `"mine": 1`); err != nil || whole == (what == "edited") {
			t.Errorf("%s: %s, %v", what, data, err)
		}
	}
}
