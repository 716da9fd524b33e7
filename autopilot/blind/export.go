package blind

import (
	"context"
	"fmt"
	"os"
	"path"
	"strings"

	"autopilot/autopilot/integrity"
	"autopilot/autopilot/proof"
)

// Export makes a folder of what a commit has, for somebody who is to know neither tests nor plans: without files that judge, the
// folders of plans, and the program's own. What was there before goes.
func Export(ctx context.Context, from proof.Tree, commit, dir string, planDirs []string) error {
	if err := os.RemoveAll(dir); err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	if _, err := from.Open(ctx, commit); err != nil {
		return fmt.Errorf("making the export for a blind reading: %w", err)
	}
	return from.Export(ctx, commit, dir, func(file string) bool { return !hidden(file, planDirs) })
}

// hidden says whether a file stays out of an export.
func hidden(file string, planDirs []string) bool {
	for _, dir := range append(planDirs, ".harness") {
		if strings.HasPrefix(file, path.Clean(dir)+"/") {
			return true
		}
	}
	return integrity.RoleOf(file).Judges()
}
