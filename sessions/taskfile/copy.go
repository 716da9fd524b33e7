package taskfile

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"autopilot/autopilot/plainfile"
	"autopilot/sessions/storage"
)

// Keep gives the list, and from now on keeps a copy of the task file under path, which lies where nobody cleans up, such as
// the git folder. Errors: those of Update.
func (s *Store) Keep(ctx context.Context, path string) (TaskList, error) {
	lock, err := s.lock(ctx)
	if err != nil {
		return TaskList{}, err
	}
	defer lock.release()
	f, err := s.read()
	if err != nil {
		return TaskList{}, err
	}
	s.setCopy(path, f.doc.list.SessionCount)
	return f.doc.list, s.keepCopy(f.doc.data)
}

// BringBack writes the task file anew from the copy where it is gone, cannot be read, or is one from before this run (git
// checkout brings such a one back): its count of runs is lower. It says whether it did.
func (s *Store) BringBack(ctx context.Context) (bool, error) {
	path := s.copyPath()
	if path == "" {
		return false, nil
	}
	lock, err := s.lock(ctx)
	if err != nil {
		return false, err
	}
	defer lock.release()
	kept, err := s.disk().ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("reading the copy of %s: %w", FileName, err)
	}
	doc, err := parse(kept)
	if err != nil {
		return false, nil // a kill cut it off
	}
	bad, now, err := s.parsed(s.Path())
	var damaged *damage
	switch {
	case err == nil && now.list.SessionCount >= doc.list.SessionCount:
		return false, nil
	case errors.As(err, &damaged):
		return true, s.restore(found{bad: bad, damage: damaged.err}, kept)
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return false, err
	}
	for _, path := range []string{filepath.Join(s.Root, BackupName), s.Path()} {
		if err := storage.ReplaceShared(s.disk(), path, kept, false); err != nil {
			return false, fmt.Errorf("bringing %s back: %w", filepath.Base(path), err)
		}
	}
	return true, nil
}

func (s *Store) copyPath() string {
	s.pen.Lock()
	defer s.pen.Unlock()
	return s.copy
}

func (s *Store) setCopy(path string, runs int) {
	s.pen.Lock()
	defer s.pen.Unlock()
	s.copy, s.runs = path, runs
}

// keepCopyOf keeps a copy of a list that is not older than what was kept: the older one somebody else brought back.
func (s *Store) keepCopyOf(runs int, data []byte) error {
	s.pen.Lock()
	older := runs < s.runs
	s.pen.Unlock()
	if older {
		return nil
	}
	return s.keepCopy(data)
}

// keepCopy writes the copy, where one is wanted. Whoever calls it holds the lock.
func (s *Store) keepCopy(data []byte) error {
	path := s.copyPath()
	if path == "" {
		return nil
	}
	if was, err := s.disk().ReadFile(path); err == nil && bytes.Equal(was, data) {
		return nil
	}
	if err := s.disk().MkdirAll(filepath.Dir(path), plainfile.PrivateFolder); err != nil {
		return fmt.Errorf("keeping a copy of %s: %w", FileName, err)
	}
	if err := storage.ReplaceDurably(s.disk(), path, data, false); err != nil {
		return fmt.Errorf("keeping a copy of %s: %w", FileName, err)
	}
	return nil
}
