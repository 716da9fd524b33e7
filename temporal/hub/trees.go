package hub

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
)

// entry is a file in which two trees differ, as it is in the second; of one that is gone there the mode is 0.
type entry struct{ was, mode, blob, path string }

const (
	gone       = "000000"
	repository = "160000" // a submodule, or a repository that lies in this one
)

// differing are the files in which two trees differ.
func (g git) differing(ctx context.Context, a, b string) (all []entry, err error) {
	out, err := g.call(ctx, call{args: []string{"diff-tree", "-r", "--no-renames", "--raw", "-z", "--no-abbrev", a, b}})
	for fields := strings.Split(out, "\x00"); len(fields) > 1; fields = fields[2:] {
		at := strings.Fields(strings.TrimPrefix(fields[0], ":")) // modes, blobs, kind
		all = append(all, entry{at[0], at[1], at[3], fields[1]})
	}
	return all, err
}

// overlaid is the tree of a commit with some files as they are elsewhere; "" as a commit is the empty one.
func (g git) overlaid(ctx context.Context, index, commit string, files []entry) (string, error) {
	if _, err := g.call(ctx, call{args: []string{"read-tree", cmp.Or(commit, "--empty")}, index: index}); err != nil {
		return "", err
	}
	var list strings.Builder
	for _, e := range files {
		fmt.Fprintf(&list, "%s %s\t%s\x00", e.mode, e.blob, e.path)
	}
	if _, err := g.call(ctx, call{args: []string{"update-index", "-z", "--index-info"}, stdin: list.String(), index: index}); err != nil {
		return "", err
	}
	return g.tree(ctx, index)
}

// tree is the tree of what an index has.
func (g git) tree(ctx context.Context, index string) (string, error) {
	out, err := g.call(ctx, call{args: []string{"write-tree"}, index: index})
	return strings.TrimSpace(out), err
}

// someLeft says whether git added all files but some that it could not.
func someLeft(err error) bool {
	refused, is := errors.AsType[*Error](err)
	return is && refused.Code == 1
}
