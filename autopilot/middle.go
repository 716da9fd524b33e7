package autopilot

import (
	"fmt"
	"io"
)

const (
	// maxBeginning and maxEnd are how much is kept of what one command prints, of its beginning and of its end, in bytes. Who
	// prints more prints one thing again and again; the end is in memory for as long as the command runs.
	maxBeginning = 8 << 20
	maxEnd       = 1 << 20
)

// withoutMiddle is a writer that passes the beginning on at once, and the end when it is closed.
type withoutMiddle struct {
	to   io.Writer
	room int // for more of the beginning
	last int // how much is kept of the end
	end  []byte
	lost int64 // between the two
}

func newWithoutMiddle(to io.Writer) *withoutMiddle {
	return &withoutMiddle{to: to, room: maxBeginning, last: maxEnd}
}

func (w *withoutMiddle) Write(p []byte) (int, error) {
	now := p[:min(len(p), w.room)]
	if len(now) > 0 {
		if n, err := w.to.Write(now); err != nil {
			return n, err
		}
		w.room -= len(now)
	}
	w.end = append(w.end, p[len(now):]...)
	if len(w.end) > 2*w.last { // cutting only now and then keeps the copying in proportion
		w.cut()
	}
	return len(p), nil
}

func (w *withoutMiddle) cut() {
	over := max(0, len(w.end)-w.last)
	w.end, w.lost = append(w.end[:0], w.end[over:]...), w.lost+int64(over)
}

// close writes the end, behind a word on what is missing.
func (w *withoutMiddle) close() error {
	w.cut()
	if w.lost > 0 {
		if _, err := fmt.Fprintf(w.to, "\n== %d bytes are left out here; the end follows\n", w.lost); err != nil {
			return err
		}
	}
	_, err := w.to.Write(w.end)
	w.end = nil
	return err
}
