package sessions

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"slices"

	"autopilot/autopilot/plainfile"
	"autopilot/sessions/storage"
)

// Mark remembers the journal, so that Intact can put it back. It is called before something runs that might write in
// the session's folder.
func (s *Session) Mark() error {
	s.marked = slices.Grow(s.marked[:0], int(s.journal.end))[:s.journal.end] // as large as the journal: it is used again
	n, err := s.journal.file.ReadAt(s.marked, 0)
	if err != nil && !errors.Is(err, io.EOF) {
		return fmt.Errorf("reading the journal: %w", err)
	}
	s.marked = s.marked[:n]
	s.journal.since, s.journal.foreign = []byte{}, false
	return nil
}

// Intact looks whether journal and snapshot are what this process wrote. What somebody else changed is put back and
// named. Without a Mark before it there is nothing to compare with, and nothing is named.
func (s *Session) Intact() ([]string, error) {
	if s.journal.since == nil {
		return nil, nil
	}
	s.marked = append(s.marked, s.journal.since...)
	foreign := s.journal.foreign
	s.journal.since, s.journal.foreign = nil, false
	var altered []string
	same, err := holds(s.opts.Disk, s.journal.path, s.marked)
	if err != nil {
		return nil, fmt.Errorf("reading the journal: %w", err)
	}
	if foreign || !same {
		altered = append(altered, JournalName)
		if err := s.restoreJournal(s.marked); err != nil {
			return altered, err
		}
	}
	changed, err := s.restoreSnapshot()
	if changed {
		altered = append(altered, SnapshotName)
	}
	return altered, err
}

// holds says whether a file is there and holds just this. It reads it in parts: a journal may be long.
func holds(disk storage.Disk, path string, want []byte) (bool, error) {
	info, err := disk.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) || err == nil && (!info.Mode().IsRegular() || info.Size() != int64(len(want))) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	f, err := disk.OpenFile(path, os.O_RDONLY, 0)
	if err != nil {
		return false, err
	}
	defer f.Close()
	for part, at := make([]byte, 64<<10), 0; at < len(want); {
		n, err := f.ReadAt(part[:min(len(part), len(want)-at)], int64(at))
		if !bytes.Equal(part[:n], want[at:at+n]) || n == 0 && errors.Is(err, io.EOF) {
			return false, nil
		}
		if at += n; err != nil && !errors.Is(err, io.EOF) {
			return false, err
		}
	}
	return true, nil
}

// restoreJournal writes the journal anew; the old file may have been replaced by another one.
func (s *Session) restoreJournal(want []byte) error {
	if err := s.journal.file.Close(); err != nil && !errors.Is(err, os.ErrClosed) {
		return fmt.Errorf("closing the altered journal: %w", err)
	}
	if err := s.opts.Disk.MkdirAll(s.dir, plainfile.PrivateFolder); err != nil { // the whole folder may be gone
		return fmt.Errorf("putting the session's folder back: %w", err)
	}
	if err := storage.ReplaceFile(s.opts.Disk, s.journal.path, want, true); err != nil {
		return fmt.Errorf("putting the journal back: %w", err)
	}
	again, err := openJournal(s.opts.Disk, s.journal.path, int64(len(want)))
	if err != nil {
		return err
	}
	s.journal = again
	return nil
}

// restoreSnapshot writes the snapshot anew where it is none that this process left, or where something stands in its way.
// Where only the disk refused the last one, that is tried again.
func (s *Session) restoreSnapshot() (bool, error) {
	altered, err := s.clearWay()
	if err != nil {
		return true, err
	}
	path := join(s.dir, SnapshotName)
	ours, err := s.left(path)
	if err != nil {
		return false, err
	}
	if !ours {
		altered = true
		if err := s.opts.Disk.RemoveAll(path); err != nil {
			return true, fmt.Errorf("taking the altered snapshot away: %w", err)
		}
	}
	if altered || s.late != nil {
		s.save()
	}
	if !altered {
		return false, nil // a snapshot that is still refused is told by Late
	}
	return true, s.late
}

// clearWay takes folders away that keep snapshots from being written, and says whether there were any: this process makes
// none.
func (s *Session) clearWay() (bool, error) {
	found := false
	for _, name := range []string{SnapshotName, backupName} {
		path := join(s.dir, name+storage.TempSuffix)
		if info, err := s.opts.Disk.Lstat(path); err != nil || !info.IsDir() {
			continue
		}
		found = true
		if err := s.opts.Disk.RemoveAll(path); err != nil {
			return true, fmt.Errorf("taking away what is in the way of the snapshot: %w", err)
		}
	}
	return found, nil
}

// left says whether what lies in the snapshot's place is what this process left there: the snapshot that it wrote last, or
// the one before where the disk refused it, or nothing where there never was one. That the disk does not let it be read is
// nobody's doing, and an error.
func (s *Session) left(path string) (bool, error) {
	sum, err := sumOf(s.opts.Disk, path)
	switch info, statErr := s.opts.Disk.Lstat(path); {
	case err == nil:
		return sum == s.whole || sum == s.begun, nil
	case errors.Is(err, fs.ErrNotExist):
		return s.whole == [sha256.Size]byte{}, nil
	case statErr == nil && (!info.Mode().IsRegular() || info.Mode()&0o400 == 0): // somebody made it so
		return false, nil
	}
	return false, fmt.Errorf("reading the snapshot: %w", err)
}

// sumOf is the sum of a plain file, which is read in parts.
func sumOf(disk storage.Disk, path string) (sum [sha256.Size]byte, err error) {
	if err := storage.Plain(disk, path); err != nil {
		return sum, err
	}
	f, err := disk.OpenFile(path, os.O_RDONLY, 0)
	if err != nil {
		return sum, err
	}
	defer f.Close()
	digest := sha256.New()
	_, err = io.Copy(digest, io.NewSectionReader(f, 0, math.MaxInt64))
	return [sha256.Size]byte(digest.Sum(nil)), err
}
