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

// Ends lists the refs that show where a branch ends, as far as they are there: its own, and the one that shows it as its
// remote has it. Where nothing is configured that is the one of origin.
func (r *Repo) Ends(ctx context.Context, branch string) ([]Ref, error) {
	out, err := r.read(ctx, "for-each-ref", "--format=%(objectname) %(refname) %(upstream)", "refs/heads", "refs/remotes")
	if err != nil {
		return nil, fmt.Errorf("looking where branch %s ends: %w", branch, err)
	}
	own, followed, objects := "refs/heads/"+branch, "refs/remotes/origin/"+branch, map[string]string{}
	for _, line := range split(out, '\n') {
		f := strings.Fields(line) // no name has a space
		if objects[f[1]] = f[0]; f[1] == own && len(f) == 3 {
			followed = f[2]
		}
	}
	var ends []Ref
	for _, name := range []string{own, followed} {
		if object, ok := objects[name]; ok {
			ends = append(ends, Ref{Name: name, Object: object})
		}
	}
	return ends, nil
}

// Shallow says whether the history is cut off somewhere, as after git clone --depth: what is no ancestor then may be one.
func (r *Repo) Shallow() bool {
	_, err := os.Lstat(filepath.Join(r.commonDir, "shallow"))
	return err == nil
}
