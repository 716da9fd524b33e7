package autopilot

import (
	"context"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"autopilot/autopilot/check"
	"autopilot/autopilot/git"
)

// maxWalked is how many files and folders are looked at in folders that git ignores: a folder of data may hold millions.
const maxWalked = 20_000

// hidden reads the files that git ignores and that tests are steered by, by path. They are not committed, and no diff
// shows them. Packages that were installed, environments and what was built are passed over.
func (e *Engine) hidden(ctx context.Context) (map[string]*git.Held, error) {
	ignored, err := e.Repo.Ignored(ctx)
	if err != nil {
		return nil, err
	}
	var paths []string
	left := maxWalked
	for _, p := range ignored {
		if dir, folder := strings.CutSuffix(p, "/"); folder {
			paths = append(paths, e.steeringWithin(dir, &left)...)
		} else if check.Steers(p) {
			paths = append(paths, p)
		}
	}
	files := map[string]*git.Held{}
	for _, p := range paths {
		held, err := git.Hold(e.inTree(p))
		if err != nil {
			return nil, err
		}
		if held != nil && !e.isMadeBy(p, held) {
			files[p] = held
		}
	}
	return files, nil
}

func (e *Engine) inTree(p string) string { return filepath.Join(e.Repo.Root(), filepath.FromSlash(p)) }

// steeringWithin looks in a folder that is ignored as a whole. One that cannot be read is passed over, as tools do.
func (e *Engine) steeringWithin(dir string, left *int) []string {
	var paths []string
	root := e.Repo.Root()
	_ = filepath.WalkDir(e.inTree(dir), func(file string, d fs.DirEntry, err error) error {
		if *left--; *left < 0 {
			return fs.SkipAll
		}
		if err != nil {
			return nil //nolint:nilerr // see above
		}
		if !d.IsDir() {
			if check.SteersFromWithin(d.Name()) {
				paths = append(paths, rel(root, file))
			}
			return nil
		}
		if _, err := os.Lstat(filepath.Join(file, "pyvenv.cfg")); err == nil || check.IsMade(d.Name()) {
			return fs.SkipDir
		}
		return nil
	})
	return paths
}

// makers are what a Makefile is made from, where one of them lies beside it.
var makers = []string{"Makefile.in", "Makefile.am", "CMakeLists.txt", "configure", "meson.build", "Makefile.PL", "extconf.rb"}

// isMadeBy says whether a file only looks like one that steers: a Makefile that is configured, the weights of a model.
func (e *Engine) isMadeBy(p string, held *git.Held) bool {
	if path.Ext(p) == ".pth" {
		return !utf8.Valid(held.Text) || strings.ContainsRune(string(held.Text), 0)
	}
	return path.Base(p) == "Makefile" && slices.ContainsFunc(makers, func(name string) bool {
		return e.exists(path.Join(path.Dir(p), name))
	})
}

// changedHidden lists what is another file than before, is new, or is gone. One that is no longer ignored shows in the
// diff.
func (e *Engine) changedHidden(was, now map[string]*git.Held) ([]string, error) {
	var changed []string
	paths := slices.AppendSeq(slices.Collect(maps.Keys(was)), maps.Keys(now))
	slices.Sort(paths)
	for _, p := range slices.Compact(paths) {
		present := now[p]
		if present == nil {
			there, err := git.Hold(e.inTree(p))
			if err != nil {
				return nil, err
			}
			if there != nil {
				continue
			}
		}
		if !was[p].Same(present) {
			changed = append(changed, p)
		}
	}
	return changed, nil
}
