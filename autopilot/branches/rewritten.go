package branches

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"autopilot/autopilot/git"
	"autopilot/autopilot/halt"
	"autopilot/autopilot/machine"
	"autopilot/autopilot/shell"
	"autopilot/autopilot/words"
)

// Rewritten refuses to go on where work of the session is no longer on its branch: it would end as done without it. A branch
// that somebody rebased or squashed still has the work.
func (b Branch) Rewritten(ctx context.Context, s machine.State) error {
	known := knownCommits(s)
	lost, err := b.Repo.History.Unreachable(ctx, known)
	if err != nil {
		return cmp.Or(b.pruned(ctx, s, known), err)
	}
	if len(lost) == 0 {
		return nil
	}
	missing, err := b.missing(ctx, s, lost)
	if err != nil {
		return err
	}
	if len(missing) == 0 {
		b.Journal.Note("warning", "The branch was rewritten since the last run. The work of the session is still on it.")
		return b.baseMoved(ctx, s)
	}
	var shas, subjects []string
	for _, c := range slices.Backward(missing) {
		title, _, _ := strings.Cut(c.Message, "\n")
		shas, subjects = append(shas, words.Commit(c.SHA)), append(subjects, title)
	}
	phase := missing[len(missing)-1].Trailer("Autopilot-Phase")
	return halt.Usage("work of this session is no longer on branch %s: %s\nPut it back: git cherry-pick %s\nIf it was dropped on purpose, have its phase done again: autopilot phases %s redo %s",
		s.Branch, strings.Join(words.FirstFew(subjects, 3), "; "), strings.Join(shas, " "), shell.QuotePath(s.SpecPath), cmp.Or(phase, "N"))
}

// pruned says of commits that the repository no longer has that nobody can tell whether their work is on the branch; nil
// where it has all of them.
func (b Branch) pruned(ctx context.Context, s machine.State, known []string) error {
	var gone []string
	for _, sha := range known {
		if !b.Repo.History.Exists(ctx, sha) {
			gone = append(gone, words.Commit(sha))
		}
	}
	if len(gone) == 0 {
		return nil
	}
	return halt.Usage("the repository no longer has commits of this session: %s. Whether branch %s has their work cannot be told\nFetch them from where they still are, or have the phase done again: autopilot phases %s redo %s",
		strings.Join(words.FirstFew(gone, 3), ", "), s.Branch, shell.QuotePath(s.SpecPath), s.Phases[s.CurrentPhase].Number)
}

// baseMoved says of a branch that was rewritten whether it stands on another commit than the one where the session began.
func (b Branch) baseMoved(ctx context.Context, s machine.State) error {
	on, err := b.Repo.History.IsAncestor(ctx, s.StartingCommit, "HEAD")
	if err == nil && !on {
		b.Journal.Note("warning", fmt.Sprintf("It no longer stands on %s, where the session began: what changed there since is shown to reviewers as well.", words.Commit(s.StartingCommit)))
	}
	return err
}

// knownCommits are those that the session rests on: where its phase began, and what its tasks made.
func knownCommits(s machine.State) []string {
	var known []string
	if s.CurrentPhase < len(s.Phases) && s.Phases[s.CurrentPhase].StartCommit != "" {
		known = append(known, s.Phases[s.CurrentPhase].StartCommit)
	}
	for _, t := range s.Tasks {
		if t.Status == machine.TaskCompleted && t.Commit != "" {
			known = append(known, t.Commit)
		}
	}
	return known
}

// missing are those commits of the session's own, newest first, that the branch has under no other id, and whose files it
// does not have as they were.
func (b Branch) missing(ctx context.Context, s machine.State, lost []git.Described) ([]git.Described, error) {
	now, err := b.Repo.History.Between(ctx, lost[0].SHA, "HEAD")
	if err != nil {
		return nil, err
	}
	kept := map[string]bool{}
	for _, c := range now {
		kept[c.Trailer(git.KeyTrailer)] = true
	}
	missing := slices.DeleteFunc(slices.Clone(lost), func(c git.Described) bool {
		key := c.Trailer(git.KeyTrailer)
		return !strings.HasPrefix(key, s.SessionID+"/") || kept[key] || len(c.Parents) != 1
	})
	if len(missing) == 0 {
		return nil, nil
	}
	differing, err := b.Repo.History.Differing(ctx, lost[0].SHA, "HEAD")
	if err != nil {
		return nil, err
	}
	for _, c := range missing {
		made, err := b.Repo.History.Differing(ctx, c.Parents[0], c.SHA)
		if err != nil || slices.ContainsFunc(made, func(p string) bool { return slices.Contains(differing, p) }) {
			return missing, err
		}
	}
	return nil, nil
}
