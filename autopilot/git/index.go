package git

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"time"

	"autopilot/autopilot/git/gitdir"
)

// Index is what is staged, as a file.
type Index struct{ *runner }

// IndexFile is the index's bytes together with its time of change: git takes an entry's recorded time for proof only
// where it is older than the index file, so a copy has to keep it.
type IndexFile struct {
	Bytes   []byte
	Changed time.Time
	Exists  bool
}

// Load reads the index.
func (r *Index) Load() (IndexFile, error) {
	info, err := os.Stat(r.indexPath())
	if errors.Is(err, fs.ErrNotExist) {
		return IndexFile{}, nil
	}
	if err == nil && !info.Mode().IsRegular() {
		err = &gitdir.NotPlainError{Path: r.indexPath()}
	}
	if err != nil {
		return IndexFile{}, err
	}
	data, err := os.ReadFile(r.indexPath())
	return IndexFile{Bytes: data, Changed: info.ModTime(), Exists: true}, err
}

// copyTo writes the index under another name.
func (i IndexFile) copyTo(name string) error {
	if !i.Exists {
		return os.Remove(name)
	}
	if err := os.WriteFile(name, i.Bytes, 0o644); err != nil {
		return err
	}
	return os.Chtimes(name, i.Changed, i.Changed)
}

// Store replaces the working tree's index. It waits a moment for somebody else's lock.
func (r *Index) Store(ctx context.Context, i IndexFile) error {
	return r.patiently(ctx, func() error { return r.store(i) })
}

// store is Store by git's own protocol: take index.lock, write it, rename it.
func (r *Index) store(i IndexFile) error {
	lock := r.indexPath() + ".lock"
	f, err := os.OpenFile(lock, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if errors.Is(err, fs.ErrExist) {
		return &LockError{File: lock}
	}
	if err != nil {
		return err
	}
	if !i.Exists {
		return errors.Join(f.Close(), os.Remove(r.indexPath()), os.Remove(lock))
	}
	_, err = f.Write(i.Bytes)
	if err := errors.Join(err, f.Sync(), f.Close(), os.Chtimes(lock, i.Changed, i.Changed)); err != nil {
		return errors.Join(err, os.Remove(lock))
	}
	return os.Rename(lock, r.indexPath())
}

// Same tells whether two index files hold the same entries and flags; the times and sizes that git notes beside
// them change whenever somebody runs git status.
func (r *Index) Same(ctx context.Context, a, b IndexFile) (bool, error) {
	if a.Exists == b.Exists && bytes.Equal(a.Bytes, b.Bytes) {
		return true, nil
	}
	before, err := r.entries(ctx, a)
	if err != nil {
		return false, err
	}
	now, err := r.entries(ctx, b)
	return bytes.Equal(before, now), err
}

// entries lists an index: flags, mode, blob, stage and path.
func (r *Index) entries(ctx context.Context, i IndexFile) (list []byte, err error) {
	err = r.lend(i, func(name string) error {
		list, _, err = r.run(ctx, call{args: []string{"ls-files", "-v", "-s", "-z"}, index: name, looks: true})
		return err
	})
	return list, err
}

// AsHead makes the index say of these paths what HEAD says; files stay as they are. A commit that was made and cut
// off before its index was written needs it.
func (r *Index) AsHead(ctx context.Context, paths []string) error {
	if len(paths) == 0 {
		return nil
	}
	if _, err := r.write(ctx, joined(paths), "reset", "--quiet", "--pathspec-from-file=-", "--pathspec-file-nul", "HEAD"); err != nil {
		return fmt.Errorf("bringing the index up to the commit: %w", err)
	}
	return nil
}

// lend lends a private copy of an index.
func (r *Index) lend(i IndexFile, use func(name string) error) error {
	name, err := r.tempFile("index-*")
	if err != nil {
		return err
	}
	defer os.Remove(name)
	if err := i.copyTo(name); err != nil {
		return err
	}
	return use(name)
}

// lendKnowing lends a private index in which untracked files are known too, so that git diff shows them. Their
// entries carry the empty blob and no times: git looks at the file itself. Nothing is written to the object store.
func (r *Index) lendKnowing(ctx context.Context, untracked []string, use func(index string) error) error {
	index, err := r.Load()
	if err != nil {
		return err
	}
	return r.lend(index, func(name string) error {
		if err := r.announce(ctx, name, untracked); err != nil {
			return err
		}
		return use(name)
	})
}

func (r *Index) announce(ctx context.Context, index string, paths []string) error {
	if len(paths) == 0 {
		return nil
	}
	var entries strings.Builder
	for _, path := range paths {
		fmt.Fprintf(&entries, "100644 %s\t%s\x00", r.blobID(nil), path)
	}
	_, _, err := r.run(ctx, call{
		args: []string{"update-index", "-z", "--index-info"}, stdin: []byte(entries.String()), index: index,
	})
	return err
}

// IsWhole says whether an index begins as one does and ends with the sum of what it holds; with index.skipHash there are
// zeros in its place.
func (r *Index) IsWhole(index []byte) bool {
	sum := r.newHash()
	end := len(index) - sum.Size()
	if end < 12 || !bytes.HasPrefix(index, []byte("DIRC")) {
		return false
	}
	sum.Write(index[:end])
	return bytes.Equal(index[end:], sum.Sum(nil)) || bytes.Equal(index[end:], make([]byte, sum.Size()))
}
