package sessions

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"unicode"

	"autopilot/autopilot/lazyregexp"
)

// mark matches the key at the end of a line: an HTML comment in Markdown, {#key} in progress.txt.
var mark = lazyregexp.New(`(?m)(?:<!-- key:(\S+) -->|\{#(\S+)\})\r?$`)

// appendLog is a text file that only grows. A line with a key is written once, also by a later process.
type appendLog struct {
	disk Disk
	path string
	mu   sync.Mutex
	keys map[string]bool // nil until the file was read
	torn string          // the last line where it has no end: a crash cut it off
}

func (s *Session) log(path string) *appendLog {
	s.pen.Lock()
	defer s.pen.Unlock()
	if s.logs[path] == nil {
		s.logs[path] = &appendLog{disk: s.opts.Disk, path: path}
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
	if rest, begun := strings.CutPrefix(line, l.torn); begun {
		line = rest
	} else {
		line = "\n" + line
	}
	if err := appendTo(l.disk, l.path, line); err != nil {
		l.keys = nil // part of it may be there: look again
		return fmt.Errorf("writing %s: %w", filepath.Base(l.path), err)
	}
	l.torn = ""
	l.keys[key] = true
	return nil
}

func (l *appendLog) load() error {
	if err := plain(l.disk, l.path); err != nil {
		return err
	}
	text, err := l.disk.ReadFile(l.path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("reading %s: %w", filepath.Base(l.path), err)
	}
	l.keys = map[string]bool{}
	for _, m := range mark.FindAllSubmatch(text, -1) {
		l.keys[string(m[1])+string(m[2])] = true
	}
	l.torn = string(text[bytes.LastIndexByte(text, '\n')+1:])
	return nil
}

// appendTo writes text at the end of a file in one piece, so that other writers' lines stay whole.
func appendTo(disk Disk, path, text string) error {
	f, err := disk.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o644)
	if err != nil {
		return err
	}
	_, err = f.Write([]byte(text))
	return errors.Join(err, f.Close())
}

// fold makes one line of a text, without the characters that a terminal acts on: people read these files with cat.
func fold(text string) string {
	return strings.Join(strings.FieldsFunc(strings.ToValidUTF8(text, " "), func(r rune) bool {
		return unicode.IsSpace(r) || unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r)
	}), " ")
}
