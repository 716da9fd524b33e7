package git

import "context"

// Has says whether a commit has something at a path, or below it.
func (r *Blobs) Has(ctx context.Context, commit, path string) bool {
	out, err := r.read(ctx, "ls-tree", "--name-only", commit, "--", path)
	return err == nil && len(out) > 0
}
