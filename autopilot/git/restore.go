package git

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// RestorePaths puts files back as SaveTree saved them, byte for byte. Whatever stands in their place or in the place of
// one of their folders (a file where a folder was, a folder or a link where a file was) is not deleted but moved
// aside, to a name with ".moved-aside" behind it. Only a regular file that is there is overwritten.
func (r *Repo) RestorePaths(ctx context.Context, ref string, paths []string) error {
	files, err := r.listTree(ctx, ref)
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
	return r.eachBlob(ctx, wanted, func(f File, data []byte) error {
		if err := d.put(f, data); err != nil {
			return fmt.Errorf("restoring %q: %w", f.Path, err)
		}
		return nil
	})
}

// listTree lists all files of a commit by path; a submodule has the mode 160000.
func (r *Repo) listTree(ctx context.Context, revision string) (map[string]File, error) {
	out, err := r.read(ctx, "ls-tree", "-r", "-z", "--full-tree", revision)
	if err != nil {
		return nil, err
	}
	files := map[string]File{}
	for _, entry := range split(out, 0) {
		head, name, _ := strings.Cut(entry, "\t")
		if fields := strings.Fields(head); len(fields) == 3 {
			files[name] = File{Path: name, Mode: fields[0], Blob: fields[2]}
		}
	}
	return files, nil
}

// eachBlob reads the files' blobs one after the other through one process.
func (r *Repo) eachBlob(ctx context.Context, files []File, take func(File, []byte) error) error {
	if len(files) == 0 {
		return nil
	}
	var ids strings.Builder
	for _, f := range files {
		ids.WriteString(f.Blob + "\n")
	}
	out, err := r.answer(ctx, []byte(ids.String()), "cat-file", "--batch")
	if err != nil {
		return err
	}
	from := bufio.NewReader(bytes.NewReader(out))
	for _, f := range files {
		data, err := nextBlob(from)
		if err != nil {
			return fmt.Errorf("reading the blob of %q: %w", f.Path, err)
		}
		if err := take(f, data); err != nil {
			return err
		}
	}
	return nil
}

// nextBlob reads "id type size", the bytes, and a newline.
func nextBlob(from *bufio.Reader) ([]byte, error) {
	var id, kind string
	var size int64
	header, err := from.ReadString('\n')
	if err != nil {
		return nil, err
	}
	if _, err := fmt.Sscan(header, &id, &kind, &size); err != nil {
		return nil, errors.New("git answered " + strings.TrimSpace(header))
	}
	data := make([]byte, size+1)
	_, err = io.ReadFull(from, data)
	return data[:size], err
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
	if err := os.MkdirAll(d.staging, 0o755); err != nil {
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

// Altered tells which of these files are gone from the working tree, and which are there with other bytes, another
// mode, or although nothing was there. Of a file that was too large to be saved only the size is compared.
func (r *Repo) Altered(files []File) (deleted, altered []string, err error) {
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
			_, data, err := d.load(was.Path)
			if err != nil {
				return nil, nil, fmt.Errorf("reading %q: %w", was.Path, err)
			}
			same = r.blobID(data) == was.Blob
		}
		if !same {
			altered = append(altered, was.Path)
		}
	}
	slices.Sort(deleted)
	slices.Sort(altered)
	return deleted, altered, nil
}
