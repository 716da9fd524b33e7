package toolbox

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// open opens a file for reading: one of the tree, the spec's copy, or one of
// the dispatch's own folders.
func (t *Tree) open(name string) (fs.File, error) {
	if file, err := t.openOwn(name); file != nil || err != nil {
		return file, err
	}
	rel, err := t.path(name)
	if err != nil {
		return nil, err
	}
	return openRegular(t.root, rel, name)
}

func (t *Tree) openOwn(name string) (fs.File, error) {
	full := filepath.FromSlash(strings.TrimSpace(name))
	if strings.Contains(full, "..") || strings.ContainsRune(full, 0) {
		return nil, nil
	}
	if !filepath.IsAbs(full) {
		full = filepath.Join(t.Dir, full)
	}
	if t.specCopy != "" && same(full, t.specCopy) {
		return os.Open(t.specCopy)
	}
	for _, dir := range []string{t.outDir, t.results} {
		rel, ok := within(dir, full)
		if !ok {
			continue
		}
		root, err := os.OpenRoot(dir)
		if err != nil {
			return nil, fmt.Errorf("opening this dispatch's folder: %w", err)
		}
		defer root.Close()
		return openRegular(root, rel, name)
	}
	return nil, nil
}

func openRegular(root *os.Root, rel, name string) (fs.File, error) {
	info, err := root.Stat(rel)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("there is no file %s; list_files shows what there is", name)
	case err != nil:
		return nil, fmt.Errorf("%s cannot be opened: %w", name, err)
	case info.IsDir():
		return nil, fmt.Errorf("%s is a folder; use list_files", name)
	case !info.Mode().IsRegular(): // opening a pipe would wait for ever
		return nil, fmt.Errorf("%s is no regular file", name)
	}
	return root.Open(rel)
}

// same compares paths that may be spelt through links, such as /tmp on a Mac.
func same(a, b string) bool {
	return filepath.Clean(a) == filepath.Clean(b) || resolved(a) == resolved(b)
}

func resolved(p string) string {
	if real, err := filepath.EvalSymlinks(p); err == nil {
		return real
	}
	return filepath.Clean(p)
}

// within gives the path of full inside dir.
func within(dir, full string) (string, bool) {
	if dir == "" {
		return "", false
	}
	for _, base := range []string{dir, resolved(dir)} {
		if rel, err := filepath.Rel(base, filepath.Clean(full)); err == nil && filepath.IsLocal(rel) && rel != "." {
			return rel, true
		}
	}
	return "", false
}
