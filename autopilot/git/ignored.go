package git

import (
	"context"
	"fmt"
	"strings"
)

// IgnoringRule is the line by which git ignores a path. File is as git names it: relative to the root, or absolute for the
// rules that a person has for all repositories.
type IgnoringRule struct{ File, Line, Pattern string }

// IgnoredBy finds the rule for each of some paths; one that git does not ignore is left out.
func (r *Repo) IgnoredBy(ctx context.Context, paths []string) (map[string]IgnoringRule, error) {
	if len(paths) == 0 {
		return nil, nil
	}
	var in []string
	for _, path := range paths {
		in = append(in, "./"+path) // this command cannot be told that paths are literal; so none begins with a colon
	}
	out, _, err := r.run(ctx, call{args: []string{"check-ignore", "-v", "-z", "--stdin"}, stdin: joined(in), magic: true, looks: true})
	if err != nil && exitCode(err) != 1 { // 1: it ignores none
		return nil, fmt.Errorf("asking for the rules by which git ignores files: %w", err)
	}
	rules := map[string]IgnoringRule{}
	for f := split(out, 0); len(f) >= 4; f = f[4:] {
		rules[strings.TrimPrefix(f[3], "./")] = IgnoringRule{File: f[0], Line: f[1], Pattern: f[2]}
	}
	return rules, nil
}
