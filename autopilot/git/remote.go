package git

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// RemoteURL is where a remote lies, as the configuration has it; "" where there is no such remote.
func (r *Repo) RemoteURL(ctx context.Context, remote string) string {
	out, err := r.read(ctx, "config", "--get", "remote."+remote+".url")
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(out))
}

// Followed is the full name of the ref that shows a branch as its remote has it. Where nothing is configured it is that of
// origin, which need not be there.
func (r *Repo) Followed(ctx context.Context, branch string) (string, error) {
	out, err := r.read(ctx, "for-each-ref", "--format=%(upstream)", "refs/heads/"+branch)
	if err != nil {
		return "", fmt.Errorf("looking what branch %s follows: %w", branch, err)
	}
	if ref := strings.TrimSpace(string(out)); ref != "" {
		return ref, nil
	}
	return "refs/remotes/origin/" + branch, nil
}

// Shallow says whether the history is cut off somewhere, as after git clone --depth: what is no ancestor then may be one.
func (r *Repo) Shallow() bool {
	_, err := os.Lstat(filepath.Join(r.commonDir, "shallow"))
	return err == nil
}
