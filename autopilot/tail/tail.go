// Package tail keeps the end of what is written, or both ends, however much that is.
package tail

// Writer keeps the last Limit bytes of what it gets. Its methods must not be called at the same time.
type Writer struct {
	Limit int // bytes

	kept    []byte
	dropped int64
}

// Write never fails.
func (w *Writer) Write(p []byte) (int, error) {
	n := len(p)
	if over := n - w.Limit; over > 0 { // nothing else of it can stay
		w.dropped += int64(len(w.kept) + over)
		w.kept, p = w.kept[:0], p[over:]
	}
	w.kept = append(w.kept, p...)
	if len(w.kept) > 2*w.Limit { // cutting only now and then keeps the copying in proportion
		w.trim()
	}
	return n, nil
}

func (w *Writer) trim() {
	if over := len(w.kept) - w.Limit; over > 0 {
		w.kept, w.dropped = append(w.kept[:0], w.kept[over:]...), w.dropped+int64(over)
	}
}

// Bytes are what was kept; they are those of the Writer.
func (w *Writer) Bytes() []byte {
	w.trim()
	return w.kept
}

// String is what was kept.
func (w *Writer) String() string { return string(w.Bytes()) }

// Dropped is how many bytes came before what was kept.
func (w *Writer) Dropped() int64 {
	w.trim()
	return w.dropped
}
