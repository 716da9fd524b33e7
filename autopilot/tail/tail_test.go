package tail

import (
	"strings"
	"testing"
)

func TestTheEndIsKept(t *testing.T) {
	text := strings.Repeat("0123456789", 10)
	for _, n := range []int{0, 1, 9, 10, 11, 20, 21, 99, 100} {
		for _, piece := range []int{1, 3, 10, 11, 100} {
			w := &Writer{Limit: 10}
			for rest := text[:n]; rest != ""; rest = rest[min(piece, len(rest)):] {
				if took, err := w.Write([]byte(rest[:min(piece, len(rest))])); took != min(piece, len(rest)) || err != nil {
					t.Fatal(took, err)
				}
				if cap(w.kept) > 64 {
					t.Fatalf("%d bytes are held", cap(w.kept))
				}
			}
			over := max(0, n-10)
			if w.String() != text[over:n] || w.Dropped() != int64(over) {
				t.Errorf("of %d bytes in pieces of %d: %q, and %d before", n, piece, w, w.Dropped())
			}
		}
	}
}
