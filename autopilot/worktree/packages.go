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
	"slices"
	"strings"

	"autopilot/autopilot/git"
	"autopilot/autopilot/project"
	"autopilot/autopilot/validate"
)

// bringPackages makes the folders of packages that lie ignored in a working tree in a new one: by the package manager where it
// has a lock file, and where it cannot, as copies.
func (f Setup) bringPackages(ctx context.Context, runner validate.Runner, from, to string) error {
	if err := activeLeadsBack(runner, from); err != nil {
		return err
	}
	folders, err := packageFolders(ctx, from)
	if err != nil {
		return err
	}
	folders = slices.DeleteFunc(folders, func(p string) bool {
		return slices.ContainsFunc(f.Copy, func(c string) bool { return Inside(filepath.FromSlash(c), filepath.FromSlash(p)) })
	})
	for _, p := range folders { // an earlier try may have been cut off
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
	dir := path.Dir(folder)
	m, lock := project.Choose(project.FamilyIn(path.Base(folder)), "", func(file string) bool {
		return present(filepath.Join(to, filepath.FromSlash(dir), file))
	})
	if lock != "" {
		e := runner.Run(ctx, to, validate.Validation{Command: cmp.Or(m.Locked, m.Install), Dir: dir, ByCode: true})
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

// packageFolders lists the ignored folders of packages of a working tree, with slashes, those of the top first.
func packageFolders(ctx context.Context, root string) ([]string, error) {
	repo, err := git.Find(ctx, root)
	if err != nil {
		return nil, err
	}
	status, err := repo.Tree.Status(ctx)
	if err != nil {
		return nil, err
	}
	var folders []string
	for _, p := range status.Ignored {
		if p, is := strings.CutSuffix(p, "/"); is && project.FamilyIn(path.Base(p)) != "" {
			folders = append(folders, p)
		}
	}
	slices.SortStableFunc(folders, func(a, b string) int { return strings.Count(a, "/") - strings.Count(b, "/") })
	return folders, nil
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
