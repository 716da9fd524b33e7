package sessions

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
)

// mark matches the key at the end of a line: an HTML comment in Markdown, {#key} in progress.txt.
var mark = regexp.MustCompile(`(?m)(?:<!-- key:(\S+) -->|\{#(\S+)\})\r?$`)

// appendLog is a text file that only grows. A line with a key is written once, also by a later process.
type appendLog struct {
	path string
	mu   sync.Mutex
	keys map[string]bool // nil until the file was read
	torn bool            // the last line has no end: a crash cut it off
}

func (s *Session) log(path string) *appendLog {
	s.pen.Lock()
	defer s.pen.Unlock()
	if s.logs[path] == nil {
		s.logs[path] = &appendLog{path: path}
	}
	return s.logs[path]
}

// add appends a line, unless its key is in the file already. The line carries its key; "" is none.
func (l *appendLog) add(line, key string) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.keys == nil {
		if err := l.load(); err != nil {
			return err
		}
	}
	if key != "" && l.keys[key] {
		return nil
	}
	line += "\n"
	if l.torn {
		line = "\n" + line
	}
	if err := appendTo(l.path, line); err != nil {
		l.keys = nil // part of it may be there: look again
		return fmt.Errorf("writing %s: %w", filepath.Base(l.path), err)
	}
	l.torn = false
	l.keys[key] = true
	return nil
}

func (l *appendLog) load() error {
	if err := plain(OSDisk{}, l.path); err != nil {
		return err
	}
	text, err := os.ReadFile(l.path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("reading %s: %w", filepath.Base(l.path), err)
	}
	l.keys = map[string]bool{}
	for _, m := range mark.FindAllSubmatch(text, -1) {
		l.keys[string(m[1])+string(m[2])] = true
	}
	l.torn = len(text) > 0 && !bytes.HasSuffix(text, []byte{'\n'})
	return nil
}

// appendTo writes text at the end of a file in one piece, so that other writers' lines stay whole.
func appendTo(path, text string) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o644)
	if err != nil {
		return err
	}
	_, err = f.WriteString(text)
	return errors.Join(err, f.Close())
}

// fold makes one line of a text.
func fold(text string) string { return strings.Join(strings.Fields(text), " ") }
