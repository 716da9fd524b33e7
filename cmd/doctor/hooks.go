package doctor

import (
	"context"
	"path/filepath"
	"strings"

	"autopilot/autopilot/plainfile"
	"autopilot/cmd/app"
)

// hooks names the git hooks that run with the program's commits, from the folder that git takes them from.
func hooks(ctx context.Context, p *doctorInput) []diagnosis {
	dir, active := app.Hooks(ctx, p.host, p.repo)
	if len(active) == 0 {
		return nil
	}
	if rel := plainfile.Rel(p.repo.Root(), dir); filepath.IsLocal(rel) {
		dir = rel
	}
	return []diagnosis{{
		Name: "hooks", Status: "note",
		Detail: strings.Join(active, ", ") + " in " + dir + ": the program's commits run what your own would",
	}}
}
