package git

import (
	"context"
	"fmt"
	"slices"
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
		if err := d.Put(f, data); err != nil {
			return fmt.Errorf("restoring %q: %w", f.Path, err)
		}
		return nil
	})
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
		now, err := d.Look(was.Path)
		if err != nil {
			return nil, nil, fmt.Errorf("looking at %q: %w", was.Path, err)
		}
		same := now.Mode == was.Mode && now.Size == was.Size
		switch {
		case now.Mode == "" && was.Mode != "":
			deleted = append(deleted, was.Path)
			continue
		case same && was.Blob != "":
			if now, _, err = d.Load(was.Path); err != nil {
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
