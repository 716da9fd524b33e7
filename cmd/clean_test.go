package cmd

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestTextIsTheSameInWhateverPiecesItIsWritten: buffers are emptied in the middle of a character, too.
func TestTextIsTheSameInWhateverPiecesItIsWritten(t *testing.T) {
	for text, want := range map[string]string{
		"Grüße ✓ 日本語 😀\n":       "Grüße ✓ 日本語 😀\n",
		"a\x1b[2J\u202e\u009bb": `a\u001b[2J\u202e\u009bb`,
		"half \xe6\x97 of one":  `half \ufffd\ufffd of one`,
		"\x80\xff.":             `\ufffd\ufffd.`,
	} {
		for size := range len(text) {
			var got bytes.Buffer
			out := guard(&got)
			for rest := text; rest != ""; {
				piece := rest[:min(size+1, len(rest))]
				rest = rest[len(piece):]
				if n, err := out.Write([]byte(piece)); n != len(piece) || err != nil {
					t.Fatalf("%d of %d were written, %v", n, len(piece), err)
				}
			}
			if got.String() != want {
				t.Errorf("%q, %d at a time: %q, want %q", text, size+1, got.String(), want)
			}
		}
	}
	var got strings.Builder
	if _, err := guard(&got).Write([]byte("日本"[:4])); err != nil || got.String() != "日" {
		t.Errorf("%q was written before its rest came, %v", got.String(), err)
	}
}

func TestACommandThatTellsFailsWhereItsOutputIsLost(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "spec.md"), []byte("# T\n\n## Implementation Order\n\n### Phase 1: A\n### Phase 2: B\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for args, want := range map[string]int{"lint spec.md": 1, "version": 1, "lint none.md": 2, "--help": 0} {
		var said strings.Builder
		full := failingWriter{&fs.PathError{Op: "write", Path: "/dev/stdout", Err: syscall.ENOSPC}}
		code := Main(strings.Fields(args), Host{In: strings.NewReader(""), Out: full, Err: &said, Dir: dir, Now: time.Now})
		if code != want || want == 1 && !strings.Contains(said.String(), "Make room on the disk, then run the same command again") {
			t.Errorf("%s: exit code %d, want %d: %s", args, code, want, said.String())
		}
	}
}

type failingWriter struct{ err error }

func (w failingWriter) Write([]byte) (int, error) { return 0, w.err }
