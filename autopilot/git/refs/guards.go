package refs

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"autopilot/autopilot/git"
	"autopilot/autopilot/plainfile"
)

// Guards remembers branch, HEAD, refs and index before a dispatch, tells what was done to them, and puts them back.
type Guards struct{ repo *git.Repo }

// Of guards the working tree of a repository.
func Of(repo *git.Repo) Guards { return Guards{repo} }

// Guard is the repository as it was before a dispatch. It can be written as JSON and compared by a later process; the
// bulk of it lies in the git folder until the next Watch.
type Guard struct {
	Branch       string     `json:"branch,omitempty"`
	Head         string     `json:"head"`
	Operation    string     `json:"operation,omitempty"`
	Index        string     `json:"index,omitempty"` // SHA-256 of the kept copy; "" when there was no index
	IndexChanged time.Time  `json:"indexChanged"`
	Refs         string     `json:"refs"`            // SHA-256 of the kept list
	Stash        string     `json:"stash,omitempty"` // SHA-256 of the kept log of the stash; "" when there was none
	Files        []git.File `json:"files,omitempty"` // the user's dirty and untracked files
	Ours         []Moved    `json:"-"`               // how refs were moved since, in order, and not by the dispatch
	Own          string     `json:"own,omitempty"`   // SHA-256 of the kept list of the program's own refs; "" where none is kept
	Locks        []string   `json:"locks,omitempty"` // git's lock files in this working tree

	// Logs tells how long the HEAD logs of the other working trees were, in bytes, by path in the common git folder.
	Logs map[string]int `json:"logs,omitempty"`

	copies map[string][]byte // what was kept, in the process that kept it, by SHA-256
}

// Watch remembers branch, HEAD, index, all refs outside refs/autopilot/ and those below own (refs/autopilot/csv/) that keep files,
// to be called right before a dispatch. Files are those of the user that the dispatch must not lose: Saved.All of the save made
// before. What an earlier Watch kept is dropped.
func (r Guards) Watch(ctx context.Context, own string, files []git.File) (Guard, error) {
	logs, err := r.logs().headLogs() // before the refs: a commit in between is then in the log as well
	if err != nil {
		return Guard{}, err
	}
	position, refs, err := r.positionAndRefs(ctx)
	if err != nil {
		return Guard{}, err
	}
	g := Guard{Branch: position.Branch, Head: position.Head, Operation: position.Operation, Files: files, Logs: logs, Locks: r.repo.Locks()}
	if g.Refs, err = r.keep(&g, refs.bytes()); err != nil {
		return Guard{}, fmt.Errorf("keeping the list of refs: %w", err)
	}
	if err := r.keepOwn(ctx, &g, own); err != nil {
		return Guard{}, fmt.Errorf("keeping the list of the program's own refs: %w", err)
	}
	if err := r.keepFiles(&g); err != nil {
		return Guard{}, err
	}
	// What earlier guards kept goes: only one dispatch at a time runs in a working tree.
	return g, git.RemoveOwn(r.repo.GitDir(), "kept", func(name string) bool { return !slices.Contains([]string{g.Refs, g.Index, g.Stash, g.Own}, name) })
}

func (r Guards) keepFiles(g *Guard) error {
	if err := r.keepIndex(g); err != nil {
		return err
	}
	stash, err := os.ReadFile(r.logs().of("refs/stash"))
	if err == nil {
		g.Stash, err = r.keep(g, stash)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("keeping the log of the stash: %w", err)
	}
	return nil
}

func (r Guards) keepIndex(g *Guard) error {
	index, err := r.repo.Index.Load()
	if err == nil && index.Exists {
		g.IndexChanged = index.Changed
		g.Index, err = r.keep(g, index.Bytes)
	}
	if err != nil {
		return fmt.Errorf("keeping the index: %w", err)
	}
	return nil
}

func (r Guards) indexFile() string { return filepath.Join(r.repo.GitDir(), "index") }

// guardedIndex is the index as it was.
func (r Guards) guardedIndex(g Guard) (git.IndexFile, error) {
	if g.Index == "" {
		return git.IndexFile{}, nil
	}
	data, err := r.recall(g, g.Index)
	return git.IndexFile{Bytes: data, Changed: g.IndexChanged, Exists: true}, err
}

// positionAndRefs is where HEAD is, and all refs but the program's own. Branches that another working tree has checked out
// belong to whoever works there, and are left out too.
func (r Guards) positionAndRefs(ctx context.Context) (git.Position, refTable, error) {
	out, err := r.repo.Read(ctx, "for-each-ref", "--format=%(refname)%00%(objectname)%00%(symref)%00%(worktreepath)%00%(HEAD)")
	if err != nil {
		return git.Position{}, nil, fmt.Errorf("listing refs: %w", err)
	}
	branch, table := "", refTable{}
	for line := range strings.Lines(string(out)) {
		f := strings.Split(strings.TrimSuffix(line, "\n"), "\x00")
		if len(f) != 5 || strings.HasPrefix(f[0], git.OwnRefs) || strings.HasPrefix(f[0], "refs/prefetch/") {
			continue
		}
		if f[4] == "*" && f[2] == "" {
			branch = strings.TrimPrefix(f[0], "refs/heads/")
		}
		if f[3] != "" && filepath.FromSlash(f[3]) != r.repo.Root() {
			table[f[0]] = elsewhere
		} else if f[2] != "" {
			table[f[0]] = "ref:" + f[2]
		} else {
			table[f[0]] = f[1]
		}
	}
	if branch == "" { // or it is one without a commit
		p, err := r.repo.Position(ctx)
		return p, table, err
	}
	return git.Position{Branch: branch, Head: table["refs/heads/"+branch], Operation: r.repo.Operation()}, table, nil
}

// RefsMovedBy tells which refs are not after a call what they were before it. Refs of the program's own do not count.
func (r Guards) RefsMovedBy(ctx context.Context, call func() error) ([]Moved, error) {
	_, before, err := r.positionAndRefs(ctx)
	if err != nil {
		return nil, err
	}
	err = call()
	_, after, refsErr := r.positionAndRefs(context.WithoutCancel(ctx))
	if refsErr != nil {
		return nil, errors.Join(err, refsErr)
	}
	return before.moved(after), err
}

// Accept makes part of a guard what was done to branch, refs and index after a time at which nothing of the dispatch was
// left: a person did it. What was deleted shows no time, and is not accepted; nor is a ref that was packed.
func (r Guards) Accept(ctx context.Context, g *Guard, after time.Time) error {
	_, now, err := r.positionAndRefs(ctx)
	if err != nil {
		return err
	}
	moved, err := r.movedRefs(ctx, *g, now)
	if err != nil {
		return err
	}
	for _, m := range moved {
		if m.After == "" || !plainfile.ChangedAfter(filepath.Join(r.repo.CommonDir(), filepath.FromSlash(m.Name)), after) {
			continue
		}
		g.Ours = append(g.Ours, m)
		if m.Name == "refs/heads/"+g.Branch {
			g.Head = m.After
		}
	}
	if !plainfile.ChangedAfter(r.indexFile(), after) {
		return nil
	}
	return r.keepIndex(g)
}
