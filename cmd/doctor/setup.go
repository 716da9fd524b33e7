package doctor

import (
	"context"
	"os"
	"path/filepath"
	"strings"

	"autopilot/autopilot/project"
	"autopilot/autopilot/worktree"
)

// setup looks for the script that makes a working tree ready. Without one it says once that init can write it, where
// there is something to install.
func setup(ctx context.Context, p *doctorInput) []diagnosis {
	if _, err := os.Stat(filepath.Join(p.repo.Root(), ".harness", worktree.InitScript)); err == nil {
		return []diagnosis{{Name: "setup", Status: "ok", Detail: ".harness/" + worktree.InitScript + " runs at the start of each run"}}
	}
	paths, err := p.repo.Tree.Files(ctx)
	if err != nil {
		return []diagnosis{{"setup", "wrong", err.Error(), ""}}
	}
	found, _ := project.Scan(p.repo.Root(), paths) // a manifest that cannot be read is no matter of the setup
	if names := found.Installers(); len(names) > 0 {
		return []diagnosis{{"setup", "note", "dependencies are installed by " + strings.Join(names, ", "), "To have that done at the start of each run, let .harness/" + worktree.InitScript + " be written: autopilot init"}}
	}
	return nil
}
