package git

import (
	"context"
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
