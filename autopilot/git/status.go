package git

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Tree is the working tree as git sees it.
type Tree struct {
	*runner
	config  *Config
	history *History
	index   *Index
}

// Change is one path that differs.
type Change struct {
	Path      string
	OldPath   string // where a renamed file was; "" otherwise
	Status    byte   // A added, M modified, D deleted, R renamed, T of another type (such as a link), U unmerged
	Untracked bool   // the file is in the working tree and not in the index
	Staged    bool   // the index differs from HEAD at this path
}

// Paths lists every path that the changes touch, both sides of a rename, in order and each once.
func Paths(changes []Change) []string {
	var paths []string
	for _, c := range changes {
		paths = append(paths, c.Path)
		if c.OldPath != "" {
			paths = append(paths, c.OldPath)
		}
	}
	slices.Sort(paths)
	return slices.Compact(paths)
}

// Status is a working tree as one call of git status shows it. Run data and submodules are left out.
type Status struct {
	Position
	Dirt    []Change  // what differs from HEAD in the index or in the working tree, or is untracked and not ignored, by path
	Nested  []string  // the repositories inside this one that it does not track: folders, with a slash at the end
	Ignored []string  // what git ignores, as the patterns name it: files, and folders with a slash at the end
	Refused []Refused // the new files that git cannot take into a commit
}

// Untracked lists the files that git does not track.
func (s Status) Untracked() []string {
	var paths []string
	for _, c := range s.Dirt {
		if c.Untracked {
			paths = append(paths, c.Path)
		}
	}
	return paths
}

// Status looks at the working tree. A rename shows as its two paths, because each has to be protected.
func (r *Tree) Status(ctx context.Context) (Status, error) {
	out, err := r.readStatus(ctx)
	if err != nil {
		return Status{}, fmt.Errorf("reading the state of the working tree: %w", err)
	}
	s := Status{Position: Position{Operation: r.Operation()}}
	found := map[string]Change{}
	for _, record := range split(out, 0) {
		c, ok := s.take(record)
		if !ok || IsRunData(c.Path) {
			continue
		}
		if c.Untracked {
			if why := refusal(r.root, c.Path); why != "" {
				s.Refused = append(s.Refused, Refused{c.Path, why})
				continue
			}
		}
		found[c.Path] = merged(found[c.Path], c)
	}
	for _, c := range found {
		s.Dirt = append(s.Dirt, c)
	}
	slices.SortFunc(s.Dirt, func(a, b Change) int { return strings.Compare(a.Path, b.Path) })
	return s, nil
}

func (r *Tree) readStatus(ctx context.Context) ([]byte, error) {
	return once(ctx, r.runner, "status", func() ([]byte, error) {
		return r.read(ctx, "status", "--porcelain=v2", "--branch", "-z", "--untracked-files=all", "--ignored=matching", "--no-renames",
			"--ignore-submodules=all", "--no-ahead-behind")
	})
}

// take reads one record of status --porcelain=v2; a header goes into the position.
func (s *Status) take(record string) (Change, bool) {
	kind, rest, _ := strings.Cut(record, " ")
	switch kind {
	case "#":
		s.header(rest)
	case "?":
		if strings.HasSuffix(rest, "/") { // a repository inside this one: it is left to itself
			s.Nested = append(s.Nested, projectPaths([]string{rest})...)
			return Change{}, false
		}
		return Change{Path: rest, Status: 'A', Untracked: true}, true
	case "!":
		s.Ignored = append(s.Ignored, projectPaths([]string{rest})...)
	case "1":
		return ordinary(rest)
	case "u":
		if fields := strings.SplitN(rest, " ", 10); len(fields) == 10 {
			return Change{Path: fields[9], Status: 'U', Staged: true}, true
		}
	}
	return Change{}, false
}

func (s *Status) header(text string) {
	key, value, _ := strings.Cut(text, " ")
	switch {
	case key == "branch.oid" && value != "(initial)":
		s.Head = value
	case key == "branch.head" && value != "(detached)":
		s.Branch = value
	}
}

// ordinary reads "XY sub mH mI mW hH hI path".
func ordinary(text string) (Change, bool) {
	f := strings.SplitN(text, " ", 8)
	if len(f) != 8 {
		return Change{}, false
	}
	head, tree := f[2], f[4]
	c := Change{Path: f[7], Status: 'M', Staged: f[0][0] != '.'}
	switch {
	case tree == "000000":
		c.Status = 'D'
	case head == "000000":
		c.Status = 'A'
	case head[:3] != tree[:3]:
		c.Status = 'T'
	}
	return c, true
}

// merged joins the two records that a file has which was removed from the index and still lies in the tree.
func merged(before, c Change) Change {
	if before.Path == "" {
		return c
	}
	return Change{Path: c.Path, Status: 'M', Staged: true, Untracked: true}
}

// Refused is a new file that git cannot take into a commit. It counts as not there: else nothing else could be committed.
type Refused struct{ Path, Why string }

// refusal is why git cannot take a new file into a commit; "" where it can.
func refusal(root, name string) string {
	for part := range strings.SplitSeq(name, "/") {
		if takenForGits(part) {
			return "git takes no file of that name, as some systems would take it for the folder .git"
		}
	}
	path := filepath.Join(root, filepath.FromSlash(name))
	info, err := os.Lstat(path)
	switch {
	case err != nil:
		return ""
	case info.Mode()&fs.ModeSymlink != 0 && strings.EqualFold(filepath.Base(path), ".gitmodules"):
		return "git takes no link of that name"
	case info.Mode().IsRegular() && info.Mode()&0o400 == 0 && isClosed(path):
		return "its rights let nobody read it"
	}
	return ""
}

// isClosed says whether this user may not read a file.
func isClosed(path string) bool {
	f, err := os.Open(path)
	if err == nil {
		f.Close()
	}
	return errors.Is(err, fs.ErrPermission)
}

// takenForGits says whether a file system that knows no case, or shortens names as Windows does, would find .git under a
// name; git refuses all of these everywhere.
func takenForGits(name string) bool {
	lower := strings.ToLower(name)
	rest, is := strings.CutPrefix(lower, ".git")
	if !is {
		rest, is = strings.CutPrefix(lower, "git~1")
	}
	rest = strings.TrimLeft(rest, ". ")
	return is && (rest == "" || rest[0] == '\\' || rest[0] == ':')
}
