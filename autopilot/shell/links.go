package shell

import (
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// newLink is a link that the line itself makes.
type newLink struct{ at, to string }

// escapesViaLink says whether a path leads, through links, beyond the working tree and the folders for temporary files. Whole says
// that a link at its very end is followed as well.
func (w *walk) escapesViaLink(full string, whole bool) bool {
	if !whole {
		full = path.Dir(full)
	}
	return slices.ContainsFunc(meant(w.throughNew(full)), func(p string) bool {
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
		real := filepath.ToSlash(standing(w.throughNew(full)))
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

// throughNew follows the links that the line makes.
func (w *walk) throughNew(full string) string {
	for _, link := range w.links {
		if below(full, link.at) {
			full = link.to + strings.TrimPrefix(full, link.at)
		}
	}
	return full
}

// linked takes in a link that ln makes.
func (w *walk) linked(arguments []string) {
	symbolic := slices.ContainsFunc(arguments, func(w string) bool {
		return w == "--symbolic" || strings.HasPrefix(w, "-") && !strings.HasPrefix(w, "--") && strings.Contains(w, "s")
	})
	list := operands(arguments)
	if !symbolic || len(list) != 2 {
		return
	}
	at, to := w.resolve(list[1]), w.resolve(list[0])
	if info, err := os.Stat(at); err == nil && info.IsDir() {
		at = path.Join(at, path.Base(list[0]))
	}
	if !path.IsAbs(list[0]) && !strings.ContainsAny(list[0][:1], "~"+marks) {
		to = path.Join(path.Dir(at), list[0])
	}
	w.links = append(w.links, newLink{at, to})
}
