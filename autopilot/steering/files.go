package steering

import (
	"context"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"autopilot/autopilot/git"
)

// Files are those in the git folder of a working tree that decide what git sees of it and what it runs there.
type Files struct{ Repo *git.Repo }

// Snapshot is what decides, beside what is committed, how git sees a working tree and what it runs there: what is
// ignored, attributes, hooks, configuration, where objects and git folders lie. By paths in the git folder, with slashes. It
// can be written as JSON.
type Snapshot struct {
	Shared map[string]*git.Held `json:"shared"`          // in the git folder that all working trees share
	Own    map[string]*git.Held `json:"own"`             // in the working tree's own
	Whole  bool                 `json:"whole,omitempty"` // false: read by a program that knew only olderSteering
}

// Change is something that steers git and is not as it was.
type Change struct {
	Name    string // a path in the git folder, of configuration with the key: config (core.hookspath)
	Kept    string // by which git.ConfigFiles.Keep would leave it: the key, or the path
	Verdict Verdict
}

// Files that git reads, which may be pipes or devices by now: Hold does not see those.
var sharedSteering = []string{"config", "info/exclude", "info/attributes"}

// ownSteering are the files that steer in a working tree's own git folder.
var ownSteering = []string{"info/sparse-checkout", "config.worktree", "commondir", "gitdir"}

// pointers lead git to another folder, or to other objects: they are put back before git is asked anything.
var pointers = []string{"commondir", "gitdir", "objects/info/alternates", "objects/info/http-alternates"}

// steeringFolders are the folders of the shared git folder in which files steer, and which of these do. What git itself writes
// when it tidies up, and what is of one working tree, is passed over.
var steeringFolders = []struct {
	dir    string
	steers func(name string) bool
}{
	{"hooks", isHook},
	{"info", func(name string) bool { return name != "info/refs" && name != "info/sparse-checkout" }},
	{"objects/info", func(name string) bool {
		return name != "objects/info/packs" && !strings.HasPrefix(name, "objects/info/commit-graph")
	}},
	{"modules", func(name string) bool {
		return isConfig(name) || strings.Contains(name, "/hooks/") && isHook(name)
	}},
}

// storeFolders of a submodule hold what does not steer, and much of it.
var storeFolders = []string{"objects", "refs", "logs", "lfs"}

func isHook(name string) bool { return !strings.HasSuffix(name, ".sample") }

// isConfig says whether a file is compared by its keys: the rest people may change at any time.
func isConfig(name string) bool {
	return path.Base(name) == "config" || path.Base(name) == "config.worktree"
}

// olderSteering says whether a file was read by programs whose Snapshot is not whole.
func olderSteering(name string) bool {
	return strings.HasPrefix(name, "hooks/") || slices.Contains([]string{"info/exclude", "info/attributes", "info/grafts", "config", "info/sparse-checkout", "config.worktree"}, name)
}

// Read reads what steers git now.
func (f Files) Read() (Snapshot, error) {
	s := Snapshot{Shared: map[string]*git.Held{}, Own: map[string]*git.Held{}, Whole: true}
	err := hold(s.Shared, f.Repo.CommonDir(), "config")
	for _, folder := range steeringFolders {
		err = errors.Join(err, f.readFolder(s.Shared, folder.dir, folder.steers))
	}
	for _, name := range ownSteering {
		err = errors.Join(err, hold(s.Own, f.Repo.GitDir(), name))
	}
	return s, err
}

func hold(all map[string]*git.Held, dir, name string) error {
	held, err := git.Hold(filepath.Join(dir, filepath.FromSlash(name)))
	if held != nil {
		all[name] = held
	}
	return err
}

func (f Files) readFolder(all map[string]*git.Held, dir string, steers func(string) bool) error {
	err := filepath.WalkDir(filepath.Join(f.Repo.CommonDir(), filepath.FromSlash(dir)), func(file string, d fs.DirEntry, err error) error {
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return nil // it went while it was looked at, or was never there
		case err != nil:
			return err
		case d.IsDir() && dir == "modules" && slices.Contains(storeFolders, d.Name()):
			return fs.SkipDir
		case d.IsDir():
			return nil
		}
		rel, err := filepath.Rel(f.Repo.CommonDir(), file)
		if name := filepath.ToSlash(rel); err == nil && (steers(name) || name == dir) {
			err = hold(all, f.Repo.CommonDir(), name)
		}
		return err
	})
	return err
}

// PutBack makes what steers git what it was, and tells what was not. What was there is kept in a folder. Head is the commit that
// was checked out before. A key that the user lets others change counts from then on as if it had been there when the run began.
func (f Files) PutBack(ctx context.Context, was Snapshot, head, keep string) ([]Change, error) {
	p := &puttingBack{files: f, head: head, keep: keep}
	changed, err := f.putBack(ctx, was, p)
	if p.allowed {
		err = errors.Join(err, f.Repo.Config.Record(ctx))
	}
	return changed, err
}

func (f Files) putBack(ctx context.Context, was Snapshot, p *puttingBack) ([]Change, error) {
	now, err := f.Read()
	if err != nil || was.Shared == nil {
		return nil, err
	}
	if !was.Whole {
		newer := func(name string, _ *git.Held) bool { return !olderSteering(name) }
		maps.DeleteFunc(now.Shared, newer)
		maps.DeleteFunc(now.Own, newer)
	}
	if _, gone := os.Stat(f.Repo.GitDir()); gone == nil && was.Own != nil { // first: it may lead away from the rest
		err = p.all(ctx, f.Repo.GitDir(), ownSteering, was.Own, now.Own)
	}
	return p.changed, errors.Join(err, p.all(ctx, f.Repo.CommonDir(), sharedSteering, was.Shared, now.Shared))
}

// PutProgramsBack is the part of PutBack that comes before git looks at the working tree: by the configuration it
// may run a program then, and what is no plain file it may wait for. What hides files stays, so that they can be found.
func (f Files) PutProgramsBack(ctx context.Context, was Snapshot, head, keep string) ([]Change, error) {
	return f.putBack(ctx, was, &puttingBack{files: f, head: head, keep: keep, programs: true})
}

// Changed tells what PutBack would put back, and leaves it.
func (f Files) Changed(ctx context.Context, was Snapshot, head string) ([]Change, error) {
	return f.putBack(ctx, was, &puttingBack{files: f, head: head, looks: true})
}
