package git

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"

	"autopilot/autopilot/plainfile"
)

// Restore puts files back as Save saved them, byte for byte. Whatever stands in their place or in the place of
// one of their folders (a file where a folder was, a folder or a link where a file was) is not deleted but moved
// aside, to a name with ".moved-aside" behind it. Only a regular file that is there is overwritten.
func (r *Files) Restore(ctx context.Context, ref string, paths []string) error {
	files, err := r.history.listTree(ctx, ref)
	if err != nil {
		return fmt.Errorf("reading what was saved under %s: %w", ref, err)
	}
	var wanted []File
	for _, p := range paths {
		f, ok := files[p]
		if !ok || f.Mode == submodule {
			return fmt.Errorf("%q is not among the files saved under %s", p, ref)
		}
		wanted = append(wanted, f)
	}
	d, err := r.openDisk()
	if err != nil {
		return err
	}
	defer d.Close()
	return r.history.eachBlob(ctx, wanted, func(f File, data []byte) error {
		if err := d.put(f, data); err != nil {
			return fmt.Errorf("restoring %q: %w", f.Path, err)
		}
		return nil
	})
}

// put writes a file in the program's part of the git folder and renames it to its place, so that nobody sees half of it,
// and a kill in between leaves nothing in the working tree. Where the git folder is on another file system, it is
// written beside its place.
func (d disk) put(f File, data []byte) error {
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
	temp := d.unused(path.Join(path.Dir(f.Path), ".autopilot-restore"))
	if err := d.create(temp, f.Mode, data); err != nil {
		return errors.Join(err, d.Remove(temp))
	}
	return d.Rename(temp, place)
}

// stage is put by way of the git folder.
func (d disk) stage(f File, data []byte, place string) error {
	if err := plainfile.MakeFolder(d.staging); err != nil {
		return err
	}
	root, err := os.OpenRoot(d.staging)
	if err != nil {
		return err
	}
	staging := disk{Root: root}
	defer staging.Close()
	temp := staging.unused(".autopilot-restore")
	if err := staging.create(temp, f.Mode, data); err != nil {
		return errors.Join(err, staging.Remove(temp))
	}
	if err := os.Rename(filepath.Join(d.staging, temp), filepath.Join(d.Name(), place)); err != nil {
		return errors.Join(err, staging.Remove(temp))
	}
	return nil
}

func (d disk) create(name, mode string, data []byte) error {
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
func (d disk) makeWay(name string) error {
	inTheWay := d.blocker(name)
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
	return d.Rename(filepath.FromSlash(inTheWay), d.unused(inTheWay+".moved-aside"))
}

// unused is a name at which there is nothing yet.
func (d disk) unused(name string) string {
	candidate := filepath.FromSlash(name)
	for n := 2; ; n++ {
		if _, err := d.Lstat(candidate); errors.Is(err, os.ErrNotExist) {
			return candidate
		}
		candidate = filepath.FromSlash(fmt.Sprintf("%s-%d", name, n))
	}
}

// Unchanged lists the paths of those files that are as they were, by the same measure.
func (r *Files) Unchanged(files []File) ([]string, error) {
	deleted, altered, err := r.Altered(files)
	var paths []string
	for _, f := range files {
		if !slices.Contains(deleted, f.Path) && !slices.Contains(altered, f.Path) {
			paths = append(paths, f.Path)
		}
	}
	return paths, err
}

// Altered tells which of these files are gone from the working tree, and which are there with other bytes, another
// mode, or although nothing was there. Of a file that was too large to be saved only the size is compared.
func (r *Files) Altered(files []File) (deleted, altered []string, err error) {
	d, err := r.openDisk()
	if err != nil {
		return nil, nil, err
	}
	defer d.Close()
	for _, was := range files {
		now, err := d.look(was.Path)
		if err != nil {
			return nil, nil, fmt.Errorf("looking at %q: %w", was.Path, err)
		}
		same := now.Mode == was.Mode && now.Size == was.Size
		switch {
		case now.Mode == "" && was.Mode != "":
			deleted = append(deleted, was.Path)
			continue
		case same && was.Blob != "":
			if now, _, err = d.load(was.Path); err != nil {
				return nil, nil, fmt.Errorf("reading %q: %w", was.Path, err)
			}
			same = now.Blob == was.Blob
		}
		if !same {
			altered = append(altered, was.Path)
		}
	}
	slices.Sort(deleted)
	slices.Sort(altered)
	return deleted, altered, nil
}
