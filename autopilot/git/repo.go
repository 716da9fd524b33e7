package git

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"autopilot/autopilot/git/gitdir"
	"autopilot/autopilot/plainfile"
)

// Repo is one working tree of a repository. Its methods, and those of its parts, may be called from several goroutines as
// long as only one of them writes.
type Repo struct {
	*runner
	Config    *Config      // git's configuration
	Settings  *ConfigFiles // git's configuration, file by file
	History   *History     // commits
	Refs      *Refs        // names of commits
	Index     *Index       // what is staged
	Tree      *Tree        // the working tree as git sees it
	Files     *Files       // the working tree as bytes: saved, restored, reset
	Blobs     *Blobs       // what the program keeps for itself
	Commits   *Commits     // the making of commits
	Worktrees *Worktrees   // the repository's other working trees
	begun     bool         // HEAD was a commit when the repository was found
}

// newRepo gives each part what it needs of the others.
func newRepo(r *runner) *Repo {
	config, history, index := &Config{runner: r}, &History{runner: r}, &Index{runner: r}
	refs := &Refs{runner: r, config: config}
	tree := &Tree{runner: r, config: config, history: history, index: index}
	files := &Files{runner: r, refs: refs, history: history, tree: tree, limits: limits{file: MaxSavedFile, all: MaxSavedTotal}}
	return &Repo{
		runner: r, Config: config, Settings: &ConfigFiles{runner: r}, History: history, Refs: refs, Index: index, Tree: tree, Files: files,
		Blobs:     &Blobs{runner: r, history: history},
		Commits:   &Commits{runner: r, config: config, history: history, index: index, tree: tree, files: files},
		Worktrees: &Worktrees{runner: r, config: config, history: history, refs: refs},
	}
}

// Open finds the repository that dir lies in and makes sure that commits can be made there. Its errors are
// those of Find, NoCommitError and NoIdentityError, each ending in the commands that fix it.
func Open(ctx context.Context, dir string) (*Repo, error) {
	r, err := Find(ctx, dir)
	if err != nil {
		return nil, err
	}
	if !r.begun {
		return nil, r.withoutCommit(ctx)
	}
	set, err := r.Config.readSettings(ctx)
	if err != nil {
		return nil, err
	}
	for _, who := range []string{"GIT_AUTHOR_IDENT", "GIT_COMMITTER_IDENT"} {
		if _, _, certain := set.identity(strings.TrimSuffix(who, "_IDENT")); certain {
			continue
		}
		if _, err := r.read(ctx, "var", who); err != nil {
			return nil, identityError(err)
		}
	}
	return r, nil
}

// Read runs a command of git that changes nothing, and hands back what it printed.
func (r *Repo) Read(ctx context.Context, args ...string) ([]byte, error) { return r.read(ctx, args...) }

// Write runs a command of git with a standard input, to its end.
func (r *Repo) Write(ctx context.Context, stdin []byte, args ...string) ([]byte, error) {
	return r.write(ctx, stdin, args...)
}

// withoutCommit says why HEAD names no commit: there is none yet, or the branch is there and git cannot read it.
func (r *Repo) withoutCommit(ctx context.Context) error {
	_, err := r.History.Log(ctx, 1)
	if failed, ok := errors.AsType[*CommandError](err); err == nil || ok && strings.Contains(failed.Stderr, "does not have any commits yet") {
		return &NoCommitError{Root: r.root}
	}
	return noRepository(r.root, err)
}

// Find is Open for commands that only look: the repository may be without a commit and without an identity. Its
// errors are NoRepositoryError, LineBreakError, gitdir.NotPlainError and WorktreeElsewhereError.
func Find(ctx context.Context, dir string) (*Repo, error) {
	r := newRepo(&runner{root: dir, lockWait: time.Second, patience: patience})
	if err := gitdir.Passable(dir); err != nil {
		return nil, err
	}
	if err := r.askWhere(ctx); err != nil {
		return nil, err
	}
	return r, nil
}

// askWhere has git say where the repository of the folder root is.
func (r *Repo) askWhere(ctx context.Context) error {
	out, err := r.read(ctx, "rev-parse", "--show-toplevel", "--absolute-git-dir",
		"--path-format=absolute", "--git-common-dir", "--show-object-format", "--verify", "--quiet", "HEAD")
	if r.begun = err == nil; err != nil && exitCode(err) != 1 { // 1: HEAD is no commit, and all else was told
		return noRepository(r.root, err)
	}
	from, lines := r.root, split(out, '\n')
	if len(lines) != 4 && !r.begun || len(lines) != 5 && r.begun {
		return &LineBreakError{Dir: r.root}
	}
	r.root = filepath.FromSlash(lines[0])
	r.gitDir = filepath.FromSlash(lines[1])
	r.commonDir = filepath.FromSlash(lines[2])
	r.longIDs, r.found = lines[3] == "sha256", true
	if gitdir.LeadsElsewhere(r.root, r.gitDir, from) {
		return &WorktreeElsewhereError{GitDir: r.gitDir, Root: r.root}
	}
	return nil
}

func noRepository(dir string, err error) error {
	var failed *CommandError
	if !errors.As(err, &failed) {
		return err
	}
	refused := &NoRepositoryError{Dir: dir, Reason: failed.Stderr}
	if there := gitdir.NearestGit(dir); there != "" && gitdir.LookedAt(there, failed.Stderr) {
		refused.There, refused.Gone = there, gitdir.DeadEnd(there)
	}
	return refused
}

// Exclude adds patterns to .git/info/exclude, which all working trees share and no commit holds. Those that are there
// already are not added again.
func (r *Repo) Exclude(_ context.Context, patterns ...string) error {
	name := filepath.Join(r.commonDir, "info", "exclude")
	old, err := plainfile.Read(name)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	text := string(old)
	have := strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n")
	if text != "" && !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	for _, pattern := range patterns {
		if !slices.Contains(have, pattern) {
			text += pattern + "\n"
			have = append(have, pattern)
		}
	}
	if text == string(old) {
		return nil
	}
	return r.Replace(name, []byte(text))
}

// Stands says whether the folder is there and still is this working tree: without its link a folder inside of another
// working tree would be taken for a part of that one.
func (r *Repo) Stands() bool {
	if r.gitDir == r.commonDir {
		return true
	}
	_, err := os.Stat(filepath.Join(r.gitDir, "HEAD"))
	return err == nil && gitdir.SameFile(gitdir.LinkOf(r.root), r.gitDir)
}
