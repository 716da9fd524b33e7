package git

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode"
)

// Commits makes commits.
type Commits struct {
	*runner
	config  *Config
	history *History
	index   *Index
	tree    *Tree
	files   *Files
}

// Commit is a commit to be made.
type Commit struct {
	Paths       []string      // exactly these: changed, new and deleted ones, both sides of a rename
	Subject     string        // one line
	Body        string        // "" for none
	Trailers    [][2]string   // name and value, in this order, such as {"Autopilot-Key", "…"}
	HookTimeout time.Duration // for all hooks and the signature together; 0 is ten minutes
}

// Committed is a commit that was made.
type Committed struct {
	SHA         string
	HookChanged []string // paths that hooks changed, in the tree or in the commit: what was validated is not what is there
	HookLeft    []string // untracked files that hooks made, and that are no part of the commit
	TakenOut    []string // paths that hooks put into the commit although they differed before and are none of its own: they are as they were
	Hook        string   // the hooks that may have done that
	CutOff      string   // a hook that ran on after the commit was made, and was stopped; "" otherwise
}

// Make commits these paths as they are in the working tree, and nothing else: what the user has staged of other
// files stays staged. The user's hooks and signature apply, with a time limit, without an editor or a terminal. Paths
// that do not differ from HEAD are passed over. In a Still context in which the working tree was looked at, what is
// committed has to be what was seen. Errors: NothingToCommitError, HookError, LockError, AlteredError; after each of them
// the index is as it was.
func (r *Commits) Make(ctx context.Context, c Commit) (Committed, error) {
	before, err := r.tree.Status(ctx)
	if err != nil {
		return Committed{}, err
	}
	paths, created := choose(before.Dirt, c.Paths)
	if len(paths) == 0 {
		return Committed{}, &NothingToCommitError{}
	}
	index, err := r.index.Load()
	if err != nil {
		return Committed{}, err
	}
	marks, err := r.fingerprints(before.Dirt)
	if err != nil {
		return Committed{}, err
	}
	direct, err := r.withoutShadowed(paths)
	if err != nil {
		return Committed{}, err
	}
	if err := r.intend(ctx, created); err != nil {
		return Committed{}, fmt.Errorf("announcing new files to git: %w", err)
	}
	made := committing{before: before, paths: paths, created: created, index: index, marks: marks}
	if seen, ok := known[listed](ctx, r.runner, "tree"); ok {
		made.seen = seen.work
	}
	ran, err := r.commitPaths(ctx, c, direct)
	return r.outcome(ctx, made, ran, err)
}

// committing is what has to be known of the time before a commit to judge its result.
type committing struct {
	before  Status
	paths   []string
	created []string
	index   IndexFile
	marks   map[string]File
	seen    tree // the working tree, as it was looked at before; nil: it was not
}

// choose picks the paths that differ from HEAD, and those among them that git does not know yet.
func choose(dirt []Change, wanted []string) (paths, created []string) {
	for _, change := range dirt {
		if !slices.Contains(wanted, change.Path) {
			continue
		}
		paths = append(paths, change.Path)
		if change.Untracked {
			created = append(created, change.Path)
		}
	}
	return paths, created
}

// withoutShadowed leaves out deleted paths in whose place, or in place of whose folder, another of the paths now lies:
// git commit would look at the wrong thing there, and committing the other path removes them anyway.
func (r *Commits) withoutShadowed(paths []string) ([]string, error) {
	d, err := r.openDisk()
	if err != nil {
		return nil, err
	}
	defer d.Close()
	return slices.DeleteFunc(slices.Clone(paths), func(path string) bool {
		if by := d.Blocker(path); by != "" {
			return slices.Contains(paths, by)
		}
		info, err := d.Lstat(filepath.FromSlash(path))
		return err == nil && info.IsDir() &&
			slices.ContainsFunc(paths, func(other string) bool { return strings.HasPrefix(other, path+"/") })
	}), nil
}

// intend makes new files known to the index without staging them; commit --only takes only what git knows.
func (r *Commits) intend(ctx context.Context, paths []string) error {
	if len(paths) == 0 {
		return nil
	}
	_, err := r.write(ctx, joined(paths), "add", "--intent-to-add", "--force", "--pathspec-from-file=-", "--pathspec-file-nul")
	return err
}

func (r *Commits) outcome(ctx context.Context, c committing, ran hooksRun, err error) (Committed, error) {
	// The caller may have given up, yet the index has to be put right.
	ctx = context.WithoutCancel(ctx)
	head, held, heldErr := r.committedIn(ctx, c)
	if heldErr != nil {
		return Committed{}, errors.Join(err, heldErr)
	}
	if head == c.before.Head {
		if err == nil {
			err = &NothingToCommitError{}
		}
		if len(c.created) > 0 {
			err = errors.Join(err, r.index.Store(ctx, c.index))
		}
		return Committed{}, err
	}
	made := Committed{SHA: head}
	if err != nil {
		// Stopped between the commit and the index that belongs to it.
		if err := r.index.AsHead(ctx, c.paths); err != nil {
			return made, err
		}
	}
	if hook, ok := errors.AsType[*HookError](err); ok {
		made.CutOff = hook.Hook
	}
	if len(ran.names) == 0 {
		if err := r.asSeen(ctx, c, made, held); err != nil {
			return Committed{}, err
		}
		return made, nil
	}
	if made.TakenOut = c.othersIn(held); len(made.TakenOut) > 0 {
		made.Hook = ran.mayStage()
		if made.SHA, err = r.amendWithout(ctx, made, c.before.Head); err != nil {
			return made, err
		}
	}
	after, err := r.tree.Status(Still(ctx))
	if err != nil {
		return made, err
	}
	beside := slices.DeleteFunc(slices.Sorted(maps.Keys(held)), func(path string) bool {
		return slices.Contains(c.paths, path) || slices.Contains(made.TakenOut, path)
	})
	if err := r.index.AsHead(ctx, behind(c, after, beside)); err != nil {
		return made, err
	}
	if err := r.byHooks(c, after, beside, &made); err != nil {
		return made, err
	}
	if err := r.asSeen(ctx, c, made, held); err != nil {
		return Committed{}, err
	}
	return made, nil
}

// message is the whole text: subject, body, trailers. Line breaks within a subject or a trailer become spaces.
func (c Commit) message() string {
	parts := []string{oneLine(c.Subject)}
	if body := strings.TrimSpace(c.Body); body != "" {
		parts = append(parts, body)
	}
	var trailers []string
	for _, t := range c.Trailers {
		trailers = append(trailers, t[0]+": "+oneLine(t[1]))
	}
	if len(trailers) > 0 {
		parts = append(parts, strings.Join(trailers, "\n"))
	}
	return strings.Join(parts, "\n\n") + "\n"
}

// oneLine leaves out what a terminal acts on: git log prints a message as it is.
func oneLine(text string) string {
	return strings.Join(strings.FieldsFunc(text, func(r rune) bool {
		return unicode.IsSpace(r) || unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r)
	}), " ")
}

// commitPaths runs git commit with the user's hooks.
func (r *Commits) commitPaths(ctx context.Context, c Commit, paths []string) (hooksRun, error) {
	message, err := r.tempFile("message-*")
	if err != nil {
		return hooksRun{}, err
	}
	defer os.Remove(message)
	if err := os.WriteFile(message, []byte(c.message()), 0o644); err != nil {
		return hooksRun{}, err
	}
	limit := c.HookTimeout
	if limit == 0 {
		limit = 10 * time.Minute
	}
	return r.runWithHooks(ctx, limit, joined(paths), append(r.pinned.signing(), "commit", "--quiet", "--only", "--cleanup=whitespace",
		"--file="+message, "--pathspec-from-file=-", "--pathspec-file-nul")...)
}
