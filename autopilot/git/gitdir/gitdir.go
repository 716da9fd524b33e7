// Package gitdir finds git folders as files, before git is called or where git has no answer: where the file .git of a working
// tree leads, which folder all working trees share, what git would wait for or refuse. It runs nothing and writes nothing.
//
//	if err := gitdir.Passable(dir); err != nil { // git would hang here
//	own := gitdir.LinkOf(dir)                    // …/.git/worktrees/lane
//	common := gitdir.CommonFolderOf(own)         // …/.git
package gitdir

import (
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"autopilot/autopilot/lazyregexp"
	"autopilot/autopilot/plainfile"
)

// NotPlainError says that something lies in the place of one of git's own files that git could not read to an end.
type NotPlainError struct{ Path string }

func (e *NotPlainError) Error() string {
	return fmt.Sprintf("%s is no plain file, and git needs one there. Put it back from a copy of the repository, or move it "+
		"away, then run the same command again", e.Path)
}

// Passable looks at what git would read to find the repository of a folder, before git is called: it would wait for a pipe
// for ever, and read a device without end. Its error is NotPlainError.
func Passable(dir string) error {
	return upwards(dir, func(dir string) (bool, error) {
		link := filepath.Join(dir, ".git")
		info, err := os.Stat(link)
		switch {
		case err != nil: // git may take the folder itself for a bare repository
			head, err := os.Stat(filepath.Join(dir, "HEAD"))
			if err == nil && !head.IsDir() {
				return false, firstNotPlain(dir, "HEAD")
			}
			return false, nil
		case info.IsDir():
			return passableFolder(link)
		case info.Mode().IsRegular():
			return passableFolder(LinkOf(dir))
		}
		return true, &NotPlainError{Path: link}
	})
}

// passableFolder is Passable for a git folder; end says that git looks no further up.
func passableFolder(own string) (end bool, err error) {
	if err := firstNotPlain(own, "HEAD", "commondir", "index", "config.worktree", "info/sparse-checkout"); err != nil {
		return true, err
	}
	common := CommonFolderOf(own)
	err = firstNotPlain(common, "config", "packed-refs", "info/exclude", "info/attributes")
	return err != nil || isGitDir(common), err
}

// upwards looks at a folder and at those above it, until there is an end to it.
func upwards(dir string, look func(dir string) (end bool, err error)) error {
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		dir = real
	}
	dir, err := filepath.Abs(dir)
	if err != nil {
		return err
	}
	for {
		if end, err := look(dir); end || err != nil || dir == filepath.Dir(dir) {
			return err
		}
		dir = filepath.Dir(dir)
	}
}

// CommonFolderOf is the git folder that all working trees of a repository share.
func CommonFolderOf(own string) string {
	text, err := plainfile.Read(filepath.Join(own, "commondir"))
	common := filepath.FromSlash(strings.TrimSpace(string(text)))
	switch {
	case err != nil || common == "":
		return own
	case filepath.IsAbs(common):
		return common
	}
	return filepath.Join(own, common)
}

func firstNotPlain(dir string, names ...string) error {
	for _, name := range names {
		if path := filepath.Join(dir, filepath.FromSlash(name)); plainfile.Check(path) != nil {
			return &NotPlainError{Path: path}
		}
	}
	return nil
}

// NearestGit is the folder or file .git that lies in a folder or above it, and which git may have refused; "" where there
// is none, or one that is empty and in nobody's way.
func NearestGit(dir string) (found string) {
	_ = upwards(dir, func(dir string) (bool, error) {
		link := filepath.Join(dir, ".git")
		if _, err := os.Lstat(link); err != nil {
			return false, nil //nolint:nilerr // one of the folders above may have it
		}
		if inside, err := os.ReadDir(link); err != nil || len(inside) > 0 {
			found = link
		}
		return found != "", nil
	})
	return found
}

// LeadsElsewhere says whether the working tree and the git folder that git names are not those whose .git was found at a folder or
// above.
func LeadsElsewhere(root, own, from string) bool {
	link, err := os.Stat(filepath.Join(root, ".git"))
	if err != nil || link.IsDir() && !SameFile(filepath.Join(root, ".git"), own) {
		return true
	}
	above := false
	err = upwards(from, func(dir string) (bool, error) {
		above = SameFile(dir, root)
		return above, nil
	})
	return err == nil && !above
}

// boundary is where git says that it looked no further up: the folder above a mount point.
var boundary = lazyregexp.New(`up to mount point (.*)\)`)

// LookedAt says whether git, by what it said, looked as far up as to a folder or file .git.
func LookedAt(link, said string) bool {
	top := boundary.FindStringSubmatch(said)
	within := top == nil || strings.HasPrefix(filepath.Dir(link), strings.TrimSuffix(filepath.FromSlash(top[1]), string(filepath.Separator))+string(filepath.Separator))
	return within && !toldWhere()
}

// SameFile compares files and folders however their paths are written.
func SameFile(a, b string) bool {
	one, err := os.Stat(a)
	other, err2 := os.Stat(b)
	return a == b || err == nil && err2 == nil && os.SameFile(one, other)
}

// toldWhere says whether a variable tells git where to look, or how.
func toldWhere() bool {
	for _, name := range []string{"GIT_CEILING_DIRECTORIES", "GIT_DISCOVERY_ACROSS_FILESYSTEM", "GIT_CONFIG_COUNT", "GIT_CONFIG_PARAMETERS", "GIT_CONFIG"} {
		if _, told := os.LookupEnv(name); told {
			return true
		}
	}
	return false
}

// isGitDir says whether git would take a folder for one of its own.
func isGitDir(dir string) bool {
	head, err := plainfile.Read(filepath.Join(dir, "HEAD"))
	if err != nil || !IsHead(string(head)) {
		return false
	}
	for _, name := range []string{"objects", "refs"} {
		if info, err := os.Stat(filepath.Join(dir, name)); err != nil || !info.IsDir() {
			return false
		}
	}
	return true
}

// IsHead says whether a text is one that HEAD holds: a ref, or an object.
func IsHead(text string) bool {
	text = strings.TrimSpace(text)
	if ref, is := strings.CutPrefix(text, "ref:"); is {
		return strings.HasPrefix(strings.TrimSpace(ref), "refs/")
	}
	_, err := hex.DecodeString(text)
	return err == nil && (len(text) == 40 || len(text) == 64)
}

// LinkOf is the git folder that the file .git of a working tree leads to; "" where there is no such file.
func LinkOf(dir string) string {
	text, err := plainfile.Read(filepath.Join(dir, ".git"))
	target, ok := strings.CutPrefix(strings.TrimSpace(string(text)), "gitdir: ")
	if err != nil || !ok {
		return ""
	}
	if target = filepath.FromSlash(target); !filepath.IsAbs(target) {
		target = filepath.Join(dir, target)
	}
	return filepath.Clean(target)
}

// Linked lists the git folders of the repository's second working trees, of those that are gone and not forgotten too.
func Linked(commonDir string) ([]string, error) {
	known := filepath.Join(commonDir, "worktrees")
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

// TreeOf is the top folder of the working tree that a git folder belongs to; "" where it does not say.
func TreeOf(gitDir string) string {
	text, err := plainfile.Read(filepath.Join(gitDir, "gitdir"))
	if err != nil {
		return ""
	}
	link := filepath.FromSlash(strings.TrimSpace(string(text)))
	if !filepath.IsAbs(link) {
		link = filepath.Join(gitDir, link)
	}
	return filepath.Dir(link)
}

// DeadEnd is where the file .git of a working tree leads, if nothing is there.
func DeadEnd(link string) string {
	if filepath.Base(link) != ".git" {
		return ""
	}
	to := LinkOf(filepath.Dir(link))
	if _, err := os.Stat(to); to == "" || !errors.Is(err, fs.ErrNotExist) {
		return ""
	}
	return to
}
