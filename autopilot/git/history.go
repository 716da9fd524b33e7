package git

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// Logged is one commit of the history.
type Logged struct {
	SHA     string
	Subject string
}

// history is a beginning of the log that is known: newest first, at most as long as it was asked for.
type history struct {
	mu      sync.Mutex
	commits []Logged
	asked   int
}

// from gives the newest n commits from one on, where they are known.
func (h *history) from(head string, n int) []Logged {
	h.mu.Lock()
	defer h.mu.Unlock()
	if len(h.commits) == 0 || h.commits[0].SHA != head || h.asked != n {
		return nil
	}
	return slices.Clone(h.commits)
}

func (h *history) set(commits []Logged, n int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.commits, h.asked = slices.Clone(commits), n
}

// add puts a commit on top of its parent.
func (h *history) add(parent string, c Logged) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if len(h.commits) == 0 || h.commits[0].SHA != parent {
		return
	}
	h.commits = append([]Logged{c}, h.commits[:min(len(h.commits), h.asked-1)]...)
}

// Log lists the newest n commits of HEAD, newest first.
func (r *Repo) Log(ctx context.Context, n int) ([]Logged, error) {
	if p, err := r.Position(ctx); err == nil {
		if known := r.logged.from(p.Head, n); known != nil {
			return known, nil
		}
	}
	log, err := r.readLog(ctx, n)
	if err == nil {
		r.logged.set(log, n)
	}
	return log, err
}

func (r *Repo) readLog(ctx context.Context, n int) ([]Logged, error) {
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

// Show is what git show prints for a commit, or a file's content for "revision:path". More than maxBytes (0 is no
// limit) is cut at the end of a line, and truncated says so.
func (r *Repo) Show(ctx context.Context, object string, maxBytes int) (text string, truncated bool, err error) {
	args := append(slices.Clone(plainDiff), "-c", "log.showRoot=true", "show", "--no-show-signature", "--format=medium",
		"--date=default", "--no-decorate", "--no-abbrev-commit")
	args = append(append(append(args, plainDiffFlags...), patch...), "--end-of-options", object)
	if !strings.Contains(object, ":") {
		args = append(args, projectOnly...)
	}
	out, truncated, err := r.run(ctx, call{args: args, magic: true, limit: maxBytes, looks: true})
	if err != nil {
		return "", false, fmt.Errorf("showing %s: %w", object, err)
	}
	if truncated {
		out = out[:bytes.LastIndexByte(out, '\n')+1]
	}
	return string(out), truncated, nil
}

// Exists tells whether a revision names a commit of this repository. It asks to the end, whatever becomes of the context:
// whoever is interrupted must not take for gone what is there.
func (r *Repo) Exists(ctx context.Context, revision string) bool {
	_, err := r.Resolve(context.WithoutCancel(ctx), revision)
	return err == nil
}

// Resolve is the full id of the commit that a revision names.
func (r *Repo) Resolve(ctx context.Context, revision string) (string, error) {
	if _, head, found := r.headFiles(); found && revision == "HEAD" {
		return head, nil
	}
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
