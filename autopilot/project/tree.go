package project

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
)

// maxManifest is the size up to which a manifest is read, in bytes.
const maxManifest = 1 << 20

// tree is the list of a project's files, and a way to read them.
type tree struct {
	root     *os.Root
	paths    []string // in order, without vendored files and run data
	there    map[string]bool
	texts    map[string]string
	problems []error
}

// vendored are folders that hold other people's code, wherever they lie, and the program's own.
var vendored = []string{"node_modules", "vendor", "third_party", "bower_components", ".yarn", ".harness", ".git", ".venv", "testdata"}

func newTree(root *os.Root, paths []string) *tree {
	t := &tree{root: root, there: map[string]bool{}, texts: map[string]string{}}
	for _, p := range paths {
		if !slices.ContainsFunc(strings.Split(path.Dir(p), "/"), func(s string) bool { return slices.Contains(vendored, s) }) {
			t.paths = append(t.paths, p)
			t.there[p] = true
		}
	}
	slices.Sort(t.paths)
	t.paths = slices.Compact(t.paths)
	return t
}

// has says whether one of the names is a file in dir.
func (t *tree) has(dir string, names ...string) bool { return t.first(dir, names...) != "" }

// first is the path of the first of the names that is a file in dir.
func (t *tree) first(dir string, names ...string) string {
	for _, n := range names {
		if p := path.Join(dir, n); t.there[p] {
			return p
		}
	}
	return ""
}

// any says whether a path below dir ends with one of the endings.
func (t *tree) any(dir string, endings ...string) bool {
	return slices.ContainsFunc(t.paths, func(p string) bool {
		return inside(dir, p) && slices.ContainsFunc(endings, func(e string) bool { return strings.HasSuffix(p, e) })
	})
}

// files are the paths with a name, or with one that fits a pattern.
func (t *tree) files(name string) []string {
	return slices.DeleteFunc(slices.Clone(t.paths), func(p string) bool {
		fits, _ := path.Match(name, path.Base(p))
		return !fits
	})
}

// read is the text of a file in dir, "" where it is not there.
func (t *tree) read(dir, name string) string {
	p := path.Join(dir, name)
	if text, known := t.texts[p]; known || !t.there[p] {
		return text
	}
	t.texts[p] = ""
	info, err := t.root.Stat(p)
	if err != nil || !info.Mode().IsRegular() || info.Size() > maxManifest {
		return "" // gone, a link that leads out, or too large to be written by hand
	}
	data, err := t.root.ReadFile(p)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.problem(p, err)
	}
	t.texts[p] = strings.TrimPrefix(string(data), "\ufeff")
	return t.texts[p]
}

// decode reads a file of dir into a value. It is false where that cannot be done, which is a problem, said once; a file
// that is empty or not there leaves the value as it is.
func (t *tree) decode(dir, name string, unmarshal func([]byte, any) error, into any) bool {
	text := t.read(dir, name)
	if text == "" {
		return true
	}
	if err := unmarshal([]byte(text), into); err != nil {
		file := path.Join(dir, name)
		t.problem(file, err)
		t.texts[file] = ""
		return false
	}
	return true
}

// problem keeps what is wrong with a file.
func (t *tree) problem(p string, err error) {
	t.problems = append(t.problems, fmt.Errorf("reading %s: %w", p, err))
}

// folder is the folder of a path, "" for the root.
func folder(p string) string {
	if d := path.Dir(p); d != "." {
		return d
	}
	return ""
}

// inside says whether a path lies in dir or below it.
func inside(dir, p string) bool { return dir == "" || p == dir || strings.HasPrefix(p, dir+"/") }
