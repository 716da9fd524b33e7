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
func (t *PathScope) escapesViaLink(full string, whole bool) bool {
	if !whole {
		full = path.Dir(full)
	}
	return slices.ContainsFunc(meant(t.throughNew(full)), func(p string) bool {
		real := filepath.ToSlash(standing(p))
		return !below(real, t.real) && !below(real, t.root) &&
			!slices.ContainsFunc(t.temp, func(dir string) bool { return below(real, dir) || below(real, filepath.ToSlash(followed(dir))) })
	})
}

// climbed puts a word behind a folder. What .. leads to behind a link is not where the link stands, but above where it leads.
func (t *PathScope) climbed(dir, word string) string {
	if !strings.Contains(word, "..") {
		return path.Join(dir, word)
	}
	full, root := dir, filepath.ToSlash(standing(t.root))
	for _, part := range strings.Split(word, "/") {
		if part != ".." {
			full = path.Join(full, part)
			continue
		}
		real := filepath.ToSlash(standing(t.throughNew(full)))
		if below(real, root) {
			real = path.Join(t.root, strings.TrimPrefix(real, root))
		}
		full = path.Dir(real)
	}
	if below(full, root) {
		full = path.Join(t.root, strings.TrimPrefix(full, root))
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
	return append(found[:min(len(found), maxExpanded)], path.Dir(pattern[:at]+"x"))
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
func (t *PathScope) throughNew(full string) string {
	for _, link := range t.links {
		if below(full, link.at) {
			full = link.to + strings.TrimPrefix(full, link.at)
		}
	}
	return full
}

// linked takes in a link that ln makes.
func (t *PathScope) linked(arguments []string) {
	symbolic := slices.ContainsFunc(arguments, func(w string) bool {
		return w == "--symbolic" || strings.HasPrefix(w, "-") && !strings.HasPrefix(w, "--") && strings.Contains(w, "s")
	})
	list := operands(arguments)
	if !symbolic || len(list) != 2 {
		return
	}
	at, to := t.resolve(list[1]), t.resolve(list[0])
	if info, err := os.Stat(at); err == nil && info.IsDir() {
		at = path.Join(at, path.Base(list[0]))
	}
	if word := t.expand(list[0])[0]; !path.IsAbs(word) && !strings.HasPrefix(word, "~") && !strings.HasPrefix(word, substituted) {
		to = path.Join(path.Dir(at), word)
	}
	t.links = append(t.links, newLink{at, to})
}

// env follows env to the folder that it is told to work in, and gives the line that it is told to split.
func (t *PathScope) env(words []string) (script string) {
	for rest := words; len(rest) > 0; rest = rest[1:] {
		option, value := envOption(rest)
		switch {
		case option == 'C':
			t.cwd = t.resolve(value)
		case option == 'S':
			return value
		case !strings.HasPrefix(rest[0], "-") && !strings.Contains(rest[0], "="):
			return ""
		}
		if option != 0 && len(rest) > 1 && rest[1] == value {
			rest = rest[1:]
		}
	}
	return ""
}

// envOption reads an option of env that matters here, with its value; 0 is any other.
func envOption(words []string) (option byte, value string) {
	w, next := words[0], strings.Join(words[1:min(2, len(words))], "")
	for long, short := range map[string]byte{"--chdir": 'C', "--split-string": 'S'} {
		if w == long {
			return short, next
		}
		if value, is := strings.CutPrefix(w, long+"="); is {
			return short, value
		}
	}
	if !strings.HasPrefix(w, "-") || strings.HasPrefix(w, "--") {
		return 0, ""
	}
	at := strings.IndexAny(w, "CSu")
	if at < 0 {
		return 0, ""
	}
	if rest := w[at+1:]; rest != "" {
		return w[at], rest
	}
	return w[at], next
}
