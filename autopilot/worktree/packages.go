package worktree

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"autopilot/autopilot/git"
	"autopilot/autopilot/plainfile"
	"autopilot/autopilot/project"
	"autopilot/autopilot/validate"
)

// EnsurePackages makes the folders of packages that lie ignored in a working tree in a new one which has no setup of its own: by
// the package manager where it has a lock file, and where it cannot, as copies. They stay until the files that decide on them
// are others. What keeps it from that is a *NotReadyError.
func (f Setup) EnsurePackages(ctx context.Context, runner validate.Runner, from, to string) error {
	if f.Command != "" || present(filepath.Join(from, ".harness", InitScript)) {
		return nil
	}
	tree, err := git.Find(ctx, to)
	if err != nil {
		return err
	}
	folders, err := packageFolders(ctx, from)
	if err != nil {
		return err
	}
	folders = slices.DeleteFunc(folders, func(p string) bool {
		return slices.ContainsFunc(f.Copy, func(c string) bool { return Inside(filepath.FromSlash(c), filepath.FromSlash(p)) })
	})
	mark, sum := filepath.Join(tree.GitDir(), "autopilot", "packages"), decided(folders, to)
	if before, err := os.ReadFile(mark); err == nil && string(before) == sum {
		return nil
	}
	if err := bringPackages(ctx, runner, folders, from, to); err != nil {
		return &NotReadyError{err}
	}
	return plainfile.WriteIn(tree.CommonDir(), mark, []byte(sum), plainfile.PrivateFile)
}

// decided is the same as long as folders of packages and the files that decide on them, lock files or else manifests, are.
func decided(folders []string, root string) string {
	sum := sha256.New()
	for _, p := range folders {
		m, lock := manager(root, p)
		files := m.Manifests
		if lock != "" {
			files = []string{lock}
		}
		_, _ = fmt.Fprintln(sum, p) // it never fails
		for _, file := range files {
			data, _ := os.ReadFile(filepath.Join(root, filepath.FromSlash(path.Dir(p)), file)) // it need not be there
			_, _ = fmt.Fprintln(sum, len(data), string(data))
		}
	}
	return hex.EncodeToString(sum.Sum(nil))
}

// manager is the one that would make a folder of packages, and its lock file; "" where it has none.
func manager(root, folder string) (project.PackageManager, string) {
	return project.Choose(project.FamilyIn(path.Base(folder)), "", func(file string) bool {
		return present(filepath.Join(root, filepath.FromSlash(path.Dir(folder)), file))
	})
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
