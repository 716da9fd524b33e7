package report

import (
	"context"
	"strconv"
	"strings"
	"time"

	"autopilot/autopilot/git"
	"autopilot/autopilot/machine"
	"autopilot/sessions/view"
)

// commitsOf are the commits of a session's branch with what each changed, by hash; none where git has the branch no more.
func commitsOf(ctx context.Context, repo *git.Repo, s machine.State) map[string]view.Commit {
	tip := "refs/heads/" + s.Branch
	if s.Branch == "" || !repo.History.Exists(ctx, tip) {
		tip = "HEAD"
	}
	if s.StartingCommit == "" || !repo.History.Exists(ctx, s.StartingCommit) {
		return nil
	}
	text, err := git.NumStat(ctx, repo.History, s.StartingCommit, tip)
	if err != nil {
		return nil
	}
	return numbered(text)
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
