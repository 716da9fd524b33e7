package git

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// History reads commits.
type History struct{ *runner }

// Logged is one commit of the history.
type Logged struct {
	SHA     string
	Subject string
}

// Log lists the newest n commits of HEAD, newest first.
func (r *History) Log(ctx context.Context, n int) ([]Logged, error) {
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
func (r *History) Exists(ctx context.Context, revision string) bool {
	_, err := r.Resolve(context.WithoutCancel(ctx), revision)
	return err == nil
}

// Resolve is the full id of the commit that a revision names.
func (r *History) Resolve(ctx context.Context, revision string) (string, error) {
	out, err := r.read(ctx, "rev-parse", "--verify", "--quiet", "--end-of-options", revision+"^{commit}")
	if err != nil {
		return "", fmt.Errorf("%q names no commit: %w", revision, err)
	}
	return strings.TrimSpace(string(out)), nil
}

// MergeBase is the newest commit that two revisions have in common; "" when they share none.
func (r *History) MergeBase(ctx context.Context, a, b string) (string, error) {
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
func (r *History) IsAncestor(ctx context.Context, ancestor, of string) (bool, error) {
	_, err := r.read(ctx, "merge-base", "--is-ancestor", "--end-of-options", ancestor, of)
	if exitCode(err) == 1 {
		return false, nil
	}
	return err == nil, err
}

// KeyTrailer names the line of a commit message by which the program knows its own commit.
const KeyTrailer = "Autopilot-Key"

// FindKey looks for the commit in parent..HEAD whose message has the line "Autopilot-Key: <key>": the mark by which a
// resumed run knows a commit as its own. The whole message is searched, since a hook may have added lines after the
// trailers.
func (r *History) FindKey(ctx context.Context, parent, key string) (sha string, found bool, err error) {
	list, err := r.Between(ctx, parent, "HEAD")
	for _, commit := range list {
		for line := range strings.Lines(commit.Message) {
			if strings.TrimRight(line, " \r\n") == KeyTrailer+": "+key {
				return commit.SHA, true, nil
			}
		}
	}
	return "", false, err
}

// Described is a commit with what its message says.
type Described struct {
	SHA     string
	Parents []string
	Made    time.Time // to the second
	Message string    // whole, as it was written
}

// Trailer is the value of the line "name: value" of the message, the last one of that name; "" where there is none. The
// whole message is searched, since a hook may have added lines after the trailers.
func (d Described) Trailer(name string) string {
	value := ""
	for line := range strings.Lines(d.Message) {
		if v, ok := strings.CutPrefix(strings.TrimRight(line, " \r\n"), name+": "); ok {
			value = v
		}
	}
	return value
}

// Describe reads the commit that a revision names.
func (r *History) Describe(ctx context.Context, revision string) (Described, error) {
	list, err := r.described(ctx, "--no-walk", "--end-of-options", revision+"^{commit}")
	if err != nil || len(list) != 1 {
		return Described{}, fmt.Errorf("reading commit %s: %w", revision, err)
	}
	return list[0], nil
}

// Between lists the commits of one revision's history that are not in another's, newest first.
func (r *History) Between(ctx context.Context, from, to string) ([]Described, error) {
	list, err := r.described(ctx, "--end-of-options", from+".."+to)
	if err != nil {
		return nil, fmt.Errorf("listing the commits from %s to %s: %w", from, to, err)
	}
	return list, nil
}

// NumStat is git log --numstat of the commits in one revision's history that are not in another's: a \x01 begins each.
func NumStat(ctx context.Context, r *History, from, to string) (string, error) {
	out, err := r.read(ctx, "log", "-z", "--numstat", "--no-renames", "--no-ext-diff", "--no-textconv", "--no-show-signature", "--no-color", "--format=%x01%H%x00%ct%x00%s", "--end-of-options", from+".."+to)
	return string(out), err
}

// Unreachable lists the commits that lead to some, or are among them, and are not in the history of HEAD; newest first. A
// commit that the repository no longer has is an error.
func (r *History) Unreachable(ctx context.Context, commits []string) ([]Described, error) {
	if len(commits) == 0 {
		return nil, nil
	}
	list, err := r.described(ctx, append(append([]string{"--topo-order", "--end-of-options"}, commits...), "^HEAD")...)
	if err != nil {
		return nil, fmt.Errorf("looking for the commits of the session: %w", err)
	}
	return list, nil
}

// Newest is the one of some commits that none of the others follows; "" without any.
func (r *History) Newest(ctx context.Context, commits []string) (string, error) {
	if len(commits) == 0 {
		return "", nil
	}
	list, err := r.described(ctx, append([]string{"--topo-order", "--max-count=1", "--end-of-options"}, commits...)...)
	if err != nil || len(list) == 0 {
		return "", err
	}
	return list[0].SHA, nil
}

func (r *History) described(ctx context.Context, which ...string) ([]Described, error) {
	args := []string{"log", "-z", "--no-show-signature", "--no-color", "--format=%H%n%P%n%ct%n%B"}
	out, err := r.read(ctx, append(args, which...)...)
	if err != nil {
		return nil, err
	}
	var list []Described
	for _, entry := range split(out, 0) {
		sha, rest, _ := strings.Cut(entry, "\n")
		parents, rest, _ := strings.Cut(rest, "\n")
		made, message, _ := strings.Cut(rest, "\n")
		seconds, _ := strconv.ParseInt(made, 10, 64) // git writes a number
		list = append(list, Described{SHA: sha, Parents: strings.Fields(parents), Made: time.Unix(seconds, 0), Message: message})
	}
	return list, nil
}

// Shallow says whether the history is cut off somewhere, as after git clone --depth: what is no ancestor then may be one.
func (r *History) Shallow() bool {
	_, err := os.Lstat(filepath.Join(r.commonDir, "shallow"))
	return err == nil
}

// Mentions says whether a file of a commit has a text, but for those below some paths; as a word of its own, if it is to be.
func (r *History) Mentions(ctx context.Context, commit, text string, word bool, but ...string) (bool, error) {
	args := []string{"grep", "-q", "-F", "-e", text, commit, "--", "."}
	if word {
		args[1] = "-qw"
	}
	for _, path := range but {
		args = append(args, ":(exclude,literal)"+path)
	}
	_, _, err := r.run(ctx, call{args: args, magic: true, looks: true})
	if exitCode(err) == 1 {
		return false, nil
	}
	return err == nil, err
}

// Differing lists the paths that two commits have otherwise: added, changed or deleted, both sides of a rename.
func (r *History) Differing(ctx context.Context, from, to string) ([]string, error) {
	out, err := r.read(ctx, "diff-tree", "-r", "-z", "--no-renames", "--name-only", from, to)
	if err != nil {
		return nil, fmt.Errorf("comparing %.7s with %.7s: %w", from, to, err)
	}
	return projectPaths(split(out, 0)), nil
}
