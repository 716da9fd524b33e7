package git

import (
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"

	"autopilot/autopilot/git/disk"
)

// Differ lists those of the paths at which another working tree has something else: other bytes, another kind of file,
// a file where here is nothing, or the other way round.
func (r *Files) Differ(other *Files, paths []string) ([]string, error) {
	here, there, err := both(r, other)
	if err != nil {
		return nil, err
	}
	defer here.Close()
	defer there.Close()
	var differ []string
	for _, path := range paths {
		mine, _, err := here.Load(path)
		if err != nil {
			return nil, fmt.Errorf("reading %q: %w", path, err)
		}
		theirs, _, err := there.Load(path)
		if err != nil {
			return nil, fmt.Errorf("reading %q: %w", path, err)
		}
		if mine.Mode != theirs.Mode || mine.Blob != theirs.Blob { // folders, which have neither, differ in size
			differ = append(differ, path)
		}
	}
	return differ, nil
}

// Take makes these paths what they are in another working tree. What stands in the way of a file (a folder, or a file
// in place of a folder) is moved aside, as Restore does.
func (r *Files) Take(other *Files, paths []string) error {
	here, there, err := both(r, other)
	if err != nil {
		return err
	}
	defer here.Close()
	defer there.Close()
	// What goes, goes first: a folder may become a file.
	var files []File
	for _, path := range projectPaths(paths) {
		f, err := there.Look(path)
		if err != nil {
			return fmt.Errorf("looking at %q: %w", path, err)
		}
		if f.Mode != "" {
			files = append(files, f)
			continue
		}
		// Where a folder stands by now, another of the paths made it.
		if mine, err := here.Look(path); err != nil || mine.Mode == "" {
			continue
		}
		if err := here.Delete(path); err != nil {
			return fmt.Errorf("removing %q: %w", path, err)
		}
	}
	slices.SortFunc(files, func(a, b File) int { return len(a.Path) - len(b.Path) })
	for _, f := range files {
		if err := here.Take(there, f); err != nil {
			return fmt.Errorf("writing %q: %w", f.Path, err)
		}
	}
	return nil
}

// InTheWay lists the paths at which another working tree has a file, and here is a folder with files that are not among
// the paths: what git ignores, say. Take would move them aside.
func (r *Files) InTheWay(other *Files, paths []string) ([]string, error) {
	here, there, err := both(r, other)
	if err != nil {
		return nil, err
	}
	defer here.Close()
	defer there.Close()
	var blocked []string
	for _, path := range paths {
		f, err := there.Look(path)
		if err != nil {
			return nil, err
		}
		info, err := here.Lstat(filepath.FromSlash(path))
		if f.Mode == "" || err != nil || !info.IsDir() {
			continue
		}
		err = fs.WalkDir(here.FS(), path, func(name string, d fs.DirEntry, err error) error {
			if err == nil && !d.IsDir() && !slices.Contains(paths, name) {
				blocked = append(blocked, path)
				return fs.SkipAll
			}
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	return blocked, nil
}

func both(r, other *Files) (here, there disk.Disk, err error) {
	if here, err = r.openDisk(); err != nil {
		return here, there, err
	}
	if there, err = other.openDisk(); err != nil {
		here.Close()
	}
	return here, there, err
}

// TakeAway removes saved files from the working tree, and the folders that they leave empty. One that is no longer as it
// was saved stays: those bytes are nowhere else. The index does not take part.
func (r *Files) TakeAway(files []File) error {
	d, err := r.openDisk()
	if err != nil {
		return err
	}
	defer d.Close()
	for _, f := range files {
		now, _, err := d.Load(f.Path)
		if err != nil {
			return fmt.Errorf("reading %q: %w", f.Path, err)
		}
		if now.Mode != f.Mode || now.Blob != f.Blob {
			continue
		}
		if err := d.Delete(f.Path); err != nil {
			return fmt.Errorf("removing %q: %w", f.Path, err)
		}
	}
	return nil
}

// MoveAside gives a file another name, which ends in ".moved-aside", and returns it.
func (r *Files) MoveAside(name string) (string, error) {
	d, err := r.openDisk()
	if err != nil {
		return "", err
	}
	defer d.Close()
	aside := d.Unused(name + ".moved-aside")
	return filepath.ToSlash(aside), d.Rename(filepath.FromSlash(name), aside)
}
