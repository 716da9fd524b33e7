package tail

import (
	"strings"
	"testing"
)

func TestBothEndsAreKept(t *testing.T) {
	text := strings.Repeat("0123456789", 100)
	for n, want := range map[int]string{
		0: "", 5: text[:5], 30: text[:30], 31: text[:20] + "(1)" + text[21:31], 1000: text[:20] + "(970)" + text[990:],
	} {
		for _, piece := range []int{1, 7, 1000} {
			e := NewEnds(20, 10)
			for rest := text[:n]; rest != ""; rest = rest[min(piece, len(rest)):] {
				if took, err := e.Write([]byte(rest[:min(piece, len(rest))])); took != min(piece, len(rest)) || err != nil {
					t.Fatal(took, err)
				}
			}
			if got := e.Text("(%d)"); got != want || e.Dropped() != int64(max(0, n-30)) {
				t.Errorf("%d bytes in pieces of %d: %q, and %d between, want %q", n, piece, got, e.Dropped(), want)
			}
		}
	}
}

func TestEndsAreShortenedFurther(t *testing.T) {
	for text, want := range map[string]string{
		"abc": "abc", "abcdef": "abcdef", "abcdefgh": "abc(2)fgh", "0123456789abcdefghij....0123456789": "012(28)789", "\xff": "\uFFFD",
	} {
		e := NewEnds(20, 10)
		_, _ = e.Write([]byte(text))
		if got := e.Within(3, 3).Text("(%d)"); got != want {
			t.Errorf("of %q: %q, want %q", text, got, want)
		}
	}
}
