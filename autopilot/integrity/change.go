package integrity

import (
	"path"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// Status is what happened to a file between base commit and working tree.
type Status string

// The statuses of a Change.
const (
	Added    Status = "added"
	Modified Status = "modified"
	Deleted  Status = "deleted"
	Renamed  Status = "renamed" // from OldPath, changed or not
)

// Change is one file of a diff, new files included. Paths have slashes and are
// relative to the root. Before is empty for an added file, After for a deleted
// one; the contents of binary files may be left out. Of a link, Before is the path
// that it named, Link the one that it names now, and After what lies there.
type Change struct {
	Path, OldPath string
	Status        Status
	Before, After []byte
	Link          string
}

// before is the path that the old content had.
func (c Change) before() string {
	if c.OldPath != "" {
		return c.OldPath
	}
	return c.Path
}

// Allowed is what the plan announced for a task or a phase: paths, folders or
// doublestar globs.
type Allowed struct {
	Files        []string
	Owns         []string
	ChangesTests []string
	FilesNone    bool // **Files:** none: the task changes nothing
}

// announced tells whether path is within what the plan announced.
func (a Allowed) announced(p string) bool {
	return matchesAny(a.Files, p) || matchesAny(a.Owns, p) || a.testAnnounced(p)
}

func (a Allowed) testAnnounced(p string) bool { return matchesAny(a.ChangesTests, p) }

// names is stricter than announced, for files that decide what is checked: a
// glob over a folder does not name the package.json in it. The pattern's last
// part must be the file itself, or its fixed part must lie in a CI folder.
func (a Allowed) names(p string) bool {
	for _, pattern := range append(append([]string{}, a.Files...), a.Owns...) {
		base, _ := doublestar.SplitPattern(pattern)
		exact := !strings.ContainsAny(path.Base(pattern), "*?[{")
		if matches(pattern, p) && (exact && !isFolderPattern(pattern, p) || isGuardedFolder(base)) {
			return true
		}
	}
	return false
}

func isFolderPattern(pattern, p string) bool {
	return strings.HasPrefix(p, strings.TrimSuffix(pattern, "/")+"/")
}

func matchesAny(patterns []string, p string) bool {
	for _, pattern := range patterns {
		if matches(pattern, p) {
			return true
		}
	}
	return false
}

// matches takes "docs" and "docs/" for everything in docs. A pattern that is
// malformed matches nothing but itself.
func matches(pattern, p string) bool {
	pattern = strings.TrimPrefix(pattern, "./")
	if pattern == "" {
		return false
	}
	if pattern == p || isFolderPattern(pattern, p) {
		return true
	}
	ok, err := doublestar.Match(strings.TrimSuffix(pattern, "/"), p)
	return err == nil && ok
}

// Before tells of a file whether it is among the changes, and what was in it; nil where they added it.
func Before(changes []Change) func(file string) (was []byte, is bool) {
	return func(file string) ([]byte, bool) {
		for _, c := range changes {
			switch {
			case c.before() == file && c.Status != Added:
				return c.Before, true
			case c.Path == file:
				return nil, true
			}
		}
		return nil, false
	}
}

func matchesGlobs(globs []string, p string) bool {
	return slices.ContainsFunc(globs, func(glob string) bool { return doublestar.MatchUnvalidated(glob, p) })
}
