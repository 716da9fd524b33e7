package taskfile

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"sync"
	"time"

	"autopilot/sessions/storage"
)

// The names of the files in the root folder of a list.
const (
	FileName     = "harness-tasks.json"
	BackupName   = FileName + ".bak"
	ProgressName = "harness-progress.txt"
)

// Store is the task file of a folder. Its methods may be called at the same time, also by other processes.
type Store struct {
	Root string           // the folder that holds the task file
	Now  func() time.Time // the clock; the names of damaged files and the lines of the log need it
	Env  func(name string) string
	Disk storage.Disk // where the task file lies; the operating system's when nil

	pen      sync.Mutex // guards what follows
	repaired string
	copy     string // where Keep keeps the file a second time
	runs     int    // the count of runs in that copy
}

// Path is the task file.
func (s *Store) Path() string { return filepath.Join(s.Root, FileName) }

func (s *Store) disk() storage.Disk {
	if s.Disk == nil {
		return storage.OSDisk{}
	}
	return s.Disk
}

func (s *Store) env(name string) string {
	if s.Env == nil {
		return ""
	}
	return s.Env(name)
}

// Repaired says in plain words, for people, what the last Read or Update had to do because the task file was damaged;
// "" when it was not.
func (s *Store) Repaired() string {
	s.pen.Lock()
	defer s.pen.Unlock()
	return s.repaired
}

func (s *Store) setRepaired(what string) {
	s.pen.Lock()
	defer s.pen.Unlock()
	s.repaired = what
}

// Read gives the list without a lock and without writing, while others may be writing. A damaged file is read from its
// backup: see Repaired. Errors: one that is fs.ErrNotExist where there is no task file, *CorruptError, *plainfile.LinkError
// and those of the disk.
func (s *Store) Read() (TaskList, error) {
	f, err := s.read()
	if err != nil {
		return TaskList{}, err
	}
	s.setRepaired("")
	if f.damage != nil {
		s.setRepaired(fmt.Sprintf("%s is damaged (%v); its backup %s was read", FileName, f.damage, BackupName))
	}
	return f.doc.list, nil
}

// Update changes the list in one transaction: it takes the lock, reads, has change made, and replaces the file; what the
// file was becomes its backup. Nothing is written when change returns an error, which Update returns, or changes nothing.
// Errors: those of Read, *BusyLockError, and why the context ended.
func (s *Store) Update(ctx context.Context, change func(*TaskList) error) error {
	lock, err := s.lock(ctx)
	if err != nil {
		return err
	}
	defer lock.release()
	f, err := s.read()
	if err != nil {
		return err
	}
	list := readList(f.doc.top) // a second time: change may write into the tasks
	if err := change(&list); err != nil {
		return err
	}
	with := f.doc.with(&list)
	if err := s.replace(f, with); err != nil {
		return err
	}
	return s.keepCopyOf(list.SessionCount, with)
}

// replace puts a file into the place of the one that was read. Whoever calls it holds the lock.
func (s *Store) replace(f found, with []byte) error {
	s.setRepaired("")
	if f.damage != nil {
		return s.restore(f, with)
	}
	if bytes.Equal(with, f.doc.data) {
		return nil
	}
	if err := storage.ReplaceShared(s.disk(), s.Path(), with, true); err != nil {
		return fmt.Errorf("replacing %s: %w", FileName, err)
	}
	return nil
}

// Create makes the task file. It is an error that is fs.ErrExist where there is one already. Others: those of Update.
func (s *Store) Create(list TaskList) error {
	lock, err := s.lock(context.Background())
	if err != nil {
		return err
	}
	defer lock.release()
	switch _, err := s.disk().Lstat(s.Path()); {
	case err == nil:
		return fmt.Errorf("%s is there already: add tasks to it, or move it away: %w", s.Path(), fs.ErrExist)
	case !errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("looking for %s: %w", FileName, err)
	}
	if s.hasBackup() {
		return fmt.Errorf("%s is gone, and its backup is there: bring it back (mv %s %s), or remove the backup to start over: %w", FileName, BackupName, FileName, fs.ErrExist)
	}
	if err := storage.ReplaceShared(s.disk(), s.Path(), fresh(list), true); err != nil {
		return fmt.Errorf("writing %s: %w", FileName, err)
	}
	return nil
}

// found is a task file that could be read; damage says why its backup was taken in its place.
type found struct {
	doc    document
	bad    []byte // the damaged bytes
	damage error
}

// rereadAfter is how long a file that cannot be read is given to become whole: not all who write it replace it at once.
const rereadAfter = 20 * time.Millisecond

func (s *Store) read() (found, error) {
	data, doc, err := s.parsed(s.Path())
	var damaged *damage
	if errors.As(err, &damaged) {
		time.Sleep(rereadAfter)
		data, doc, err = s.parsed(s.Path())
	}
	switch {
	case err == nil:
		return found{doc: doc}, nil
	case errors.Is(err, fs.ErrNotExist):
		if s.hasBackup() {
			return found{}, fmt.Errorf("%s is gone from %s, and its backup is there: bring it back (mv %s %s): %w", FileName, s.Root, BackupName, FileName, err)
		}
		return found{}, fmt.Errorf("there is no task file in %s: make one with `autopilot tasks init`: %w", s.Root, err)
	case !errors.As(err, &damaged):
		return found{}, err
	}
	_, doc, bakErr := s.parsed(filepath.Join(s.Root, BackupName))
	if bakErr != nil {
		return found{}, &CorruptError{Path: s.Path(), Why: damaged.err, Backup: bakErr}
	}
	return found{doc: doc, bad: data, damage: damaged.err}, nil
}

// hasBackup says whether a backup is there, whatever it holds.
func (s *Store) hasBackup() bool {
	_, err := s.disk().Lstat(filepath.Join(s.Root, BackupName))
	return err == nil
}

// damage is why a file that could be read is no task file.
type damage struct{ err error }

func (d *damage) Error() string { return d.err.Error() }

func (s *Store) parsed(path string) ([]byte, document, error) {
	if err := storage.Plain(s.disk(), path); err != nil {
		return nil, document{}, err
	}
	data, err := s.disk().ReadFile(path)
	if err != nil {
		return nil, document{}, fmt.Errorf("reading %s: %w", filepath.Base(path), err)
	}
	doc, err := parse(data)
	if err != nil {
		return data, document{}, &damage{err}
	}
	return data, doc, nil
}

// restore writes a file that was made of the backup. The damaged bytes are kept, and the backup stays as it is.
func (s *Store) restore(f found, with []byte) error {
	aside, err := storage.FreeName(s.disk(), s.Path()+".corrupt-"+s.Now().UTC().Format("20060102T150405Z"), "")
	if err == nil {
		err = storage.ReplaceShared(s.disk(), aside, f.bad, false)
	}
	if err != nil {
		return fmt.Errorf("keeping the damaged %s: %w", FileName, err)
	}
	if err := storage.ReplaceShared(s.disk(), s.Path(), with, false); err != nil {
		return fmt.Errorf("restoring %s: %w", FileName, err)
	}
	s.setRepaired(fmt.Sprintf("%s was damaged (%v); it was restored from %s, and its bytes are kept as %s",
		FileName, f.damage, BackupName, filepath.Base(aside)))
	return nil
}
