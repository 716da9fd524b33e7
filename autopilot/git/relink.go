package git

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Relink mends the link between the repository and a second working tree of its own in dir, where one of the two files
// that make it is gone, or both name a place where they no longer lie. What stands in the link's place is kept in the git
// folder.
func (r *Repo) Relink(dir string) error {
	info, err := os.Stat(dir)
	if err != nil || !info.IsDir() {
		return nil //nolint:nilerr // there is nothing to be linked
	}
	known := r.knownAs(dir)
	if known == "" {
		if known = r.knewAs(dir); known == "" {
			return nil
		}
		if err := r.replaceFile(filepath.Join(known, "gitdir"), []byte(filepath.ToSlash(filepath.Join(dir, ".git"))+"\n")); err != nil {
			return err
		}
	}
	return r.mendLink(dir, known)
}

// mendLink mends the file .git of a working tree that the repository knows.
func (r *Repo) mendLink(dir, known string) error {
	if sameDir(linkOf(dir), known) {
		return nil
	}
	link, aside := filepath.Join(dir, ".git"), filepath.Join(known, "replaced")
	if err := os.RemoveAll(aside); err != nil {
		return err
	}
	if err := os.Rename(link, aside); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("linking the working tree %s again: %w", dir, err)
	}
	return os.WriteFile(link, []byte("gitdir: "+filepath.ToSlash(known)+"\n"), 0o644)
}

// knownAs is the git folder of the second working tree in dir; "" where the repository knows of none.
func (r *Repo) knownAs(dir string) string {
	all, _ := r.linked()
	for _, gitDir := range all {
		if root := treeOf(gitDir); root != "" && (root == dir || sameDir(root, dir)) {
			return gitDir
		}
	}
	return ""
}

// knewAs is the git folder of a working tree that was moved or copied together with the repository; "" where it was not.
// Both ends still name each other in one and the same folder, that of old. Git's own repair would change what lies there, too,
// and that may be what was copied.
func (r *Repo) knewAs(dir string) string {
	below, err := filepath.Rel(filepath.Dir(r.commonDir), dir)
	if err != nil || !filepath.IsLocal(below) {
		return ""
	}
	all, _ := r.linked()
	for _, gitDir := range all {
		from, is := strings.CutSuffix(treeOf(gitDir), string(filepath.Separator)+below)
		if is && linkOf(dir) == filepath.Join(from, filepath.Base(r.commonDir), "worktrees", filepath.Base(gitDir)) {
			return gitDir
		}
	}
	return ""
}

// linkOf is the git folder that the file .git of a working tree leads to; "" where there is no such file.
func linkOf(dir string) string {
	text, err := readPlain(filepath.Join(dir, ".git"))
	target, ok := strings.CutPrefix(strings.TrimSpace(string(text)), "gitdir: ")
	if err != nil || !ok {
		return ""
	}
	if target = filepath.FromSlash(target); !filepath.IsAbs(target) {
		target = filepath.Join(dir, target)
	}
	return filepath.Clean(target)
}
