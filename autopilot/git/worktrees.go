package git

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Worktrees lists the top folders of the repository's second working trees, those that are gone and not forgotten too.
func (r *Repo) Worktrees() ([]string, error) {
	gitDirs, err := r.linked()
	var dirs []string
	for _, gitDir := range gitDirs {
		if dir := treeOf(gitDir); dir != "" {
			dirs = append(dirs, dir)
		}
	}
	return dirs, err
}

// linked lists the git folders of the repository's second working trees, of those that are gone and not forgotten too.
func (r *Repo) linked() ([]string, error) {
	known := filepath.Join(r.commonDir, "worktrees")
	entries, err := os.ReadDir(known)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("listing working trees: %w", err)
	}
	gitDirs := make([]string, len(entries))
	for i, entry := range entries {
		gitDirs[i] = filepath.Join(known, entry.Name())
	}
	return gitDirs, nil
}

// treeOf is the top folder of the working tree that a git folder belongs to; "" where it does not say.
func treeOf(gitDir string) string {
	text, err := readPlain(filepath.Join(gitDir, "gitdir"))
	if err != nil {
		return ""
	}
	link := filepath.FromSlash(strings.TrimSpace(string(text)))
	if !filepath.IsAbs(link) {
		link = filepath.Join(gitDir, link)
	}
	return filepath.Dir(link)
}
