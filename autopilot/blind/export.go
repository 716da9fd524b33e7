package blind

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"strings"

	"autopilot/autopilot/integrity"
	"autopilot/autopilot/proof"
	"autopilot/autopilot/worktree"
)

// Export replaces a folder with the files of a commit, without tests, plans and autopilot's own files. A clean working tree
// whose setup fails is good enough: its files are there, and running the checks reports the failure.
func Export(ctx context.Context, from proof.Tree, commit, dir string, planDirs []string) error {
	if err := os.RemoveAll(dir); err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	_, err := from.Open(ctx, commit)
	if _, unready := errors.AsType[*worktree.NotReadyError](err); err != nil && !unready {
		return fmt.Errorf("exporting the code for blind checks: %w", err)
	}
	return from.Export(ctx, commit, dir, func(file string) bool { return !hidden(file, planDirs) })
}

// hidden reports whether a file stays out of an export.
func hidden(file string, planDirs []string) bool {
	for _, dir := range append(planDirs, ".harness") {
		if strings.HasPrefix(file, path.Clean(dir)+"/") {
			return true
		}
	}
	return integrity.RoleOf(file).Judges()
}
