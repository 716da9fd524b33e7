package git

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
)

// maxPatches is how much of a history's patches is compared, in bytes. A squash merge beyond it isn't found.
const maxPatches = 64 << 20

// asPatch shows a change in full. The ids of binary files tell apart changes whose text git leaves out.
var asPatch = slices.Concat(plainDiffFlags, patch, []string{"--no-renames", "--ignore-submodules=none", "--full-index"})

// Merged reports whether the history that ends in into has the work of since..tip: the same commits, each of them under
// another id as after a rebase, or all of them as one commit, as a squash merge makes it. Without since the work begins
// where the two histories part.
func (r *History) Merged(ctx context.Context, since, tip, into string) (bool, error) {
	if has, err := r.IsAncestor(ctx, tip, into); err != nil || has {
		return has, err
	}
	parted, err := r.MergeBase(ctx, tip, into)
	if err != nil || parted == "" {
		return false, err
	}
	since = cmp.Or(since, parted)
	if rebased, err := r.rebased(ctx, since, tip, into); err != nil || rebased {
		return rebased, err
	}
	return r.squashed(ctx, since, tip, parted+".."+into)
}

// rebased reports whether each commit of since..tip has its like in into.
func (r *History) rebased(ctx context.Context, since, tip, into string) (bool, error) {
	out, err := r.read(ctx, "cherry", "--end-of-options", into, tip, since)
	if err != nil {
		return false, fmt.Errorf("comparing the commits of %s with %s: %w", tip, into, err)
	}
	commits := split(out, '\n')
	missing := func(line string) bool { return !strings.HasPrefix(line, "- ") }
	return len(commits) > 0 && !slices.ContainsFunc(commits, missing), nil
}

// squashed reports whether one of some commits changes what since..tip changes.
func (r *History) squashed(ctx context.Context, since, tip, commits string) (bool, error) {
	paths, err := r.Differing(ctx, since, tip)
	if err != nil || len(paths) == 0 {
		return false, err
	}
	whole, err := r.patchIDs(ctx, "diff", asPatch, "--end-of-options", since, tip)
	if err != nil || len(whole) != 1 {
		return false, err
	}
	// Only a commit that changes the first path can be the one: --full-diff shows the rest of it too.
	log := slices.Concat([]string{"--no-merges", "--no-show-signature", "--format=%H", "--full-diff"}, asPatch)
	single, err := r.patchIDs(ctx, "log", log, "--end-of-options", commits, "--", paths[0])
	return slices.Contains(single, whole[0]), err
}

// patchIDs are the ids of the patches that a command of git prints; none where there are too many of them.
func (r *History) patchIDs(ctx context.Context, command string, flags []string, what ...string) ([]string, error) {
	args := slices.Concat(plainDiff, []string{command}, flags, what)
	patches, cut, err := r.run(ctx, call{args: args, limit: maxPatches})
	if err != nil || cut || len(bytes.TrimSpace(patches)) == 0 {
		return nil, err
	}
	out, _, err := r.run(ctx, call{args: []string{"patch-id", "--stable"}, stdin: patches})
	if err != nil {
		return nil, fmt.Errorf("comparing patches: %w", err)
	}
	var ids []string
	for _, line := range split(out, '\n') {
		id, _, _ := strings.Cut(line, " ")
		ids = append(ids, id)
	}
	return ids, nil
}
