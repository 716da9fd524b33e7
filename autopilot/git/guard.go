package git

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"autopilot/autopilot/plainfile"
)

// Guards remembers branch, HEAD, refs and index before a dispatch, tells what was done to them, and puts them back.
type Guards struct {
	*runner
	history *History
	refs    *Refs
	index   *Index
	files   *Files
	kept    *kept
	logs    *refLogs
}

// Guard is the repository as it was before a dispatch. It can be written as JSON and compared by a later process; the
// bulk of it lies in the git folder until the next Watch.
type Guard struct {
	Branch       string    `json:"branch,omitempty"`
	Head         string    `json:"head"`
	Operation    string    `json:"operation,omitempty"`
	Index        string    `json:"index,omitempty"` // SHA-256 of the kept copy; "" when there was no index
	IndexChanged time.Time `json:"indexChanged"`
	Refs         string    `json:"refs"`            // SHA-256 of the kept list
	Stash        string    `json:"stash,omitempty"` // SHA-256 of the kept log of the stash; "" when there was none
	Files        []File    `json:"files,omitempty"` // the user's dirty and untracked files
	Ours         []Moved   `json:"-"`               // how refs were moved since, in order, and not by the dispatch
	Own          string    `json:"own,omitempty"`   // SHA-256 of the kept list of the program's own refs; "" where none is kept
	Locks        []string  `json:"locks,omitempty"` // git's lock files in this working tree

	// Logs tells how long the HEAD logs of the other working trees were, in bytes, by path in the common git folder.
	Logs map[string]int `json:"logs,omitempty"`

	refs refTable // the list itself, in the process that made it
}

// Watch remembers branch, HEAD, index, all refs outside refs/autopilot/ and those below own (refs/autopilot/csv/) that keep files,
// to be called right before a dispatch. Files are those of the user that the dispatch must not lose: Saved.All of the save made
// before. What an earlier Watch kept is dropped.
func (r *Guards) Watch(ctx context.Context, own string, files []File) (Guard, error) {
	logs, err := r.logs.headLogs() // before the refs: a commit in between is then in the log as well
	if err != nil {
		return Guard{}, err
	}
	position, refs, err := r.positionAndRefs(ctx)
	if err != nil {
		return Guard{}, err
	}
	g := Guard{Branch: position.Branch, Head: position.Head, Operation: position.Operation, Files: files, Logs: logs, refs: refs, Locks: held(r.locks())}
	if g.Refs, err = r.kept.keep(refs.bytes()); err != nil {
		return Guard{}, fmt.Errorf("keeping the list of refs: %w", err)
	}
	if g.Own, err = r.kept.keepOwn(ctx, r.refs, own); err != nil {
		return Guard{}, fmt.Errorf("keeping the list of the program's own refs: %w", err)
	}
	if err := r.keepFiles(&g); err != nil {
		return Guard{}, err
	}
	return g, r.kept.forget(g.Refs, g.Index, g.Stash, g.Own)
}

// RemoveLocks removes the lock files that came in this working tree since the Watch, and returns them: whoever made them has
// ended. One of a git that is at work all the same is gone in a moment.
func (r *Guards) RemoveLocks(ctx context.Context, was Guard) (removed []string, err error) {
	_ = r.patiently(context.WithoutCancel(ctx), func() error {
		removed = slices.DeleteFunc(held(r.locks()), func(lock string) bool { return slices.Contains(was.Locks, lock) })
		if len(removed) > 0 {
			return &LockError{File: removed[0]}
		}
		return nil
	})
	for _, lock := range removed {
		err = errors.Join(err, os.RemoveAll(lock))
	}
	return removed, err
}

func (r *Guards) keepFiles(g *Guard) error {
	if err := r.keepIndex(g); err != nil {
		return err
	}
	stash, err := os.ReadFile(r.refLog("refs/stash"))
	if err == nil {
		g.Stash, err = r.kept.keep(stash)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("keeping the log of the stash: %w", err)
	}
	return nil
}

func (r *Guards) keepIndex(g *Guard) error {
	index, err := r.index.load()
	if err == nil && index.exists {
		g.IndexChanged = index.changed
		g.Index, err = r.kept.keep(index.bytes)
	}
	if err != nil {
		return fmt.Errorf("keeping the index: %w", err)
	}
	return nil
}

// guardedIndex is the index as it was.
func (r *Guards) guardedIndex(g Guard) (indexFile, error) {
	if g.Index == "" {
		return indexFile{}, nil
	}
	data, err := r.kept.recall(g.Index)
	return indexFile{bytes: data, changed: g.IndexChanged, exists: true}, err
}

// refTable holds a value for each ref: an object's id, or "ref:" and a name where it is symbolic.
type refTable map[string]string

// list lists all refs but the program's own. Branches that another working tree has checked out belong to whoever
// works there, and are left out too.
func (r *Guards) list(ctx context.Context) (refTable, error) {
	table, _, err := r.listGuarded(ctx)
	return table, err
}

// positionAndRefs is Position and refs by one call, but for a HEAD that is on no branch with a commit.
func (r *Guards) positionAndRefs(ctx context.Context) (Position, refTable, error) {
	table, branch, err := r.listGuarded(ctx)
	if err != nil || branch == "" {
		p, positionErr := r.Position(ctx)
		return p, table, cmp.Or(err, positionErr)
	}
	return Position{Branch: branch, Head: table["refs/heads/"+branch], Operation: r.operation()}, table, nil
}

// listGuarded is refs, and the branch that HEAD is on; "" where HEAD is on none, or on one without a commit.
func (r *Guards) listGuarded(ctx context.Context) (table refTable, branch string, err error) {
	out, err := r.read(ctx, "for-each-ref", "--format=%(refname)%00%(objectname)%00%(symref)%00%(worktreepath)%00%(HEAD)")
	if err != nil {
		return nil, "", fmt.Errorf("listing refs: %w", err)
	}
	table = refTable{}
	for _, line := range split(out, '\n') {
		f := strings.Split(line, "\x00")
		if len(f) != 5 || strings.HasPrefix(f[0], ownRefs) || strings.HasPrefix(f[0], "refs/prefetch/") {
			continue
		}
		if f[4] == "*" && f[2] == "" {
			branch = branchName(f[0])
		}
		if f[3] != "" && filepath.FromSlash(f[3]) != r.root {
			table[f[0]] = elsewhere
		} else if f[2] != "" {
			table[f[0]] = "ref:" + f[2]
		} else {
			table[f[0]] = f[1]
		}
	}
	return table, branch, nil
}

// elsewhere is the value of a branch that another working tree has checked out.
const elsewhere = "elsewhere"

// RefsMovedBy tells which refs are not after a call what they were before it. Refs of the program's own do not count.
func (r *Guards) RefsMovedBy(ctx context.Context, call func() error) ([]Moved, error) {
	before, err := r.list(ctx)
	if err != nil {
		return nil, err
	}
	err = call()
	after, refsErr := r.list(context.WithoutCancel(ctx))
	if refsErr != nil {
		return nil, errors.Join(err, refsErr)
	}
	return before.moved(after), err
}

// moved lists by name what is another in a later table.
func (t refTable) moved(now refTable) []Moved {
	var moved []Moved
	for _, name := range slices.Compact(slices.Sorted(slices.Values(append(t.names(), now.names()...)))) {
		m := Moved{Name: name, Before: t[name], After: now[name]}
		if m.Before != m.After && m.Before != elsewhere && m.After != elsewhere {
			moved = append(moved, m)
		}
	}
	return moved
}

// take makes the table what it is after these moves.
func (t refTable) take(moves []Moved) {
	for _, m := range moves {
		switch {
		case t[m.Name] == elsewhere:
		case m.After == "":
			delete(t, m.Name)
		default:
			t[m.Name] = m.After
		}
	}
}

func (t refTable) names() []string {
	var names []string
	for name := range t {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

func (t refTable) bytes() []byte {
	var b strings.Builder
	for _, name := range t.names() {
		b.WriteString(name + " " + t[name] + "\n")
	}
	return []byte(b.String())
}

func parseRefTable(data []byte) refTable {
	t := refTable{}
	for _, line := range split(data, '\n') {
		name, value, _ := strings.Cut(line, " ")
		t[name] = value
	}
	return t
}

// Accept makes part of a guard what was done to branch, refs and index after a time at which nothing of the dispatch was
// left: a person did it. What was deleted shows no time, and is not accepted; nor is a ref that was packed.
func (r *Guards) Accept(ctx context.Context, g *Guard, after time.Time) error {
	now, err := r.list(ctx)
	if err != nil {
		return err
	}
	moved, err := r.movedRefs(ctx, *g, now)
	if err != nil {
		return err
	}
	for _, m := range moved {
		if m.After == "" || !plainfile.ChangedAfter(filepath.Join(r.commonDir, filepath.FromSlash(m.Name)), after) {
			continue
		}
		g.Ours = append(g.Ours, m)
		if m.Name == "refs/heads/"+g.Branch {
			g.Head = m.After
		}
	}
	if !plainfile.ChangedAfter(r.indexPath(), after) {
		return nil
	}
	return r.keepIndex(g)
}
