package shell

import (
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// escapesViaLink says whether a path leads, through links, beyond the working tree and the folders for temporary files. Whole says
// that a link at its very end is followed as well.
func (w *walk) escapesViaLink(full string, whole bool) bool {
	if !whole {
		full = path.Dir(full)
	}
	return slices.ContainsFunc(meant(full), func(p string) bool {
		real := filepath.ToSlash(standing(p))
		return !below(real, w.real) && !below(real, w.root) &&
			!slices.ContainsFunc(w.temp, func(dir string) bool { return below(real, dir) || below(real, filepath.ToSlash(followed(dir))) })
	})
}

// climbed puts a word behind a folder. What .. leads to behind a link is not where the link stands, but above where it leads.
func (w *walk) climbed(dir, word string) string {
	if !strings.Contains(word, "..") {
		return path.Join(dir, word)
	}
	full, root := dir, filepath.ToSlash(standing(w.root))
	for _, part := range strings.Split(word, "/") {
		if part != ".." {
			full = path.Join(full, part)
			continue
		}
		real := filepath.ToSlash(standing(full))
		if below(real, root) {
			real = path.Join(w.root, strings.TrimPrefix(real, root))
		}
		full = path.Dir(real)
	}
	if below(full, root) {
		full = path.Join(w.root, strings.TrimPrefix(full, root))
	}
	return full
}

// meant are the paths that a pattern of the shell stands for, and where it begins.
func meant(pattern string) []string {
	at := strings.IndexAny(pattern, "*?[")
	if at < 0 {
		return []string{pattern}
	}
	found, _ := filepath.Glob(pattern) // one that is malformed stands for nothing
	return append(found[:min(len(found), mostWords)], path.Dir(pattern[:at]+"x"))
}

// standing is a path without links, as far as it exists.
func standing(p string) string {
	rest := ""
	for range 100 {
		if real, err := filepath.EvalSymlinks(p); err == nil {
			return filepath.Join(real, rest)
		}
		if to, err := os.Readlink(p); err == nil { // to something that is not there yet
			if !filepath.IsAbs(to) {
				to = filepath.Join(filepath.Dir(p), to)
			}
			p = to
			continue
		}
		rest, p = filepath.Join(filepath.Base(p), rest), filepath.Dir(p)
	}
	return filepath.Join(p, rest)
}
