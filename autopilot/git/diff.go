package git

import (
	"bytes"
	"context"
	"fmt"
	"strings"
)

// plainDiff makes git diff the same for everybody, whatever they configured, and keeps it from running programs.
var plainDiff = []string{
	"-c", "diff.autoRefreshIndex=true", "-c", "diff.suppressBlankEmpty=false", "-c", "core.pager=cat", "-c", "core.abbrev=auto",
	"-c", "diff.default.binary=auto", "-c", "diff.statGraphWidth=0", "-c", "diff.statNameWidth=0",
}

var plainDiffFlags = []string{
	"--no-ext-diff", "--no-textconv", "--no-color", "--ignore-submodules=all", "--find-renames",
	"--src-prefix=a/", "--dst-prefix=b/", "--diff-algorithm=histogram", "-O/dev/null",
}

// patch asks for the text of a difference; --unified alone would add it to every other form.
var patch = []string{"--patch", "--unified=3", "--inter-hunk-context=0"}

// Changes lists what differs between a commit and the working tree, new files included, by path. A file that moved is
// one change with status R. Run data and submodules are left out.
func (r *Tree) Changes(ctx context.Context, base string) ([]Change, error) {
	now, err := r.Status(ctx)
	if err != nil {
		return nil, err
	}
	if changes, plain := now.since(base); plain {
		return changes, nil
	}
	return r.changesByDiff(ctx, base, now)
}

func (r *Tree) changesByDiff(ctx context.Context, base string, now Status) ([]Change, error) {
	var changes []Change
	err := r.index.lendKnowing(ctx, now.Untracked(), func(index string) error {
		out, _, err := r.diff(ctx, call{index: index}, []string{"--raw", "-z"}, base)
		changes = parseRaw(split(out, 0))
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("listing the changes since %s: %w", base, err)
	}
	return changes, nil
}

// since is Changes since HEAD. Plain is false where git status says too little: of another commit, of a file that is gone and
// may have moved, of one that is staged and may be again what it was.
func (s Status) since(base string) (changes []Change, plain bool) {
	if s.Head == "" || base != "HEAD" && base != s.Head {
		return nil, false
	}
	for _, c := range s.Dirt {
		if c.Staged || c.Status == 'D' {
			return nil, false
		}
		changes = append(changes, Change{Path: c.Path, Status: c.Status})
	}
	return changes, true
}

// Diff is the difference between two commits as text, or between a commit and the working tree with its new files
// when to is "". More than maxBytes (0 is no limit) is cut at the end of a line, and truncated says so. Names and
// contents are the files' own bytes.
func (r *Tree) Diff(ctx context.Context, from, to string, maxBytes int) (text string, truncated bool, err error) {
	out, truncated, err := r.between(ctx, from, to, patch, maxBytes)
	if truncated {
		out = out[:bytes.LastIndexByte(out, '\n')+1]
	}
	return string(out), truncated, err
}

// DiffStat is the short form of Diff: a line per file with the number of lines, and a sum.
func (r *Tree) DiffStat(ctx context.Context, from, to string) (string, error) {
	out, _, err := r.between(ctx, from, to, []string{"--stat=100", "--stat-graph-width=10", "--compact-summary"}, 0)
	return string(out), err
}

func (r *Tree) between(ctx context.Context, from, to string, form []string, limit int) (out []byte, cut bool, err error) {
	if to != "" {
		out, cut, err = r.diff(ctx, call{limit: limit}, form, from, to)
	} else if now, statusErr := r.Status(ctx); statusErr != nil {
		err = statusErr
	} else {
		err = r.index.lendKnowing(ctx, now.Untracked(), func(index string) error {
			out, cut, err = r.diff(ctx, call{limit: limit, index: index}, form, from)
			return err
		})
	}
	if err != nil {
		return nil, false, fmt.Errorf("comparing with %s: %w", from, err)
	}
	return out, cut, nil
}

func (r *Tree) diff(ctx context.Context, c call, form []string, revisions ...string) ([]byte, bool, error) {
	c.magic, c.looks = true, true
	c.args = append(append([]string{}, plainDiff...), "diff")
	c.args = append(append(c.args, plainDiffFlags...), form...)
	c.args = append(append(c.args, "--end-of-options"), revisions...)
	c.args = append(c.args, projectOnly...)
	return r.run(ctx, c)
}

// parseRaw reads the fields of git diff --raw -z.
func parseRaw(fields []string) []Change {
	var changes []Change
	for i := 0; i+1 < len(fields); i += 2 {
		head := strings.Fields(fields[i])
		if len(head) != 5 {
			return changes
		}
		c := Change{Path: fields[i+1], Status: head[4][0]}
		if c.Status == 'R' && i+2 < len(fields) {
			c.OldPath, c.Path = fields[i+1], fields[i+2]
			i++
		}
		changes = append(changes, c)
	}
	return changes
}
