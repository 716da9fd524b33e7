package console

import (
	"bytes"
	"strings"
	"testing"
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
			out := Guard(&got)
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
	if _, err := Guard(&got).Write([]byte("日本"[:4])); err != nil || got.String() != "日" {
		t.Errorf("%q was written before its rest came, %v", got.String(), err)
	}
}
