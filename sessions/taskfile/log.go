package taskfile

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"autopilot/sessions/storage"
)

// Log appends a line to harness-progress.txt. Its time is the clock's when zero.
func (s *Store) Log(line ProgressLine) error {
	if line.Time.IsZero() {
		line.Time = s.Now()
	}
	text := strings.Join(strings.FieldsFunc(line.String(), func(r rune) bool { return r == '\n' || r == '\r' }), " ")
	if err := s.append(text + "\n"); err != nil {
		return fmt.Errorf("writing %s: %w", ProgressName, err)
	}
	return nil
}

// append writes at the end of the log in one piece, so that the lines of all who write stay whole. A last line that a
// crash cut off is ended first.
func (s *Store) append(text string) error {
	path := filepath.Join(s.Root, ProgressName)
	if err := storage.Plain(s.disk(), path); err != nil {
		return err
	}
	f, err := s.disk().OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o644)
	if err != nil {
		return err
	}
	// Where files cannot be locked, a line that is just being written may be taken for a torn one: an empty line more.
	if file, ok := f.(storage.Descriptor); ok {
		_ = storage.HoldFile(file, true)
	}
	if s.torn(f, path) {
		text = "\n" + text
	}
	_, err = f.Write([]byte(text))
	return errors.Join(err, f.Close())
}

// torn says whether the last line of an open file has no end.
func (s *Store) torn(f storage.File, path string) bool {
	info, err := s.disk().Lstat(path)
	if err != nil || info.Size() == 0 {
		return false
	}
	last := make([]byte, 1)
	_, err = f.ReadAt(last, info.Size()-1)
	return err == nil && last[0] != '\n'
}

// LogTail is how much of the log's end is enough for those who look for what happened lately.
const LogTail = 200_000

// Tail is the end of the log, at most so many bytes of it, beginning with a whole line; "" where there is none.
func (s *Store) Tail(maxBytes int) string {
	path := filepath.Join(s.Root, ProgressName)
	if storage.Plain(storage.OSDisk{}, path) != nil {
		return ""
	}
	f, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return ""
	}
	// One byte more tells whether the first line that is wanted is whole.
	from := max(0, info.Size()-int64(maxBytes)-1)
	data, err := io.ReadAll(io.NewSectionReader(f, from, info.Size()-from))
	if err != nil {
		return ""
	}
	text := strings.ToValidUTF8(string(data), "\uFFFD")
	if from > 0 {
		_, text, _ = strings.Cut(text, "\n")
	}
	return text
}

// LastLines are the last lines of the log, at most n and at most what Tail has of them.
func (s *Store) LastLines(n int) []string {
	text := strings.TrimRight(s.Tail(LogTail), "\r\n")
	if text == "" || n <= 0 {
		return nil
	}
	lines := strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n")
	return lines[max(0, len(lines)-n):]
}
