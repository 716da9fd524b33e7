package git

import "context"

// Ignored lists what lies in the working tree and git ignores, as the patterns name it: files, and folders with a slash at
// the end and without what is in them. Where a pattern names all that is in a folder, and not the folder, that is listed
// piece by piece.
func (r *Repo) Ignored(ctx context.Context) ([]string, error) {
	state, err := r.status(ctx)
	return state.ignored, err
}
