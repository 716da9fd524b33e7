package command

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"

	"autopilot/autopilot/plainfile"
)

const (
	outputName = "output.log"
	// maxOutput is how much of the output stays at the beginning of output.log, in bytes, and about how much of its end.
	// Who prints more prints one thing again and again, and the disk is the user's.
	maxOutput = 32 << 20
)

// outputLog is the record of what a program prints: the beginning, and where that is not all, the end. Until the program
// has ended the end is kept in two files beside it, the newer and the older half; what a killed process left there is
// put in its place by the next one.
type outputLog struct {
	path  string
	limit int64 // of the beginning; half of it is that of each of the two files

	mu   sync.Mutex
	head *os.File
	size int64 // of the beginning
	tail *os.File
	last int64 // the size of tail
	lost int64 // what neither of the two files holds any more
}

func openOutputLog(dir string, limit int64) (*outputLog, error) {
	l := &outputLog{path: filepath.Join(dir, outputName), limit: limit}
	var err error
	if l.head, err = plainfile.OpenFile(l.path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, plainfile.PrivateFile); err != nil {
		return nil, err
	}
	info, err := l.head.Stat()
	if err == nil {
		l.size = info.Size()
		err = l.join("of what an earlier process kept of the end, more may be missing")
	}
	if err != nil {
		return nil, errors.Join(err, l.head.Close())
	}
	return l, nil
}

// newer and older are the halves of the end.
func (l *outputLog) newer() string { return l.path + ".end" }
func (l *outputLog) older() string { return l.path + ".before-end" }

// Write keeps the output, all of it as far as the caller can tell.
func (l *outputLog) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	n := len(p)
	if room := l.limit - l.size; l.tail == nil && room > 0 {
		now := p[:min(int64(n), room)]
		if _, err := l.head.Write(now); err != nil {
			return 0, err
		}
		l.size += int64(len(now))
		p = p[len(now):]
	}
	for len(p) > 0 {
		if err := l.turn(); err != nil {
			return 0, err
		}
		now := p[:min(int64(len(p)), l.limit/2-l.last)]
		if _, err := l.tail.Write(now); err != nil {
			return 0, err
		}
		l.last += int64(len(now))
		p = p[len(now):]
	}
	return n, nil
}

// turn makes room in the newer half: a full one becomes the older.
func (l *outputLog) turn() error {
	if l.tail != nil && l.last < l.limit/2 {
		return nil
	}
	if l.tail == nil {
		where := fmt.Sprintf("\n== the beginning ends here; until the program has ended, its last output is in %s\n", filepath.Base(l.newer()))
		if _, err := io.WriteString(l.head, where); err != nil {
			return err
		}
	} else {
		if err := l.tail.Close(); err != nil {
			return err
		}
		if info, err := os.Stat(l.older()); err == nil {
			l.lost += info.Size()
		}
		if err := os.Rename(l.newer(), l.older()); err != nil {
			return err
		}
	}
	var err error
	l.tail, err = plainfile.OpenFile(l.newer(), os.O_CREATE|os.O_TRUNC|os.O_WRONLY, plainfile.PrivateFile)
	l.last = 0
	return err
}

// Close puts the end behind the beginning.
func (l *outputLog) Close() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	var err error
	if l.tail != nil {
		err = l.tail.Close()
	}
	missing := "nothing is left out here"
	if l.lost > 0 {
		missing = fmt.Sprintf("%d bytes are left out here", l.lost)
	}
	return errors.Join(err, l.join(missing), l.head.Close())
}

// join moves what the two halves of the end hold to where it belongs, behind a word on what is missing.
func (l *outputLog) join(missing string) error {
	said := false
	for _, half := range []string{l.older(), l.newer()} {
		f, err := os.Open(half)
		if errors.Is(err, os.ErrNotExist) {
			continue
		}
		if err != nil {
			return err
		}
		if !said {
			_, err = fmt.Fprintf(l.head, "\n== %s; the end follows\n", missing)
			said = true
		}
		if err == nil {
			_, err = io.Copy(l.head, f)
		}
		if err := errors.Join(err, f.Close()); err != nil {
			return err
		}
		if err := os.Remove(half); err != nil {
			return err
		}
	}
	return nil
}
