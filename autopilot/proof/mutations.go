package proof

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"

	"autopilot/autopilot/integrity"
	"autopilot/autopilot/validate"
)

// maxMutants is how many are tried at most.
const maxMutants = 5

// Mutable says whether there may be mutants of a changed file.
func (c Change) Mutable() bool {
	return path.Ext(c.Path) == ".go" && integrity.RoleOf(c.Path) == integrity.Work
}

// Mutate runs the commands on the work with one small change at a time, and returns those with which they pass all the same.
func (t Tree) Mutate(ctx context.Context, q Question) (survivors []Mutant, err error) {
	mutants, err := t.mutants(ctx, q)
	if err != nil || len(mutants) == 0 {
		return nil, err
	}
	if err := t.Lay(ctx, q.Base, q.paths(Swap{})); err != nil {
		return nil, err
	}
	for i := range min(maxMutants, len(mutants)) {
		m := mutants[i*len(mutants)/min(maxMutants, len(mutants))]
		survives, err := t.survives(ctx, m, q.Commands)
		if err != nil {
			return nil, err
		}
		if survives {
			survivors = append(survivors, m)
		}
	}
	return survivors, nil
}

// mutants are those of all that the work changed.
func (t Tree) mutants(ctx context.Context, q Question) (list []Mutant, err error) {
	root, err := os.OpenRoot(t.Repo.Root())
	if err != nil {
		return nil, err
	}
	defer root.Close()
	before, err := t.Repo.History.Contents(ctx, q.Base, q.paths(Swap{}))
	if err != nil {
		return nil, err
	}
	for _, c := range q.Changes {
		if !c.Mutable() {
			continue
		}
		now, err := root.ReadFile(filepath.FromSlash(c.Path))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("reading %s: %w", c.Path, err)
		}
		list = append(list, Mutants(c.Path, now, newLines(before[cmp.Or(c.Old, c.Path)], now))...)
	}
	return list, nil
}

// survives says whether all commands pass on a mutant. The tree is as before then.
func (t Tree) survives(ctx context.Context, m Mutant, commands []Command) (survives bool, err error) {
	tree, err := os.OpenRoot(t.Dir)
	if err != nil {
		return false, err
	}
	defer tree.Close()
	name := filepath.FromSlash(m.Path)
	work, err := tree.ReadFile(name)
	if err != nil {
		return false, err
	}
	defer func() { err = errors.Join(err, tree.WriteFile(name, work, 0o644)) }()
	if err := tree.WriteFile(name, m.Source, 0o644); err != nil {
		return false, err
	}
	for _, c := range commands {
		if outcome := t.run(ctx, c.Validation).Outcome; outcome != validate.Passed {
			return false, ctx.Err()
		}
	}
	return len(commands) > 0, nil
}
