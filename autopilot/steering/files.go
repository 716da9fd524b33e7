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
	"autopilot/autopilot/plainfile"
)

// Files are those in the git folder of a working tree that decide what git sees of it and what it runs there.
type Files struct{ Repo *git.Repo }

// Snapshot is what decides, beside what is committed, how git sees a working tree and what it runs there: what is
// ignored, attributes, hooks, configuration, where objects and git folders lie. By paths in the git folder, with slashes. It
// can be written as JSON.
type Snapshot struct {
	Shared map[string]*plainfile.Held `json:"shared"`          // in the git folder that all working trees share
	Own    map[string]*plainfile.Held `json:"own"`             // in the working tree's own
	Whole  bool                       `json:"whole,omitempty"` // false: read by a program that knew only olderSteering
}

// Change is something that steers git and is not as it was.
type Change struct {
	Name    string // a path in the git folder, of configuration with the key: config (core.hookspath)
	Kept    string // by which git.ConfigFiles.Keep would leave it: the key, or the path
	Verdict Verdict
}

// Pattern is what Keep is told to leave such changes: of a key with a name in its middle all that belongs to that name.
func (c Change) Pattern() string {
	switch at := strings.LastIndexByte(c.Kept, '.'); {
	case c.Kept == "core.hookspath":
		return "core.hooksPath" // as people write it
	case strings.Count(c.Kept, ".") == 2 && !strings.Contains(c.Kept, "/"):
		return c.Kept[:at] + ".*"
	}
	return c.Kept
}

// Files that steer in the git folder that all working trees share, and in a working tree's own.
var (
	sharedSteering = []string{"config", "shallow", "info/exclude", "info/attributes"}
	ownSteering    = []string{"info/sparse-checkout", "config.worktree", "commondir", "gitdir", "HEAD"}
)

// firstBack are the files that lead git elsewhere or keep it from working: they are put back before git is asked anything.
var firstBack = []string{"commondir", "gitdir", "HEAD", "shallow", "objects/info/alternates", "objects/info/http-alternates"}

// steeringFolders are the folders of the shared git folder in which files steer, and which of these do. What git itself writes
// when it tidies up, and what is of one working tree, is passed over.
var steeringFolders = []struct {
	dir    string
	steers func(name string) bool
}{
	{"hooks", isHook},
	{"remotes", anyName}, // older forms of remote.NAME.url
	{"branches", anyName},
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
func anyName(string) bool     { return true }

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
	s := Snapshot{Shared: map[string]*plainfile.Held{}, Own: map[string]*plainfile.Held{}, Whole: true}
	err := holdLinks(s.Shared, f.Repo.CommonDir())
	if f.Repo.GitDir() != f.Repo.CommonDir() {
		err = errors.Join(err, holdLinks(s.Own, f.Repo.GitDir()))
	}
	for _, name := range sharedSteering {
		err = errors.Join(err, hold(s.Shared, f.Repo.CommonDir(), name))
	}
	for _, folder := range steeringFolders {
		err = errors.Join(err, f.readFolder(s.Shared, folder.dir, folder.steers))
	}
	for _, name := range ownSteering {
		err = errors.Join(err, hold(s.Own, f.Repo.GitDir(), name))
	}
	return s, err
}

// linkless are the folders below a git folder that are large, or somebody else's.
var linkless = []string{"objects", "lfs", "annex", "modules", "worktrees", "autopilot"}

// holdLinks reads all links: git would write through one in the place of its logs or of a message.
func holdLinks(all map[string]*plainfile.Held, dir string) error {
	return filepath.WalkDir(dir, func(file string, d fs.DirEntry, err error) error {
		switch {
		case errors.Is(err, fs.ErrNotExist), errors.Is(err, fs.ErrPermission): // git can't write there either
			return nil
		case err != nil:
			return err
		case d.IsDir() && filepath.Dir(file) == dir && slices.Contains(linkless, d.Name()):
			return fs.SkipDir
		case d.Type()&fs.ModeSymlink == 0, strings.HasPrefix(d.Name(), ".#"): // Emacs has a message open
			return nil
		}
		name, err := filepath.Rel(dir, file)
		if err == nil {
			err = hold(all, dir, filepath.ToSlash(name))
		}
		return err
	})
}

func hold(all map[string]*plainfile.Held, dir, name string) error {
	held, err := plainfile.Hold(filepath.Join(dir, filepath.FromSlash(name)))
	if held != nil {
		all[name] = held
	}
	return err
}

func (f Files) readFolder(all map[string]*plainfile.Held, dir string, steers func(string) bool) error {
	err := filepath.WalkDir(filepath.Join(f.Repo.CommonDir(), filepath.FromSlash(dir)), func(file string, d fs.DirEntry, err error) error {
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return nil // it went while it was looked at, or was never there
		case err != nil:
			return err
		case d.IsDir() && dir == "modules" && slices.Contains(storeFolders, d.Name()):
			return fs.SkipDir
		case d.IsDir() && (dir != "hooks" || filepath.Dir(file) == f.Repo.CommonDir()):
			return nil
		}
		rel, err := filepath.Rel(f.Repo.CommonDir(), file)
		name := filepath.ToSlash(rel)
		switch {
		case err != nil:
		case d.IsDir(): // git would run it, or wait for it
			all[name] = &plainfile.Held{Mode: fs.ModeDir}
		case steers(name) || name == dir:
			err = hold(all, f.Repo.CommonDir(), name)
		}
		return err
	})
	return err
}

// PutBack makes what steers git what it was, and tells what was not. What was there is kept in a folder. Head is the commit that
// was checked out before. A key that the user lets others change counts from then on as if it had been there when the run began.
func (f Files) PutBack(ctx context.Context, was Snapshot, head, keep string) ([]Change, error) {
	return f.putBack(ctx, was, &puttingBack{files: f, head: head, keep: keep})
}

// PutNewBack is PutBack for what came or is another: what went stays away, since others may have put that back meanwhile.
func (f Files) PutNewBack(ctx context.Context, was Snapshot, head, keep string) ([]Change, error) {
	return f.putBack(ctx, was, &puttingBack{files: f, head: head, keep: keep, news: true})
}

func (f Files) putBack(ctx context.Context, was Snapshot, p *puttingBack) ([]Change, error) {
	now, err := f.Read()
	if err != nil || was.Shared == nil {
		return nil, err
	}
	if !was.Whole {
		newer := func(name string, h *plainfile.Held) bool { return !olderSteering(name) || h != nil && h.Mode.IsDir() }
		was.Shared, was.Own = maps.Clone(was.Shared), maps.Clone(was.Own)
		for _, all := range []map[string]*plainfile.Held{now.Shared, now.Own, was.Shared, was.Own} {
			maps.DeleteFunc(all, newer)
		}
	}
	if _, gone := os.Stat(f.Repo.GitDir()); gone == nil && was.Own != nil { // first: it may lead away from the rest
		err = p.all(ctx, f.Repo.GitDir(), ownSteering, was.Own, now.Own)
	}
	err = errors.Join(err, p.all(ctx, f.Repo.CommonDir(), sharedSteering, was.Shared, now.Shared))
	if p.allowed {
		err = errors.Join(err, f.Repo.Config.Record(ctx))
	}
	return p.changed, err
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
