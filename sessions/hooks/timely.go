package hooks

import (
	"io"
	"time"
)

// timelyReader is a reader that ends after a time limit, whether or not there is more to come. A read of the operating
// system cannot be called off, so that one that waits goes on beside until its input, or the program, ends.
type timelyReader struct {
	*io.PipeReader
	timer  *time.Timer
	broken chan any // what the reader behind panicked with
}

func newTimelyReader(r io.Reader, limit time.Duration) *timelyReader {
	from, to := io.Pipe()
	t := &timelyReader{PipeReader: from, broken: make(chan any, 1)}
	t.timer = time.AfterFunc(limit, func() { _ = to.Close() })
	go t.pass(r, to)
	return t
}

func (t *timelyReader) pass(r io.Reader, to *io.PipeWriter) {
	defer func() {
		if broken := recover(); broken != nil {
			t.broken <- broken
		}
		_ = to.Close() // a reader that fails has ended as well
	}()
	_, _ = io.Copy(to, r)
}

// Read panics as the reader behind does: in the goroutine beside nobody could catch it.
func (t *timelyReader) Read(p []byte) (int, error) {
	n, err := t.PipeReader.Read(p)
	select {
	case broken := <-t.broken:
		panic(broken)
	default:
		return n, err
	}
}

// stop lets go of the reader behind. It never fails.
func (t *timelyReader) stop() {
	t.timer.Stop()
	_ = t.Close()
}
