package git

import (
	"context"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
)

// SaveBlobs makes a commit without parents that holds these contents by name, under ref (refs/autopilot/…), and returns
// its id. When it returns, all of it is on the disk. A ref that is there already is replaced.
func (r *Repo) SaveBlobs(ctx context.Context, ref, message string, blobs map[string][]byte) (string, error) {
	if !strings.HasPrefix(ref, ownRefs) {
		return "", fmt.Errorf("saving: %s is not below %s", ref, ownRefs)
	}
	feed := func(w io.Writer) error {
		beginCommit(w, ref, message)
		for _, name := range slices.Sorted(maps.Keys(blobs)) {
			fmt.Fprintf(w, "M 100644 inline %s\ndata %d\n%s\n", quoted(name), len(blobs[name]), blobs[name])
		}
		_, err := io.WriteString(w, "get-mark :1\ndone\n")
		return err
	}
	// Called off half-way it would leave the ref's lock behind, as write says.
	out, _, err := r.run(context.WithoutCancel(ctx), call{args: append(slices.Clone(importArgs), "--force"), feed: feed})
	if err != nil {
		return "", fmt.Errorf("saving %s: %w", ref, err)
	}
	return strings.TrimSpace(string(out)), nil
}

// SavedBlobs reads what SaveBlobs saved, by its commit or ref.
func (r *Repo) SavedBlobs(ctx context.Context, commit string) (map[string][]byte, error) {
	files, err := r.listTree(ctx, commit)
	if err != nil {
		return nil, fmt.Errorf("reading what was saved as %s: %w", commit, err)
	}
	blobs := map[string][]byte{}
	err = r.eachBlob(ctx, slices.Collect(maps.Values(files)), func(f File, data []byte) error {
		blobs[f.Path] = data
		return nil
	})
	return blobs, err
}

// DropBlobs deletes the refs below a prefix (refs/autopilot/…/), but for those of these commits.
func (r *Repo) DropBlobs(ctx context.Context, prefix string, keep []string) error {
	refs, err := r.ListRefs(ctx, prefix)
	if err != nil {
		return err
	}
	var batch refBatch
	for _, ref := range refs {
		if strings.HasPrefix(ref.Name, ownRefs) && !slices.Contains(keep, ref.Object) {
			batch.remove(ref.Name)
		}
	}
	return r.updateRefs(ctx, batch)
}
