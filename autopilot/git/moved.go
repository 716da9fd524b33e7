package git

import (
	"errors"
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
	return r.relink(dir, known)
}

// knewAs is the git folder of a working tree that was moved or copied together with the repository; "" where it was not.
// Both ends still name each other in one and the same folder, that of old. Git's own repair would change what lies there, too,
// and that may be what was copied.
func (r *Repo) knewAs(dir string) string {
	below, err := filepath.Rel(filepath.Dir(r.commonDir), dir)
	if err != nil || !filepath.IsLocal(below) {
		return ""
	}
	names, _ := os.ReadDir(filepath.Join(r.commonDir, "worktrees"))
	for _, entry := range names {
		gitDir := filepath.Join(r.commonDir, "worktrees", entry.Name())
		from, is := strings.CutSuffix(treeOf(gitDir), string(filepath.Separator)+below)
		if is && linkOf(dir) == filepath.Join(from, filepath.Base(r.commonDir), "worktrees", entry.Name()) {
			return gitDir
		}
	}
	return ""
}

// deadEnd is where the file .git of a working tree leads, if nothing is there.
func deadEnd(link string) string {
	if filepath.Base(link) != ".git" {
		return ""
	}
	to := linkOf(filepath.Dir(link))
	if _, err := os.Stat(to); to == "" || !errors.Is(err, fs.ErrNotExist) {
		return ""
	}
	return to
}
