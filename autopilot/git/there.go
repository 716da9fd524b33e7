package git

import (
	"os"
	"path/filepath"
	"strings"
)

// passable looks at what git would read to find the repository of a folder, before git is called: it would wait for a pipe
// for ever, and read a device without end. Its error is NotPlainError.
func passable(dir string) error {
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
			return passableFolder(linkOf(dir))
		}
		return true, &NotPlainError{Path: link}
	})
}

// passableFolder is passable for a git folder; end says that git looks no further up.
func passableFolder(own string) (end bool, err error) {
	if err := firstNotPlain(own, "HEAD", "commondir", "index", "config.worktree", "info/sparse-checkout"); err != nil {
		return true, err
	}
	common := commonFolderOf(own)
	err = firstNotPlain(common, "config", "packed-refs", "info/exclude", "info/attributes")
	return err != nil || isGitDir(common), err
}

// upwards looks at a folder and at those above it, until there is an end to it.
func upwards(dir string, look func(dir string) (end bool, err error)) error {
	dir, err := filepath.EvalSymlinks(dir)
	if err != nil || !filepath.IsAbs(dir) {
		return nil //nolint:nilerr // git says what is wrong with it
	}
	for {
		if end, err := look(dir); end || err != nil || dir == filepath.Dir(dir) {
			return err
		}
		dir = filepath.Dir(dir)
	}
}

// commonFolderOf is the git folder that all working trees of a repository share.
func commonFolderOf(own string) string {
	text, err := readPlain(filepath.Join(own, "commondir"))
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
		if path := filepath.Join(dir, filepath.FromSlash(name)); !isPlainOrGone(path) {
			return &NotPlainError{Path: path}
		}
	}
	return nil
}
