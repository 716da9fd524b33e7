package shell

import (
	"path"
	"slices"
	"strings"
)

// unredirected takes what is read and written out of a command, and names what is read.
func unredirected(words []string) (rest, input []string) {
	for i := 0; i < len(words); i++ {
		w := words[i]
		switch {
		case !isOperator(w):
			rest = append(rest, w)
		case isBareOperator(w) && i+1 < len(words):
			if i++; w == "<" {
				input = append(input, words[i])
			}
		case strings.HasPrefix(w, "<") && !strings.HasPrefix(w, "<<"):
			input = append(input, w[1:])
		}
	}
	return rest, input
}

// changed follows a change of the folder. Where it may have ended, or leads where nobody knows, the folders before count
// as well.
func (r *scriptReader) changed(to string, ends bool) {
	folders := r.resolve(to)
	if to == "-" {
		folders = r.before
	}
	if ends || len(folders) == 0 || strings.Contains(to, substituted) {
		folders = slices.Concat(folders, r.folders)
	}
	slices.Sort(folders)
	r.before = slices.Concat(r.before, r.folders)
	r.folders = slices.Compact(folders)
}

func (r *scriptReader) assign(words []string) {
	for _, w := range words {
		r.words.assign(w)
	}
}

// files takes in a word that is run.
func (r *scriptReader) files(word string, looked, byShell bool) {
	for _, p := range r.resolve(word) {
		if p != "." {
			r.found = append(r.found, Script{Path: p, Looked: looked, Shell: byShell, Folders: r.folders})
		}
	}
}

// resolve gives the paths below the root that a word may stand for.
func (r *scriptReader) resolve(word string) []string {
	if word == "" {
		return nil
	}
	var paths []string
	for _, w := range r.words.expand(word) {
		switch {
		case strings.HasPrefix(w, top):
			paths = append(paths, path.Join(".", strings.TrimPrefix(w, top)))
		case path.IsAbs(w):
			if below(path.Clean(w), r.root) {
				paths = append(paths, path.Join(".", strings.TrimPrefix(path.Clean(w), r.root)))
			}
		default:
			for _, dir := range r.folders {
				paths = append(paths, path.Join(dir, strings.TrimPrefix(w, substituted)))
			}
		}
	}
	return slices.DeleteFunc(paths, func(p string) bool {
		return p == ".." || strings.HasPrefix(p, "../") || strings.Contains(p, substituted)
	})
}

func firstOf(words []string) string {
	if len(words) == 0 {
		return ""
	}
	return words[0]
}
