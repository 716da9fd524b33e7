package sessions

import (
	"bytes"
	"errors"
	"io"
)

// scanBuffer is how much of a journal is in memory at a time.
const scanBuffer = 128 << 10

// lineReader gives the lines of a file one by one, where they lie in its buffer: a journal has many, and most of them
// are only checked.
type lineReader struct {
	file   io.ReaderAt
	at     int64  // where the next part of the file begins
	data   []byte // the part that is in memory
	unread []byte // what of it was not given yet
	ended  bool   // nothing of the file is behind it
}

// newLineReader reads from an offset on, with room for so many bytes at first.
func newLineReader(file io.ReaderAt, at int64, room int) *lineReader {
	return &lineReader{file: file, at: at, data: make([]byte, room)}
}

// next gives a line with its newline; without one at the end of the file, and nothing behind it. The line is there until
// the next call.
func (r *lineReader) next() ([]byte, error) {
	for {
		if end := bytes.IndexByte(r.unread, '\n') + 1; end > 0 {
			line := r.unread[:end:end]
			r.unread = r.unread[end:]
			return line, nil
		}
		if r.ended {
			line := r.unread
			r.unread = nil
			return line, nil
		}
		if err := r.fill(); err != nil {
			return nil, err
		}
	}
}

// fill reads on behind what was not given yet, in a larger buffer where that fills the present one.
func (r *lineReader) fill() error {
	kept := len(r.unread)
	if kept == len(r.data) {
		r.data = make([]byte, 2*len(r.data))
	}
	copy(r.data, r.unread)
	n, err := r.file.ReadAt(r.data[kept:], r.at)
	r.at, r.unread = r.at+int64(n), r.data[:kept+n]
	if errors.Is(err, io.EOF) {
		r.ended, err = true, nil
	}
	return err
}

// atEnd says whether nothing is behind the line that was given last.
func (r *lineReader) atEnd() bool {
	return len(r.unread) == 0 && (r.ended || r.fill() == nil && len(r.unread) == 0)
}
