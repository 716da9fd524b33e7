package disk

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"

	"autopilot/autopilot/plainfile"
)

// Put writes a file in the program's part of the git folder and renames it to its place, so that nobody sees half of it,
// and a kill in between leaves nothing in the working tree. Where the git folder is on another file system, it is
// written beside its place.
func (d Disk) Put(f File, data []byte) error {
	if err := d.makeWay(f.Path); err != nil {
		return err
	}
	place := filepath.FromSlash(f.Path)
	if err := d.MkdirAll(filepath.Dir(place), 0o755); err != nil {
		return err
	}
	if d.stage(f, data, place) == nil {
		return nil
	}
	temp := d.Unused(path.Join(path.Dir(f.Path), ".autopilot-restore"))
	if err := d.create(temp, f.Mode, data); err != nil {
		return errors.Join(err, d.Remove(temp))
	}
	return d.Rename(temp, place)
}

// stage is Put by way of the git folder.
func (d Disk) stage(f File, data []byte, place string) error {
	if err := plainfile.MakeFolder(d.staging); err != nil {
		return err
	}
	root, err := os.OpenRoot(d.staging)
	if err != nil {
		return err
	}
	staging := Disk{Root: root}
	defer staging.Close()
	temp := staging.Unused(".autopilot-restore")
	if err := staging.create(temp, f.Mode, data); err != nil {
		return errors.Join(err, staging.Remove(temp))
	}
	if err := os.Rename(filepath.Join(d.staging, temp), filepath.Join(d.Name(), place)); err != nil {
		return errors.Join(err, staging.Remove(temp))
	}
	return nil
}

func (d Disk) create(name, mode string, data []byte) error {
	switch mode {
	case "120000":
		return d.Symlink(string(data), name)
	case "100755":
		return errors.Join(d.WriteFile(name, data, 0o755), d.Chmod(name, 0o755))
	}
	return d.WriteFile(name, data, 0o644)
}

// makeWay moves aside what keeps a file from being written: a parent that is no folder, a folder or a link in its
// place.
func (d Disk) makeWay(name string) error {
	inTheWay := d.Blocker(name)
	if inTheWay == "" {
		info, err := d.Lstat(filepath.FromSlash(name))
		if errors.Is(err, fs.ErrNotExist) || err == nil && info.Mode().IsRegular() {
			return nil
		}
		if err != nil {
			return err
		}
		inTheWay = name
	}
	return d.Rename(filepath.FromSlash(inTheWay), d.Unused(inTheWay+".moved-aside"))
}

// Unused is a name at which there is nothing yet.
func (d Disk) Unused(name string) string {
	candidate := filepath.FromSlash(name)
	for n := 2; ; n++ {
		if _, err := d.Lstat(candidate); errors.Is(err, os.ErrNotExist) {
			return candidate
		}
		candidate = filepath.FromSlash(fmt.Sprintf("%s-%d", name, n))
	}
}

// Take writes one file of another tree, unless it is there already. A link in its place is replaced.
func (d Disk) Take(there Disk, f File) error {
	f, data, err := there.Load(f.Path)
	if err != nil {
		return err
	}
	mine, _, err := d.Load(f.Path)
	if err != nil || mine == f {
		return err
	}
	if mine.Mode == "120000" {
		if err := d.Delete(f.Path); err != nil {
			return err
		}
	}
	return d.Put(f, data)
}

// Stranger is a file in the folder that stands at a path, other than those that leave; "" when there is none. An empty
// folder below it is nobody's loss.
func (d Disk) Stranger(name string, leaving map[string]bool) string {
	if info, err := d.Lstat(filepath.FromSlash(name)); err != nil || !info.IsDir() {
		return ""
	}
	dir, err := d.Open(filepath.FromSlash(name))
	if err != nil {
		return name
	}
	defer dir.Close()
	entries, err := dir.ReadDir(-1)
	if err != nil {
		return name
	}
	for _, entry := range entries {
		child := name + "/" + entry.Name()
		if entry.IsDir() {
			if by := d.Stranger(child, leaving); by != "" {
				return by
			}
		} else if !leaving[child] {
			return child
		}
	}
	return ""
}
