package git

import (
	"context"
	"fmt"
)

// Ignored lists what lies in the working tree and git ignores: files, and folders that are ignored as a whole, with a
// slash at the end and without what is in them.
func (r *Repo) Ignored(ctx context.Context) ([]string, error) {
	out, err := r.read(ctx, "ls-files", "-z", "--others", "--ignored", "--exclude-standard", "--directory")
	if err != nil {
		return nil, fmt.Errorf("listing what git ignores: %w", err)
	}
	return projectPaths(split(out, 0)), nil
}
