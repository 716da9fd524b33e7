package view_test

import (
	"archive/tar"
	"compress/gzip"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"autopilot/autopilot/machine"
	"autopilot/sessions"
	"autopilot/sessions/view"
)

// unpacked is the session's folder of an archive of an older program; "" where it has none.
func unpacked(t *testing.T, archive string) string {
	t.Helper()
	file, err := os.Open(archive)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	unzipped, err := gzip.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	dir, session := t.TempDir(), ""
	for all := tar.NewReader(unzipped); ; {
		head, err := all.Next()
		if errors.Is(err, io.EOF) {
			return session
		}
		if err != nil {
			t.Fatal(err)
		}
		name := filepath.Base(head.Name)
		if !strings.Contains(head.Name, ".harness/sessions/") || name != sessions.JournalName && name != sessions.SnapshotName {
			continue
		}
		session = filepath.Join(dir, filepath.Base(filepath.Dir(head.Name)))
		if err := os.MkdirAll(session, 0o755); err != nil {
			t.Fatal(err)
		}
		data, err := io.ReadAll(all)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(session, name), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// followed is a session that was read from its journal to the end.
type followed struct {
	state machine.State
	past  view.Transcript
	lines []view.Line
}

func follow(t *testing.T, dir string) *followed {
	t.Helper()
	f := &followed{}
	if _, err := sessions.Replay(dir, sessions.Options{}, func(before machine.State, e machine.Event, after machine.State) {
		f.lines = append(f.lines, f.past.Take(before, e, after)...)
		f.state = after
		whole(t, view.Of(view.Facts{State: after, Past: &f.past, At: e.Time}))
	}); err != nil {
		t.Fatal(err)
	}
	return f
}

// whole fails where a view lacks what each needs.
func whole(t *testing.T, v view.Session) {
	t.Helper()
	if v.Headline == "" || v.Next == "" || v.Standing == "" || strings.Contains(v.Headline+v.Next+v.Resume, "%!") {
		t.Errorf("the view has %q, %q, %q, %q", v.Standing, v.Headline, v.Next, v.Resume)
	}
}

func TestJournalsOfOlderProgramsHaveAView(t *testing.T) {
	archives, err := filepath.Glob("../../cmd/testdata/older/*.tar.gz")
	if err != nil || len(archives) < 20 {
		t.Fatalf("%d archives: %v", len(archives), err)
	}
	for _, archive := range archives {
		t.Run(filepath.Base(archive), func(t *testing.T) {
			dir := unpacked(t, archive)
			if dir == "" {
				t.Skip("a task list has no session")
			}
			f := follow(t, dir)
			if len(f.lines) == 0 {
				t.Error("it has no transcript")
			}
		})
	}
}
