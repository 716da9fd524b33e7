package evidence

import (
	"fmt"
	"io"

	"autopilot/autopilot/tail"
)

const (
	// maxBeginning and maxEnd are how much is kept of what one command prints, of its beginning and of its end, in bytes. Who
	// prints more prints one thing again and again; the end is in memory for as long as the command runs.
	maxBeginning = 8 << 20
	maxEnd       = 1 << 20
)

// Limited is a writer that passes the beginning on at once, and the end when it is closed.
type Limited struct {
	to   io.Writer
	room int // for more of the beginning
	end  tail.Writer
}

// NewLimited makes one that passes its output on to a writer.
func NewLimited(to io.Writer) *Limited {
	return &Limited{to: to, room: maxBeginning, end: tail.Writer{Limit: maxEnd}}
}

// Write fails where the other writer does.
func (w *Limited) Write(p []byte) (int, error) {
	now := p[:min(len(p), w.room)]
	if len(now) > 0 {
		if n, err := w.to.Write(now); err != nil {
			return n, err
		}
		w.room -= len(now)
	}
	_, _ = w.end.Write(p[len(now):]) // it never fails
	return len(p), nil
}

// Close writes the end, behind a word on what is missing.
func (w *Limited) Close() error {
	if lost := w.end.Dropped(); lost > 0 {
		if _, err := fmt.Fprintf(w.to, "\n== %d bytes are left out here; the end follows\n", lost); err != nil {
			return err
		}
	}
	_, err := w.to.Write(w.end.Bytes())
	w.end = tail.Writer{}
	return err
}
