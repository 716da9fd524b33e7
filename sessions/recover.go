package sessions

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"time"

	"autopilot/sessions/storage"
)

// recover brings the session to what the disk says, and the disk to what the protocol promises.
func (s *Session) recover() error {
	f, err := look(s.dir, s.opts, false)
	switch {
	case f.lost:
		return s.moveLost(f)
	case err != nil:
		return err
	case f.imported != nil:
		return s.importAs(f)
	}
	s.state, s.unknown, s.whole = f.state, f.unknown, f.sum
	for _, a := range f.aside {
		if err := s.setAside(a, "the journal"); err != nil {
			return err
		}
	}
	if s.journal, err = openJournal(s.opts.Disk, join(s.dir, JournalName), f.journal.end); err != nil {
		return err
	}
	if err := s.settle(); err != nil {
		return err
	}
	if f.journal.torn > 0 {
		s.repaired("the last entry of %s was cut off by a crash; it was removed (%d bytes)", JournalName, f.journal.torn)
	}
	if !f.good {
		s.save()
	}
	return nil
}

// settle makes the journal end at its last good line, durably, and removes what an interrupted write left behind.
func (s *Session) settle() error {
	if err := s.journal.cut(); err != nil {
		return err
	}
	if err := s.sweepTemps(); err != nil {
		return fmt.Errorf("removing left-over files: %w", err)
	}
	for _, dir := range []string{s.dir, filepath.Dir(s.dir)} {
		if err := s.opts.Disk.SyncFolder(dir); err != nil {
			return &JournalError{Path: s.journal.path, Err: err}
		}
	}
	return nil
}

// settleAbove makes the names of .harness and sessions durable, which a first session makes: without them a power cut
// would take the session with it.
func (s *Session) settleAbove() error {
	harness := filepath.Dir(filepath.Dir(s.dir))
	for _, dir := range []string{harness, filepath.Dir(harness)} {
		if err := s.opts.Disk.SyncFolder(dir); err != nil {
			return &JournalError{Path: s.journal.path, Err: err}
		}
	}
	return nil
}

// setAside renames a snapshot that cannot be taken, and says so; source is what the state was taken from instead.
func (s *Session) setAside(a aside, source string) error {
	to, err := s.moveAside(a)
	if err != nil {
		return err
	}
	s.repaired("%s: %s; it is kept as %s, and the state was rebuilt from %s", filepath.Base(a.path), a.why, filepath.Base(to), source)
	return nil
}

// moveAside renames a file that cannot be taken, and returns its new path.
func (s *Session) moveAside(a aside) (string, error) {
	to, err := storage.FreeName(s.opts.Disk, a.path+a.suffix+s.opts.Now().UTC().Format("20060102T150405Z"), "")
	if err == nil {
		err = s.opts.Disk.Rename(a.path, to)
	}
	if err != nil {
		return "", fmt.Errorf("setting %s aside: %w", filepath.Base(a.path), err)
	}
	return to, nil
}

// moveLost moves a state aside that cannot be read and has nothing to be rebuilt from. What is left keeps the folder
// from being taken for one without a session.
func (s *Session) moveLost(f found) error {
	var moved []string
	for _, a := range f.aside {
		to, err := s.moveAside(a)
		if err != nil {
			return err
		}
		moved = append(moved, filepath.Base(to))
	}
	return lostError(f.aside[0].path, f.aside[0].why, moved)
}

func (s *Session) repaired(format string, args ...any) {
	s.repairs = append(s.repairs, fmt.Sprintf(format, args...))
}

// postingTime is how long an answer may lie in the inbox half-written, by another process, before it counts as
// left over.
const postingTime = 10 * time.Minute

func (s *Session) sweepTemps() error {
	old := func(fs.FileInfo) bool { return true }
	if err := removeTemps(s.opts.Disk, s.dir, old); err != nil {
		return err
	}
	return removeTemps(s.opts.Disk, join(s.dir, inboxName), func(info fs.FileInfo) bool {
		return s.opts.Now().Sub(info.ModTime()) > postingTime
	})
}

func removeTemps(disk storage.Disk, dir string, leftOver func(fs.FileInfo) bool) error {
	entries, err := disk.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	for _, entry := range entries {
		if !strings.HasSuffix(entry.Name(), storage.TempSuffix) || entry.IsDir() {
			continue
		}
		if info, err := entry.Info(); err != nil || !leftOver(info) {
			continue
		}
		if err := storage.RemoveIfThere(disk, join(dir, entry.Name())); err != nil {
			return err
		}
	}
	return nil
}
