package worktree

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"autopilot/autopilot/project"
	"autopilot/autopilot/validate"
)

func bringPackages(ctx context.Context, runner validate.Runner, folders []string, from, to string) error {
	if err := activeLeadsBack(runner, from); err != nil {
		return err
	}
	for _, p := range folders { // they are outdated, or an earlier try was cut off
		if err := os.RemoveAll(filepath.Join(to, filepath.FromSlash(p))); err != nil {
			return err
		}
	}
	for _, p := range folders {
		if err := bringFolder(ctx, runner, from, to, p); err != nil {
			return fmt.Errorf("bringing %s: %w", p, err)
		}
	}
	return nil
}

// bringFolder makes one folder of packages, unless one above it came with it, as in workspaces.
func bringFolder(ctx context.Context, runner validate.Runner, from, to, folder string) error {
	target := filepath.Join(to, filepath.FromSlash(folder))
	if _, err := os.Lstat(target); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	m, lock := manager(to, folder)
	if lock != "" {
		e := runner.Run(ctx, to, validate.Validation{Command: cmp.Or(m.Locked, m.Install), Dir: path.Dir(folder), ByCode: true})
		if e.Outcome == validate.Interrupted {
			return ctx.Err()
		}
		if e.Outcome == validate.Passed && present(target) {
			return nil
		}
		if err := os.RemoveAll(target); err != nil {
			return err
		}
	}
	if err := leadsBack(from, filepath.FromSlash(folder)); err != nil {
		return err
	}
	return copyInto(from, to, filepath.FromSlash(folder))
}

// activeLeadsBack looks in the environment of Python that is active, unless it is among what is brought, for an install of a
// working tree in place: the commands would find that in any other tree.
func activeLeadsBack(runner validate.Runner, root string) error {
	env := runner.Env
	if env == nil {
		env = os.Environ()
	}
	for _, e := range env {
		name, dir, _ := strings.Cut(e, "=")
		if name != "VIRTUAL_ENV" && name != "CONDA_PREFIX" || dir == "" || Inside(root, dir) && project.FamilyIn(filepath.Base(dir)) != "" {
			continue
		}
		place, err := filepath.Rel(root, dir)
		if err == nil {
			err = leadsBack(root, place)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
