package app

import (
	"context"
	"maps"
	"strconv"
	"strings"
	"time"

	"autopilot/autopilot/git"
	"autopilot/autopilot/machine"
	"autopilot/sessions/view"
)

// Sizes tells what a commit of the session changed. git is asked once for all that there are, then for each that is new.
func (w *Workspace) Sizes(ctx context.Context, s machine.State) func(sha string) (view.Commit, bool) {
	var known map[string]view.Commit
	look := func(from, to string) {
		if text, err := git.NumStat(ctx, w.Repo.History, from, to); err == nil {
			maps.Copy(known, numbered(text))
		}
	}
	return func(sha string) (view.Commit, bool) {
		if known == nil {
			known = map[string]view.Commit{}
			tip := "refs/heads/" + s.Branch
			if s.Branch == "" || !w.Repo.History.Exists(ctx, tip) {
				tip = "HEAD"
			}
			if s.StartingCommit != "" && w.Repo.History.Exists(ctx, s.StartingCommit) {
				look(s.StartingCommit, tip)
			}
		}
		if _, is := known[sha]; !is {
			known[sha] = view.Commit{} // where git has it no more it is not asked again
			look(sha+"^", sha)
		}
		c := known[sha]
		return c, c.SHA != ""
	}
}

// numbered reads what git.NumStat gives.
func numbered(text string) map[string]view.Commit {
	commits := map[string]view.Commit{}
	for entry := range strings.SplitSeq(text, "\x01") {
		fields := strings.Split(entry, "\x00")
		if len(fields) < 3 {
			continue
		}
		c := view.Commit{SHA: fields[0], Subject: fields[2]}
		if at, err := strconv.ParseInt(fields[1], 10, 64); err == nil {
			c.At = time.Unix(at, 0)
		}
		for _, field := range fields[3:] {
			change := strings.SplitN(strings.TrimSpace(field), "\t", 3)
			if len(change) != 3 {
				continue
			}
			added, _ := strconv.Atoi(change[0]) // "-" of a binary file is none
			removed, _ := strconv.Atoi(change[1])
			c.Files, c.Added, c.Removed, c.Paths = c.Files+1, c.Added+added, c.Removed+removed, append(c.Paths, change[2])
		}
		commits[c.SHA] = c
	}
	return commits
}
