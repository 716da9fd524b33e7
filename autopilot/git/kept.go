package git

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"autopilot/autopilot/plainfile"
)

// What Watch keeps is too large for a journal: it lies in files of the git folder named after their SHA-256, and the
// Guard holds the names.
type kept struct {
	*runner
	copies sync.Map // by SHA-256: an agent can delete the files
}

func (r *kept) keptFile(sum string) string {
	return filepath.Join(r.gitDir, "autopilot", "kept", sum)
}

func (r *kept) keep(data []byte) (sum string, err error) {
	digest := sha256.Sum256(data)
	sum = hex.EncodeToString(digest[:])
	r.copies.Store(sum, data)
	if _, err := r.readKept(sum); err == nil {
		return sum, nil
	}
	file := r.keptFile(sum)
	if err := plainfile.MakeFolder(filepath.Dir(file)); err != nil {
		return "", err
	}
	return sum, replaceBy(filepath.Dir(filepath.Dir(file)), file, data, plainfile.PrivateFile)
}

// recall is what was kept: in the process that kept it from memory, where nobody can damage it, later from the files.
func (r *kept) recall(sum string) ([]byte, error) {
	if copied, ok := r.copies.Load(sum); ok {
		return copied.([]byte), nil
	}
	return r.readKept(sum)
}

func (r *kept) readKept(sum string) ([]byte, error) {
	data, err := os.ReadFile(r.keptFile(sum))
	digest := sha256.Sum256(data)
	if errors.Is(err, fs.ErrNotExist) || err == nil && hex.EncodeToString(digest[:]) != sum {
		return nil, &KeptLostError{File: r.keptFile(sum)}
	}
	return data, err
}

// forget removes what earlier guards kept: only one dispatch at a time runs in a working tree.
func (r *kept) forget(but ...string) error {
	r.copies.Range(func(sum, _ any) bool {
		if !slices.Contains(but, sum.(string)) {
			r.copies.Delete(sum)
		}
		return true
	})
	return removeOwn(r.gitDir, "kept", func(name string) bool { return !slices.Contains(but, name) })
}

// removeOwn removes files of a folder in the program's part of the git folder. No link in its place leads out.
func removeOwn(gitDir, folder string, unwanted func(name string) bool) error {
	root, err := os.OpenRoot(gitDir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer root.Close()
	folder = path.Join("autopilot", folder)
	entries, err := fs.ReadDir(root.FS(), folder)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	for _, entry := range entries {
		if unwanted(entry.Name()) {
			err = errors.Join(err, root.Remove(path.Join(folder, entry.Name())))
		}
	}
	return err
}

// keepsFiles says whether a ref of the program's own keeps files of somebody's: what was uncommitted before a dispatch, what was
// put back after one. No run moves or deletes these.
func keepsFiles(name string) bool {
	return strings.Contains(name, "/user/") || strings.Contains(name, "/undone/")
}

// keepingFiles lists those below a prefix.
func (r *Refs) keepingFiles(ctx context.Context, prefix string) (refTable, error) {
	list, err := r.List(ctx, prefix)
	table := refTable{}
	for _, ref := range list {
		if keepsFiles(ref.Name) {
			table[ref.Name] = ref.Object
		}
	}
	return table, err
}

// keepOwn keeps the list of those below a prefix; "" is that there are none.
func (r *kept) keepOwn(ctx context.Context, refs *Refs, prefix string) (sum string, err error) {
	table, err := refs.keepingFiles(ctx, prefix)
	if err != nil || len(table) == 0 {
		return "", err
	}
	return r.keep(table.bytes())
}

// movedOwn lists those that were moved or deleted since. New ones are the program's.
func (r *kept) movedOwn(ctx context.Context, refs *Refs, sum string) ([]Moved, error) {
	if sum == "" {
		return nil, nil
	}
	list, err := r.recall(sum)
	if err != nil {
		return nil, err
	}
	before := parseRefTable(list)
	now, err := refs.keepingFiles(ctx, ownRefs)
	if err != nil {
		return nil, err
	}
	for name := range now {
		if before[name] == "" {
			delete(now, name)
		}
	}
	return before.moved(now), nil
}
