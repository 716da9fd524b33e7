package git

import (
	"context"
	"fmt"
	"strings"
)

// Described is a commit with what its message says.
type Described struct {
	SHA     string
	Parents []string
	Message string // whole, as it was written
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
func (r *Repo) Describe(ctx context.Context, revision string) (Described, error) {
	list, err := r.described(ctx, "--no-walk", "--end-of-options", revision+"^{commit}")
	if err != nil || len(list) != 1 {
		return Described{}, fmt.Errorf("reading commit %s: %w", revision, err)
	}
	return list[0], nil
}

// Between lists the commits of one revision's history that are not in another's, newest first.
func (r *Repo) Between(ctx context.Context, from, to string) ([]Described, error) {
	list, err := r.described(ctx, "--end-of-options", from+".."+to)
	if err != nil {
		return nil, fmt.Errorf("listing the commits from %s to %s: %w", from, to, err)
	}
	return list, nil
}

// Unreachable lists the commits that lead to some, or are among them, and are not in the history of HEAD; newest first. A
// commit that the repository no longer has is an error.
func (r *Repo) Unreachable(ctx context.Context, commits []string) ([]Described, error) {
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
func (r *Repo) Newest(ctx context.Context, commits []string) (string, error) {
	if len(commits) == 0 {
		return "", nil
	}
	list, err := r.described(ctx, append([]string{"--topo-order", "--max-count=1", "--end-of-options"}, commits...)...)
	if err != nil || len(list) == 0 {
		return "", err
	}
	return list[0].SHA, nil
}

func (r *Repo) described(ctx context.Context, which ...string) ([]Described, error) {
	args := []string{"log", "-z", "--no-show-signature", "--no-color", "--format=%H%n%P%n%B"}
	out, err := r.read(ctx, append(args, which...)...)
	if err != nil {
		return nil, err
	}
	var list []Described
	for _, entry := range split(out, 0) {
		sha, rest, _ := strings.Cut(entry, "\n")
		parents, message, _ := strings.Cut(rest, "\n")
		list = append(list, Described{SHA: sha, Parents: strings.Fields(parents), Message: message})
	}
	return list, nil
}
