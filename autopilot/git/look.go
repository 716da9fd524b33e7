package git

import "fmt"

// Look tells what is at these paths of the working tree, with the id of the bytes, for Altered. Of what SaveTree would
// leave out the size alone is told.
func (r *Repo) Look(paths []string) ([]File, error) {
	weighed, err := r.weigh(paths)
	if err != nil {
		return nil, err
	}
	d, err := r.openDisk()
	if err != nil {
		return nil, err
	}
	defer d.Close()
	for i := range weighed.Files {
		f, data, err := d.load(weighed.Files[i].Path)
		if err != nil {
			return nil, fmt.Errorf("reading %q: %w", f.Path, err)
		}
		if f.Mode != "" {
			f.Blob = r.blobID(data)
		}
		weighed.Files[i] = f
	}
	return weighed.All(), nil
}
