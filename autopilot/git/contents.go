package git

import (
	"context"
	"fmt"
)

// Contents reads files as they are in a commit, by path. Paths that are no files there are left out.
func (r *Repo) Contents(ctx context.Context, revision string, paths []string) (map[string][]byte, error) {
	contents := map[string][]byte{}
	if len(paths) == 0 {
		return contents, nil
	}
	all, err := r.listTree(ctx, revision)
	if err != nil {
		return nil, fmt.Errorf("listing the files of %s: %w", revision, err)
	}
	var wanted []File
	for _, p := range paths {
		if f, ok := all[p]; ok && f.Mode != "160000" && f.Mode != "120000" {
			wanted = append(wanted, f)
		}
	}
	return contents, r.eachBlob(ctx, wanted, func(f File, data []byte) error {
		contents[f.Path] = data
		return nil
	})
}
