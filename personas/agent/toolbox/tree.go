package toolbox

import (
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"autopilot/personas"
)

// Tree is the working tree as a dispatch may use it. Paths are checked as
// written and again as resolved, and opened through os.Root, which refuses what
// leads out even when a link changes in between.
type Tree struct {
	root     *os.Root
	Dir      string // resolved
	specCopy string
	outDir   string
	results  string   // where results are archived
	plans    []string // folders for plans, relative, with slashes
	anywhere bool     // may write files of the tree, not only plans
}

// OpenTree opens the working tree of a dispatch, until Close.
func OpenTree(d personas.Dispatch) (*Tree, error) {
	dir, err := filepath.EvalSymlinks(d.Dir)
	if err != nil {
		return nil, fmt.Errorf("finding the working tree: %w", err)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, fmt.Errorf("opening the working tree: %w", err)
	}
	t := &Tree{root: root, Dir: dir, specCopy: d.SpecCopy, outDir: d.OutDir, results: ResultsDir(d), anywhere: d.Persona.Allows(personas.MayWrite)}
	for _, p := range d.PlanDirs {
		for _, base := range []string{d.Dir, dir} {
			if rel, err := filepath.Rel(base, p); err == nil && filepath.IsLocal(rel) {
				t.plans = append(t.plans, filepath.ToSlash(rel))
				break
			}
		}
	}
	return t, nil
}

// Close ends that.
func (t *Tree) Close() { _ = t.root.Close() } // nothing was written through it that a close could lose

// path checks a path as a model wrote it and gives the real one, relative to
// the root, with every link on the way resolved.
func (t *Tree) path(name string) (string, error) {
	clean, err := local(name)
	if err != nil {
		return "", err
	}
	existing, rest := clean, ""
	for existing != "." {
		if _, err := os.Lstat(filepath.Join(t.Dir, existing)); err == nil {
			break
		}
		rest = path.Join(path.Base(existing), rest)
		existing = path.Dir(existing)
	}
	real, err := filepath.EvalSymlinks(filepath.Join(t.Dir, existing))
	if err != nil {
		return "", fmt.Errorf("%s is a link that leads nowhere", existing)
	}
	rel, err := filepath.Rel(t.Dir, real)
	if err != nil || !filepath.IsLocal(rel) {
		return "", fmt.Errorf("%s is a link that leads out of the working tree; only files inside of it can be used", existing)
	}
	rel = path.Join(filepath.ToSlash(rel), rest)
	return rel, allowed(rel)
}

// local checks a path as it is written.
func local(name string) (string, error) {
	name = filepath.ToSlash(strings.TrimSpace(name))
	switch {
	case name == "":
		return "", errors.New("path is missing")
	case strings.ContainsRune(name, 0):
		return "", errors.New("the path holds a zero byte")
	case strings.ContainsAny(name, "\r\n"):
		return "", errors.New("the path holds a line break")
	case name[0] == '~' || slices.Contains(strings.Split(name, "/"), "~"): // a shell would take it for the home
		return "", fmt.Errorf("%s looks like a path in the home folder; give it relative to the root of the working tree", name)
	case path.IsAbs(name) || filepath.IsAbs(name) || filepath.VolumeName(name) != "":
		return "", fmt.Errorf("%s is an absolute path; give it relative to the root of the working tree", name)
	}
	if slices.Contains(strings.Split(name, "/"), "..") {
		return "", fmt.Errorf("%s holds \"..\"; give the path relative to the root of the working tree", name)
	}
	clean := path.Clean(name)
	return clean, allowed(clean)
}

// allowed refuses git's and the program's own files, in every spelling that a
// file system might take for them.
func allowed(rel string) error {
	for element := range strings.SplitSeq(rel, "/") {
		switch plain(element) {
		case ".git", "git~1":
			return fmt.Errorf("%s belongs to git and is out of reach; use git_diff and git_show", rel)
		case ".harness":
			return fmt.Errorf("%s belongs to the program and is out of reach; only the spec's copy and this dispatch's own folder can be read there", rel)
		}
	}
	return nil
}

func plain(element string) string {
	element, _, _ = strings.Cut(element, ":") // a stream of NTFS
	element = strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Cf, r) { // HFS+ ignores these
			return -1
		}
		return unicode.ToLower(r)
	}, element)
	return strings.TrimRight(element, ". ")
}

// writable checks that the persona may write there, and gives the real path.
func (t *Tree) writable(name string) (string, error) {
	rel, err := t.path(name)
	if err != nil || t.anywhere {
		return rel, err
	}
	for _, dir := range t.plans {
		if path.Dir(rel) == dir && strings.EqualFold(path.Ext(rel), ".md") {
			return rel, nil
		}
	}
	return "", fmt.Errorf("you may write only a plan: a Markdown file directly in %s", strings.Join(t.plans, " or "))
}
