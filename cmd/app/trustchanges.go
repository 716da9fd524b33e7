package app

import (
	"context"
	"path"
	"slices"
	"strings"

	"autopilot/autopilot/git"
	"autopilot/autopilot/machine"
	"autopilot/autopilot/tasks"
	"autopilot/config"
)

// changed are the entries whose file a commit of the session changed. What a person committed is not among them.
func (w *Workspace) changed(ctx context.Context, s machine.State, entries []TrustEntry) ([]TrustEntry, error) {
	if s.StartingCommit == "" {
		return nil, nil
	}
	commits, err := w.Work.History.Between(ctx, s.StartingCommit, "HEAD")
	if err != nil {
		return nil, nil //nolint:nilerr // of a history that is gone nothing is known, and all is asked
	}
	own, err := w.touched(ctx, slices.DeleteFunc(commits, func(c git.Described) bool { return !isOf(s, c) }))
	if err != nil {
		return nil, err
	}
	return inFiles(entries, append(own, w.unfinished(ctx, s)...)), nil
}

// ChangedByOthers returns the entries that commits of others than the session changed since a commit, in their file or in a program that
// they name. Where that commit is gone, all may have changed.
func (w *Workspace) ChangedByOthers(ctx context.Context, s machine.State, since string, entries []TrustEntry) ([]TrustEntry, error) {
	commits, err := w.Work.History.Between(ctx, since, "HEAD")
	if err != nil {
		return entries, nil //nolint:nilerr // nothing is known
	}
	others, err := w.touched(ctx, slices.DeleteFunc(commits, func(c git.Described) bool { return isOf(s, c) }))
	return slices.DeleteFunc(slices.Clone(entries), func(e TrustEntry) bool {
		return len(inFiles([]TrustEntry{e}, others)) == 0 && !slices.ContainsFunc(strings.Fields(e.What), func(word string) bool { return slices.Contains(others, path.Clean(word)) })
	}), err
}

// isOf says whether a commit is one that the session made.
func isOf(s machine.State, c git.Described) bool {
	return len(c.Parents) == 1 && strings.HasPrefix(c.Trailer(git.KeyTrailer), s.SessionID+"/")
}

// touched are the files that commits changed.
func (w *Workspace) touched(ctx context.Context, commits []git.Described) (files []string, err error) {
	for _, c := range commits {
		if len(c.Parents) == 0 {
			continue
		}
		paths, err := w.Work.History.Differing(ctx, c.Parents[0], c.SHA)
		if err != nil {
			return nil, err
		}
		files = append(files, paths...)
	}
	return files, nil
}

// unfinished are the files of a task at work that is not committed yet. What decides how autopilot works is not among them: what an
// agent did to that is put back.
func (w *Workspace) unfinished(ctx context.Context, s machine.State) []string {
	if s.CurrentState != machine.Execute {
		return nil
	}
	status, err := w.Work.Tree.Status(ctx)
	if err != nil {
		return nil
	}
	return slices.DeleteFunc(git.Paths(status.Dirt), func(path string) bool {
		return path == config.ProjectFile || strings.HasPrefix(path, ".harness/") || path == tasks.InitScript
	})
}
