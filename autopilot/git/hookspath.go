package git

import (
	"context"
	"strings"
)

// HooksPath is the folder that git takes hooks from where the user's configuration names one (core.hooksPath); a
// relative one is meant below the top folder of each working tree. "" is that none is named.
func (r *Repo) HooksPath(ctx context.Context) string {
	out, err := r.read(ctx, "config", "-z", "--type=path", "--get-all", "core.hooksPath")
	values := strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00")
	if err != nil || len(values) < 2 {
		return ""
	}
	return values[len(values)-2] // the last one is that of this call
}
