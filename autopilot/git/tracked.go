package git

import (
	"context"
	"fmt"
	"slices"
	"strings"
)

// Tracked is what the index has, run data aside.
type Tracked struct {
	Files      []string
	Submodules []string // with a slash at the end
	unwatched  tree
}

// Tracked lists what the index has.
func (r *Tree) Tracked(ctx context.Context) (Tracked, error) {
	return once(ctx, r.runner, "tracked", func() (Tracked, error) {
		out, err := r.read(ctx, "ls-files", "-z", "-v", "--stage")
		if err != nil {
			return Tracked{}, fmt.Errorf("listing the files that git tracks: %w", err)
		}
		return parseTracked(split(out, 0)), nil
	})
}

// Carries says whether the index has something at a path or below it, or a submodule above it: a clone then brings that
// along. Upper and lower case are not told apart.
func (r *Tree) Carries(ctx context.Context, path string) (bool, error) {
	out, err := r.read(ctx, "ls-files", "-z", "--cached")
	if err != nil {
		return false, fmt.Errorf("listing the files that git tracks: %w", err)
	}
	path = strings.ToLower(path) + "/"
	return slices.ContainsFunc(split(out, 0), func(tracked string) bool {
		tracked = strings.ToLower(tracked) + "/"
		return strings.HasPrefix(tracked, path) || strings.HasPrefix(path, tracked)
	}), nil
}

// parseTracked reads ls-files -v --stage. S is skip-worktree, a small letter assume-unchanged.
func parseTracked(records []string) Tracked {
	t := Tracked{unwatched: tree{}}
	for _, record := range records {
		entry, path, _ := strings.Cut(record, "\t")
		fields := strings.Fields(entry)
		switch {
		case len(fields) != 4 || IsRunData(path):
		case fields[1] == submodule:
			t.Submodules = append(t.Submodules, path+"/")
		default:
			t.Files = append(t.Files, path)
			if slices.Contains([]string{"S", "h", "s"}, fields[0]) {
				t.unwatched[path] = File{Path: path, Mode: fields[1], Blob: fields[2]}
			}
		}
	}
	return t
}

// Unseen lists those of some files that are otherwise in the working tree than in the index, and of which git says
// nothing, since somebody set skip-worktree or assume-unchanged for them.
func (r *Tree) Unseen(ctx context.Context, among func(path string) bool) ([]string, error) {
	tracked, err := r.Tracked(ctx)
	if err != nil {
		return nil, err
	}
	now := tree{}
	for path, f := range tracked.unwatched {
		if among(path) {
			now[path] = File{Path: path, Mode: f.Mode}
		}
	}
	err = r.hashChanged(ctx, now)
	var paths []string
	for path, f := range now {
		if was := tracked.unwatched[path]; f.Blob != was.Blob || f.Mode != was.Mode {
			paths = append(paths, path)
		}
	}
	slices.Sort(paths)
	return paths, err
}

// Files lists what belongs to the project, in order: the files of the index, and those that are neither there nor
// ignored. Run data is left out. A file that was just deleted may be among them.
func (r *Tree) Files(ctx context.Context) ([]string, error) {
	out, err := r.read(ctx, "ls-files", "-z", "--cached", "--others", "--exclude-standard")
	if err != nil {
		return nil, fmt.Errorf("listing the project's files: %w", err)
	}
	paths := projectPaths(split(out, 0))
	slices.Sort(paths) // one in the middle of a merge comes several times
	return slices.Compact(paths), nil
}

// IgnoringRule is the line by which git ignores a path. File is as git names it: relative to the root, or absolute for the
// rules that a person has for all repositories.
type IgnoringRule struct{ File, Line, Pattern string }

// IgnoredBy finds the rule for each of some paths; one that git does not ignore is left out.
func (r *Tree) IgnoredBy(ctx context.Context, paths []string) (map[string]IgnoringRule, error) {
	if len(paths) == 0 {
		return nil, nil
	}
	var in []string
	for _, path := range paths {
		in = append(in, "./"+path) // this command cannot be told that paths are literal; so none begins with a colon
	}
	out, _, err := r.run(ctx, call{args: []string{"check-ignore", "-v", "-z", "--stdin"}, stdin: joined(in), magic: true, looks: true})
	if err != nil && exitCode(err) != 1 { // 1: it ignores none
		return nil, fmt.Errorf("asking for the rules by which git ignores files: %w", err)
	}
	rules := map[string]IgnoringRule{}
	for f := split(out, 0); len(f) >= 4; f = f[4:] {
		rules[strings.TrimPrefix(f[3], "./")] = IgnoringRule{File: f[0], Line: f[1], Pattern: f[2]}
	}
	return rules, nil
}
