package git

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// identity are the variables by which git commits under the name and the address that it finds now.
func (r *Repo) identity(ctx context.Context, list []setting) ([]string, error) {
	var env []string
	now := settingsOf(list)
	for _, who := range []string{"GIT_AUTHOR", "GIT_COMMITTER"} {
		name, email, certain := now.identity(who)
		if !certain {
			out, err := r.read(ctx, "var", who+"_IDENT") // Ada <ada@example.com> 1700000000 +0000
			if err != nil {
				return nil, identityError(err)
			}
			var rest string
			name, rest, _ = strings.Cut(string(out), " <")
			email, _, _ = strings.Cut(rest, ">")
		}
		env = append(env, who+"_NAME="+name, who+"_EMAIL="+email)
	}
	return env, nil
}

// repositorysConfig is the file in which an identity is set that is not for all repositories; nil where it cannot be read.
func (r *Repo) repositorysConfig() []byte {
	text, err := os.ReadFile(filepath.Join(r.commonDir, "config"))
	if err != nil {
		return nil
	}
	return text
}

// identityChanged is who would commit by now, where that is another than was recorded; each change is told once. Commits go
// on under the recorded name.
func (r *Repo) identityChanged(ctx context.Context) (string, error) {
	if r.pinned == nil {
		return "", nil
	}
	text := r.repositorysConfig()
	r.pinned.mu.Lock()
	same := bytes.Equal(text, r.pinned.looked)
	r.pinned.looked = text
	was := r.pinned.identity
	r.pinned.mu.Unlock()
	if same {
		return "", nil
	}
	list, err := r.listSettings(ctx)
	if err != nil {
		return "", err
	}
	now, err := r.identity(ctx, list)
	if err != nil || slices.Equal(now, was) {
		return "", err
	}
	_, name, _ := strings.Cut(now[0], "=")
	_, email, _ := strings.Cut(now[1], "=")
	return name + " <" + email + ">", nil
}
