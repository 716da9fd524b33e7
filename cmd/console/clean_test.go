package console

import (
	"bytes"
	"errors"
	"io"
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

func TestNoLineIsACommandToARunner(t *testing.T) {
	for text, want := range map[string]string{
		"::error::x\n \u00a0::set-env name=a::b\na::b\n": "\\u003a:error::x\n \u00a0\\u003a:set-env name=a::b\na::b\n",
		"a ##[group]x #[b ###[c\n":                       "a ##\\u005bgroup]x #[b ###\\u005bc\n",
		"a\r::warning::b":                                `a\u000d::warning::b`,
	} {
		for _, size := range []int{1, 2, 3, len(text)} {
			var got bytes.Buffer
			out := GuardActions(&got)
			for rest := []byte(text); len(rest) > 0; rest = rest[min(size, len(rest)):] {
				if _, err := out.Write(rest[:min(size, len(rest))]); err != nil {
					t.Fatal(err)
				}
			}
			if got.String() != want {
				t.Errorf("%q, %d at a time: %q, want %q", text, size, got.String(), want)
			}
		}
	}
}

func TestAWriteThatNobodyTakesHoldsNoEndUp(t *testing.T) {
	read, write := io.Pipe()
	out := Guard(write)
	go func() { _, _ = io.WriteString(out, "x") }()
	if _, err := read.Read(nil); err != nil { // the write has begun
		t.Fatal(err)
	}
	stopped := errors.New("stopped")
	if err := Lost(out, stopped); !errors.Is(err, stopped) {
		t.Errorf("it ended with %v", err)
	}
	_ = read.Close()
}
