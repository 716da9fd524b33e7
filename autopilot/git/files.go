package git

import (
	"context"
	"fmt"
	"slices"
)

// Files lists what belongs to the project, in order: the files of the index, and those that are neither there nor
// ignored. Run data is left out. A file that was just deleted may be among them.
func (r *Repo) Files(ctx context.Context) ([]string, error) {
	out, err := r.read(ctx, "ls-files", "-z", "--cached", "--others", "--exclude-standard")
	if err != nil {
		return nil, fmt.Errorf("listing the project's files: %w", err)
	}
	paths := projectPaths(split(out, 0))
	slices.Sort(paths) // one in the middle of a merge comes several times
	return slices.Compact(paths), nil
}
