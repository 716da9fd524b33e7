package workspace

import (
	"context"
	"errors"
	"slices"
	"strings"

	"autopilot/autopilot/git"
	"autopilot/autopilot/git/refs"
	"autopilot/autopilot/machine"
	"autopilot/autopilot/plainfile"
	"autopilot/autopilot/shell"
)

// PutGitBack puts branch, HEAD, index and refs back, and tells what it met.
func (g RepoGuard) PutGitBack(ctx context.Context, was refs.Guard) ([]machine.Finding, refs.Deviation, error) {
	met, err := refs.Of(g.Repo).Compare(ctx, was)
	var found []machine.Finding
	if err == nil && g.Lenient {
		for _, m := range met.Refs {
			if m.Name == "refs/stash" || m.Before == "" {
				was.Ours = append(was.Ours, m)
				found = append(found, Integrity(machine.Important, m.Name+" is new, or was used, while agents were at work; it may be yours, and stays", "", ""))
			}
		}
		if len(found) > 0 {
			met, err = refs.Of(g.Repo).Compare(ctx, was)
		}
	}
	if err != nil || met.None() {
		return found, met, err
	}
	if met.HeadAhead || met.IndexChanged || !met.Mild() || len(met.Left) > 0 {
		if err := refs.Of(g.Repo).PutBack(ctx, was, met, g.Kept); err != nil {
			return found, met, err
		}
	}
	if met.HeadAhead {
		severity, title := machine.Suggestion, g.Who+" made commits of its own"
		if g.Unclear {
			severity, title = machine.Important, "commits were made, by the agent or by somebody after the run was killed"
		}
		found = append(found, Integrity(severity, title, "they were taken back, the files stay; they are kept under "+g.Kept, ""))
	} else if met.IndexChanged {
		found = append(found, Integrity(machine.Suggestion, g.Who+" staged or unstaged files", "the index was put back as it was", ""))
	}
	for _, what := range met.Other {
		severity, who := machine.Critical, g.Who
		if slices.Contains(met.Shared, what) {
			severity, who = g.blame()
		}
		found = append(found, Integrity(severity, who+" "+what, "it was put back; what was there is kept under "+g.Kept, ""))
	}
	return append(found, TellLeft(met.Left, g.Kept)...), met, nil
}

// TellLeft is told of refs that changed while agents were at work, and stay so. A tag that came does no harm.
func TellLeft(left []refs.Moved, kept string) []machine.Finding {
	var found []machine.Finding
	for _, m := range left {
		severity, why := machine.Important, "it stays so: nothing shows who it was"
		switch {
		case strings.HasPrefix(m.Name, "refs/remotes/"):
			why = "it shows what was pushed, and stays; look at the remote, if it wasn't you"
		case m.Before == "":
			severity = machine.Suggestion
		default:
			why += "; what it was is kept under " + kept
		}
		found = append(found, Integrity(severity, "while an agent was at work somebody "+m.Words(), why, ""))
	}
	return found
}

// RestoreUserFiles brings back the user's files that somebody deleted, or made what they are at HEAD, and names those with other
// bytes than before: that may be the user's own edit, and stays.
func (g RepoGuard) RestoreUserFiles(ctx context.Context, saved git.Saved, deleted, altered []string) []machine.Finding {
	var found []machine.Finding
	bring := func(path, what string) {
		why := ""
		if err := g.restore(ctx, saved, path); err != nil {
			what, why = "a file of yours is gone and could not be restored", err.Error()
		}
		found = append(found, Integrity(machine.Important, what, why, path))
	}
	for _, path := range deleted {
		bring(path, g.Who+" deleted a file of yours; it was restored")
	}
	for _, path := range altered {
		if !g.Ended.IsZero() && plainfile.ChangedAfter(InTree(g.Repo.Root(), path), g.Ended) {
			continue
		}
		if g.asCommitted(ctx, path) && has(saved.Files, path) {
			bring(path, g.Who+" threw your uncommitted changes away; they were restored")
			continue
		}
		why := ""
		if has(saved.Files, path) {
			why = "the version from before: " + RestoreCommand(saved.Ref, []string{path})
		}
		found = append(found, Integrity(machine.Important, "a file with your uncommitted changes was altered; it is kept out of the commits", why, path))
	}
	return found
}

// asCommitted says whether nothing of a file is uncommitted.
func (g RepoGuard) asCommitted(ctx context.Context, path string) bool {
	status, err := g.Repo.Tree.Status(ctx)
	return err == nil && !slices.Contains(git.Paths(status.Dirt), path)
}

func (g RepoGuard) restore(ctx context.Context, saved git.Saved, path string) error {
	if !has(saved.Files, path) {
		return errors.New("it was too large to be saved")
	}
	return g.Repo.Files.Restore(ctx, saved.Ref, []string{path})
}

// RestoreCommand is the command that puts saved files into the working tree again.
func RestoreCommand(ref string, paths []string) string {
	const most = 8
	words := "git restore --source=" + ref + " --worktree --"
	for _, path := range paths[:min(len(paths), most)] {
		words += " " + shell.QuoteWord(path)
	}
	if len(paths) > most {
		words += " (all of them: git ls-tree -r --name-only " + ref + ")"
	}
	return words
}
