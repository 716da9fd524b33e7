package workspace

import (
	"bytes"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"autopilot/autopilot/plainfile"
)

// maxControl is the size up to which a control file is remembered whole, in bytes.
const maxControl = 1 << 20

// Remember reads a file; one that is not there is remembered as missing (nil).
func Remember(files map[string][]byte, path string) error {
	info, err := os.Lstat(path)
	if os.IsNotExist(err) {
		files[path] = nil
		return nil
	}
	if err != nil || !info.Mode().IsRegular() || info.Size() > maxControl {
		return err
	}
	data, err := os.ReadFile(path)
	if err == nil && data == nil {
		data = []byte{}
	}
	files[path] = data
	return err
}

// RememberAll reads the files of a folder, which need not exist, except those that skip names.
func RememberAll(files map[string][]byte, dir string, skip func(rel string) bool) error {
	return filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if os.IsNotExist(err) {
			return nil
		}
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(dir, path)
		if err != nil || rel == "." {
			return err
		}
		if skip != nil && skip(rel) {
			if d.IsDir() {
				return fs.SkipDir
			}
			return nil
		}
		if d.IsDir() {
			return nil
		}
		return Remember(files, path)
	})
}

// changedFile is a control file that was not what it was before a dispatch.
type changedFile struct {
	Path    string
	unclear bool // who removed it cannot be known
}

// PutControlBack makes control files what they were before, and lists those that were not; what they were changed to is
// kept. What is among the present ones alone is new, and taken away.
func (g RepoGuard) PutControlBack(before, present map[string][]byte) ([]changedFile, error) {
	var changed []changedFile
	err := differing(before, present, func(path string, now []byte) error {
		changed = append(changed, changedFile{path, now == nil && g.after(path)})
		return errors.Join(g.keepControl(path, now), g.putBack(path, before[path]))
	})
	return changed, err
}

// differing calls a function for each control file that is not what it was, in order, with what it is now.
func differing(before, present map[string][]byte, each func(path string, now []byte) error) error {
	all := maps.Clone(present)
	maps.Copy(all, before)
	for _, path := range slices.Sorted(maps.Keys(all)) {
		was := before[path]
		if now, read := present[path]; read && (was == nil) == (now == nil) && bytes.Equal(was, now) {
			continue
		}
		now, err := contents(path)
		if err != nil && !os.IsNotExist(err) {
			return err
		}
		if (was == nil) == os.IsNotExist(err) && bytes.Equal(was, now) {
			continue
		}
		if err := each(path, now); err != nil {
			return err
		}
	}
	return nil
}

// contents reads a control file. A link in its place leads anywhere, and a pipe never answers: they have none.
func contents(path string) ([]byte, error) {
	if info, err := os.Lstat(path); err == nil && !info.Mode().IsRegular() {
		return []byte{}, nil
	}
	return os.ReadFile(path)
}

// after says whether a file that is gone may have gone since the dispatch of a killed run ended. Nothing but its folder
// shows a time, and that of whatever changed there last.
func (g RepoGuard) after(path string) bool {
	if g.Ended.IsZero() {
		return false
	}
	folder := filepath.Dir(path)
	_, err := os.Lstat(folder)
	return err != nil || plainfile.ChangedAfter(folder, g.Ended)
}

// keepControl keeps what a control file was changed to: after a kill it may have been the user.
func (g RepoGuard) keepControl(path string, data []byte) error {
	if data == nil {
		return nil
	}
	kept := filepath.Join(g.undone(), "control", strings.TrimPrefix(path, filepath.VolumeName(path)))
	return plainfile.WriteIn(g.Repo.CommonDir(), kept, data, plainfile.PrivateFile)
}

// putBack makes a control file what it was, in the working tree, in .harness or wherever the spec lies. No link in its place or
// in that of a folder is followed.
func (g RepoGuard) putBack(path string, data []byte) error {
	folder := filepath.Dir(path)
	for _, root := range []string{g.Home, g.Repo.Root()} {
		if rel, err := filepath.Rel(root, path); root != "" && err == nil && filepath.IsLocal(rel) {
			folder = root
		}
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	if data == nil {
		return plainfile.In(folder, path, func(root *os.Root, name string) error { return root.Remove(name) })
	}
	return plainfile.WriteIn(folder, path, data, 0o644)
}
