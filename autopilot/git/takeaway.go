package git

import (
	"fmt"
	"path/filepath"
)

// TakeAway removes saved files from the working tree, and the folders that they leave empty. One that is no longer as it
// was saved stays: those bytes are nowhere else. The index does not take part.
func (r *Repo) TakeAway(files []File) error {
	d, err := r.openDisk()
	if err != nil {
		return err
	}
	defer d.Close()
	for _, f := range files {
		now, data, err := d.load(f.Path)
		if err != nil {
			return fmt.Errorf("reading %q: %w", f.Path, err)
		}
		if now.Mode != f.Mode || r.blobID(data) != f.Blob {
			continue
		}
		if err := d.remove(f.Path); err != nil {
			return fmt.Errorf("removing %q: %w", f.Path, err)
		}
	}
	return nil
}

// MoveAside gives a file another name, which ends in ".moved-aside", and returns it.
func (r *Repo) MoveAside(name string) (string, error) {
	d, err := r.openDisk()
	if err != nil {
		return "", err
	}
	defer d.Close()
	aside := d.unused(name + ".moved-aside")
	return filepath.ToSlash(aside), d.Rename(filepath.FromSlash(name), aside)
}
