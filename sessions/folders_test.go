package sessions

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"autopilot/autopilot/plainfile"
)

// TestAnAttemptIsNotWrittenThroughALink: an agent can tell the names of the attempts that come.
func TestAnAttemptIsNotWrittenThroughALink(t *testing.T) {
	for _, link := range []string{"attempts", "attempts/1", "attempts/1/task-001", "attempts/1/task-001/2", "attempts/1/task-001/2/prompt.md"} {
		dir := sessionDir(t)
		s := create(t, dir)
		at := filepath.Join(dir, filepath.FromSlash(link))
		if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(t.TempDir(), at); err != nil {
			t.Skip("links cannot be made here:", err)
		}
		var refused *plainfile.LinkError
		if _, err := s.Folders().AttemptDir(1, "task-001", 2); !errors.As(err, &refused) || refused.Path != at {
			t.Errorf("%s: error %v", link, err)
		}
		closed(t, s)
	}
}
