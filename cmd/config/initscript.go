package config

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"charm.land/huh/v2"

	"autopilot/autopilot/git"
	"autopilot/autopilot/project"
	"autopilot/autopilot/worktree"
	"autopilot/cmd/app"
	"autopilot/cmd/console"
)

// describe brings the project's profile up to date, and says whether there was anything to do.
func (o *initOptions) describe(ctx context.Context, repo *git.Repo) (project.Profile, bool, error) {
	if err := repo.Exclude(ctx, app.RunData...); err != nil {
		return project.Profile{}, false, err
	}
	found, changed, remark, err := project.Update(ctx, repo, filepath.Join(repo.Root(), ".harness"))
	if err != nil {
		return found, false, err
	}
	if remark != "" {
		fmt.Fprintln(o.host.Err, console.Told(console.Clean(remark), o.host.Columns()))
	}
	if changed {
		err = o.host.Say("Wrote .harness/%s.", project.Name)
	}
	return found, changed, err
}

// offerScript writes .harness/init.sh where there is something to install and a person, or --yes, says so. One that is
// there stays as it is.
func (o *initOptions) offerScript(ctx context.Context, repo *git.Repo, found project.Profile) (bool, error) {
	path := filepath.Join(repo.Root(), ".harness", worktree.InitScript)
	text := project.InitScript(found)
	if _, err := os.Lstat(path); err == nil || text == "" {
		return false, nil
	}
	if !o.yes {
		if wants, err := o.wantsScript(ctx, found); err != nil || !wants {
			return false, err
		}
	}
	if err := create(path, text, 0o755); errors.Is(err, fs.ErrExist) {
		return false, nil
	} else if err != nil {
		return false, err
	}
	return true, o.host.Say("Wrote .harness/%s. It runs at the start of each run; look at it first.", worktree.InitScript)
}

// wantsScript asks; where nobody can be asked it says how to get the script.
func (o *initOptions) wantsScript(ctx context.Context, found project.Profile) (wants bool, err error) {
	names := strings.Join(found.Installers(), ", ")
	if !o.host.Terminal {
		fmt.Fprintf(o.host.Err, "To install dependencies with %s at the start of each run: autopilot init --yes\n", names)
		return false, nil
	}
	return wants, o.fill(ctx, huh.NewGroup(huh.NewConfirm().Value(&wants).
		Title(fmt.Sprintf("Write .harness/%s, which installs dependencies by %s at the start of each run?", worktree.InitScript, names))))
}
