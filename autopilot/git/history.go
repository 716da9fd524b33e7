package git

import (
	"context"
	"fmt"
	"strconv"
	"strings"
)

// Logged is one commit of the history.
type Logged struct {
	SHA     string
	Subject string
}

// Log lists the newest n commits of HEAD, newest first.
func (r *Repo) Log(ctx context.Context, n int) ([]Logged, error) {
	out, err := r.read(ctx, "log", "-z", "--no-show-signature", "--no-color", "--format=%H %s", "-n", strconv.Itoa(n))
	if err != nil {
		return nil, fmt.Errorf("reading the history: %w", err)
	}
	var log []Logged
	for _, line := range split(out, 0) {
		sha, subject, _ := strings.Cut(line, " ")
		log = append(log, Logged{SHA: sha, Subject: subject})
	}
	return log, nil
}

// Exists tells whether a revision names a commit of this repository. It asks to the end, whatever becomes of the context:
// whoever is interrupted must not take for gone what is there.
func (r *Repo) Exists(ctx context.Context, revision string) bool {
	_, err := r.Resolve(context.WithoutCancel(ctx), revision)
	return err == nil
}

// Resolve is the full id of the commit that a revision names.
func (r *Repo) Resolve(ctx context.Context, revision string) (string, error) {
	out, err := r.read(ctx, "rev-parse", "--verify", "--quiet", "--end-of-options", revision+"^{commit}")
	if err != nil {
		return "", fmt.Errorf("%q names no commit: %w", revision, err)
	}
	return strings.TrimSpace(string(out)), nil
}

// MergeBase is the newest commit that two revisions have in common; "" when they share none.
func (r *Repo) MergeBase(ctx context.Context, a, b string) (string, error) {
	out, err := r.read(ctx, "merge-base", "--end-of-options", a, b)
	if exitCode(err) == 1 {
		return "", nil
	}
	if err != nil {
		return "", fmt.Errorf("finding where %s and %s meet: %w", a, b, err)
	}
	return strings.TrimSpace(string(out)), nil
}

// IsAncestor tells whether a commit is another one or lies in its history.
func (r *Repo) IsAncestor(ctx context.Context, ancestor, of string) (bool, error) {
	_, err := r.read(ctx, "merge-base", "--is-ancestor", "--end-of-options", ancestor, of)
	if exitCode(err) == 1 {
		return false, nil
	}
	return err == nil, err
}

// FindKey looks for the commit in parent..HEAD whose message has the line "Autopilot-Key: <key>": the mark by which a
// resumed run knows a commit as its own. The whole message is searched, since a hook may have added lines after the
// trailers.
func (r *Repo) FindKey(ctx context.Context, parent, key string) (sha string, found bool, err error) {
	out, err := r.read(ctx, "log", "-z", "--no-show-signature", "--no-color", "--format=%H%n%B",
		"--end-of-options", parent+"..HEAD")
	if err != nil {
		return "", false, fmt.Errorf("looking for the commit of %s: %w", key, err)
	}
	for _, commit := range split(out, 0) {
		lines := strings.Split(commit, "\n")
		for _, line := range lines[1:] {
			if strings.TrimRight(line, " \r") == KeyTrailer+": "+key {
				return lines[0], true, nil
			}
		}
	}
	return "", false, nil
}
