package git

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// Position is where the working tree stands.
type Position struct {
	Branch    string // the short name, such as "main"; "" when HEAD is detached
	Head      string // the commit's full id; "" before the first commit
	Operation string // what git is in the middle of: "merge", "rebase", "cherry-pick", "revert", "bisect", or ""
}

// operations are the files in the git folder that show an unfinished operation. More than one may belong to it.
var operations = []struct{ file, operation string }{
	{"rebase-merge", "rebase"},
	{"rebase-apply", "rebase"},
	{"MERGE_HEAD", "merge"},
	{"CHERRY_PICK_HEAD", "cherry-pick"},
	{"REVERT_HEAD", "revert"},
	{"sequencer", "cherry-pick"},
	{"BISECT_LOG", "bisect"},
}

// Position reads branch, HEAD and unfinished operation.
func (r *runner) Position(ctx context.Context) (Position, error) {
	p := Position{Operation: r.Operation()}
	out, err := r.read(ctx, "rev-parse", "HEAD", "--symbolic-full-name", "HEAD")
	if exitCode(err) == 128 {
		// No commit yet: HEAD names a branch that is still to be born.
		out, err = r.read(ctx, "symbolic-ref", "HEAD")
		p.Branch = branchName(string(out))
		return p, err
	}
	if err != nil {
		return Position{}, fmt.Errorf("reading HEAD: %w", err)
	}
	head, branch, _ := strings.Cut(string(out), "\n")
	p.Head, p.Branch = head, branchName(branch)
	return p, nil
}

// branchName is the short name of a branch; "" for the HEAD of a detached one.
func branchName(ref string) string {
	name, ok := strings.CutPrefix(strings.TrimSpace(ref), "refs/heads/")
	if !ok {
		return ""
	}
	return name
}

// Operation is what git is in the middle of; "" for nothing.
func (r *runner) Operation() string {
	for _, o := range operations {
		if _, err := os.Lstat(filepath.Join(r.gitDir, o.file)); err == nil {
			return o.operation
		}
	}
	return ""
}

// EndOperation removes what git keeps about an unfinished merge, rebase and the like; files stay as they are.
func (r *runner) EndOperation() error {
	leftovers := []string{"MERGE_MSG", "MERGE_MODE", "AUTO_MERGE", "REBASE_HEAD", "BISECT_START", "BISECT_NAMES", "BISECT_TERMS"}
	if r.Operation() == "" {
		return nil
	}
	for _, o := range operations {
		leftovers = append(leftovers, o.file)
	}
	for _, name := range leftovers {
		if err := os.RemoveAll(filepath.Join(r.gitDir, name)); err != nil {
			return fmt.Errorf("ending an unfinished operation: %w", err)
		}
	}
	return nil
}
