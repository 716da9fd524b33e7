package cmd

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"autopilot/cmd/console"
)

func TestACommandThatTellsFailsWhereItsOutputIsLost(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "spec.md"), []byte("# T\n\n## Implementation Order\n\n### Phase 1: A\n### Phase 2: B\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for args, want := range map[string]int{"lint spec.md": 1, "version": 1, "lint none.md": 2, "--help": 0} {
		var said strings.Builder
		full := failingWriter{&fs.PathError{Op: "write", Path: "/dev/stdout", Err: syscall.ENOSPC}}
		code := Main(strings.Fields(args), console.Host{In: strings.NewReader(""), Out: full, Err: &said, Dir: dir, Now: time.Now})
		if code != want || want == 1 && !strings.Contains(said.String(), "Free some disk space, then run the same command again") {
			t.Errorf("%s: exit code %d, want %d: %s", args, code, want, said.String())
		}
	}
	var said strings.Builder
	gone := failingWriter{&fs.PathError{Op: "write", Path: "/dev/stdout", Err: syscall.EPIPE}}
	if code := Main([]string{"version"}, console.Host{In: strings.NewReader(""), Out: gone, Err: &said, Dir: dir, Now: time.Now}); code != 0 || said.Len() > 0 {
		t.Errorf("a reader that has gone: exit code %d: %s", code, said.String())
	}
}

type failingWriter struct{ err error }

func (w failingWriter) Write([]byte) (int, error) { return 0, w.err }
