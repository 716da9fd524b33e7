package doctor

import (
	"context"
	"os"
	"path/filepath"
	"strings"
)

// hooks names the git hooks that run with the program's commits, from the folder that git takes them from.
func hooks(ctx context.Context, p *doctorInput) []diagnosis {
	dir := filepath.Join(p.repo.CommonDir(), "hooks")
	if set, err := p.gitConfig(ctx, "--type=path", "--get", "core.hooksPath"); err == nil {
		if dir = strings.TrimSuffix(set, "\n"); !filepath.IsAbs(dir) {
			dir = filepath.Join(p.repo.Root(), dir)
		}
	}
	entries, _ := os.ReadDir(dir)
	var active []string
	for _, e := range entries {
		info, err := os.Stat(filepath.Join(dir, e.Name()))
		if err == nil && info.Mode().IsRegular() && info.Mode()&0o111 != 0 && !strings.Contains(e.Name(), ".") {
			active = append(active, e.Name())
		}
	}
	if len(active) == 0 {
		return nil
	}
	if rel, err := filepath.Rel(p.repo.Root(), dir); err == nil && filepath.IsLocal(rel) {
		dir = filepath.ToSlash(rel)
	}
	return []diagnosis{{
		Name: "hooks", Status: "note",
		Detail: strings.Join(active, ", ") + " in " + dir + ": the program's commits run what your own would",
	}}
}
