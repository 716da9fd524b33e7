package taskfile

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"

	"autopilot/sessions/storage"
)

var noon = time.Date(2025, 3, 4, 12, 0, 0, 0, time.UTC)

// storeIn is the store of a folder, with a clock that stands still and no environment.
func storeIn(tb testing.TB, root string) *Store {
	tb.Helper()
	return &Store{Root: root, Now: func() time.Time { return noon }}
}

// storeWith is a store whose file says this.
func storeWith(tb testing.TB, text string) *Store {
	tb.Helper()
	s := storeIn(tb, tb.TempDir())
	write(tb, s, FileName, text)
	return s
}

func write(tb testing.TB, s *Store, name, text string) {
	tb.Helper()
	if err := os.WriteFile(filepath.Join(s.Root, name), []byte(text), 0o644); err != nil {
		tb.Fatal(err)
	}
}

func text(tb testing.TB, s *Store, name string) string {
	tb.Helper()
	data, err := os.ReadFile(filepath.Join(s.Root, name))
	if err != nil {
		tb.Fatal(err)
	}
	return string(data)
}

// names lists the root folder.
func names(tb testing.TB, s *Store) []string {
	tb.Helper()
	entries, err := os.ReadDir(s.Root)
	if err != nil {
		tb.Fatal(err)
	}
	var all []string
	for _, e := range entries {
		all = append(all, e.Name())
	}
	return all
}

func list(tb testing.TB, s *Store) TaskList {
	tb.Helper()
	l, err := s.Read()
	if err != nil {
		tb.Fatal(err)
	}
	return l
}

func update(tb testing.TB, s *Store, change func(*TaskList)) {
	tb.Helper()
	if err := s.Update(tb.Context(), func(l *TaskList) error { change(l); return nil }); err != nil {
		tb.Fatal(err)
	}
}

var errFull = errors.New("no space left")

// full is a disk on which nothing can be written.
type full struct{ storage.OSDisk }

func (full) OpenFile(name string, flag int, perm fs.FileMode) (storage.File, error) {
	return nil, &fs.PathError{Op: "open", Path: name, Err: errFull}
}
