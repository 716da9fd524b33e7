package workspace

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

	"autopilot/autopilot/git"
	"autopilot/autopilot/integrity"
	"autopilot/autopilot/machine"
	"autopilot/autopilot/plainfile"
)

// MaxWalked is how many files and folders are looked at in folders that git ignores: a folder of data may hold millions.
const MaxWalked = 20_000

// Hidden reads the files that git ignores and that tests are steered by, by path. They are not committed, and no diff
// shows them. Packages that were installed, environments and what was built are passed over.
func Hidden(ctx context.Context, repo *git.Repo) (map[string]*plainfile.Held, error) {
	status, err := repo.Tree.Status(ctx)
	if err != nil {
		return nil, err
	}
	var paths []string
	root, left := repo.Root(), MaxWalked
	for _, p := range status.Ignored {
		if dir, folder := strings.CutSuffix(p, "/"); folder {
			paths = append(paths, steeringWithin(root, dir, &left)...)
		} else if integrity.Steers(p) {
			paths = append(paths, p)
		}
	}
	files := map[string]*plainfile.Held{}
	for _, p := range paths {
		held, err := plainfile.Hold(InTree(root, p))
		if err != nil {
			return nil, err
		}
		if held != nil && !isMadeBy(root, p, held) {
			files[p] = held
		}
	}
	return files, nil
}

// InTree is where a path, as git has it, lies below the root of a working tree.
func InTree(root, p string) string { return filepath.Join(root, filepath.FromSlash(p)) }

// steeringWithin looks in a folder that is ignored as a whole. One that cannot be read is passed over, as tools do.
func steeringWithin(root, dir string, left *int) []string {
	var paths []string
	_ = filepath.WalkDir(InTree(root, dir), func(file string, d fs.DirEntry, err error) error {
		if *left--; *left < 0 {
			return fs.SkipAll
		}
		if err != nil {
			return nil //nolint:nilerr // see above
		}
		if !d.IsDir() {
			if integrity.SteersFromWithin(d.Name()) {
				paths = append(paths, plainfile.Rel(root, file))
			}
			return nil
		}
		if _, err := os.Lstat(filepath.Join(file, "pyvenv.cfg")); err == nil || integrity.IsMade(d.Name()) {
			return fs.SkipDir
		}
		return nil
	})
	return paths
}

// makers are what a Makefile is made from, where one of them lies beside it.
var makers = []string{"Makefile.in", "Makefile.am", "CMakeLists.txt", "configure", "meson.build", "Makefile.PL", "extconf.rb"}

// isMadeBy says whether a file only looks like one that steers: a Makefile that is configured, the weights of a model.
func isMadeBy(root, p string, held *plainfile.Held) bool {
	if path.Ext(p) == ".pth" {
		return !utf8.Valid(held.Text) || strings.ContainsRune(string(held.Text), 0)
	}
	return path.Base(p) == "Makefile" && slices.ContainsFunc(makers, func(name string) bool {
		_, err := os.Stat(InTree(root, path.Join(path.Dir(p), name)))
		return err == nil
	})
}

// changedHidden lists what is another file than before, is new, or is gone. One that is no longer ignored shows in the
// diff.
func changedHidden(root string, was, now map[string]*plainfile.Held) ([]string, error) {
	var changed []string
	paths := slices.AppendSeq(slices.Collect(maps.Keys(was)), maps.Keys(now))
	slices.Sort(paths)
	for _, p := range slices.Compact(paths) {
		present := now[p]
		if present == nil {
			there, err := plainfile.Hold(InTree(root, p))
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

// PutHiddenBack puts back the files that git ignores, now or before a dispatch, and tests are steered by. What was there is
// kept under a ref; what is too large for that is moved aside, and listed.
func (g RepoGuard) PutHiddenBack(ctx context.Context, was, now map[string]*plainfile.Held) (found []machine.Finding, aside []string, err error) {
	if was == nil {
		return nil, nil, nil
	}
	root := g.Repo.Root()
	changed, err := changedHidden(root, was, now)
	if err != nil || len(changed) == 0 {
		return nil, nil, err
	}
	saved, err := g.Repo.Files.Save(ctx, g.Kept+"/ignored", "files that git ignores and tests are steered by", changed)
	if err != nil {
		return nil, nil, err
	}
	for _, f := range saved.LeftOut {
		moved, err := g.Repo.Files.MoveAside(f.Path)
		if err != nil {
			return nil, aside, err
		}
		aside = append(aside, moved)
	}
	kept := ""
	if saved.Ref != "" {
		kept = "; what was there is kept under " + saved.Ref
	}
	for _, path := range changed {
		if err := was[path].PutAt(InTree(root, path)); err != nil {
			return found, aside, err
		}
		found = append(found, Integrity(machine.Critical, g.Who+" changed a file that git ignores and that decides how tests run",
			"what is validated would depend on what is neither committed nor reviewed; it was put back as it was before"+kept, path))
	}
	return found, aside, nil
}
