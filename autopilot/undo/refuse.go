package undo

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"autopilot/autopilot/branches"
	"autopilot/autopilot/git"
	"autopilot/autopilot/halt"
	"autopilot/autopilot/machine"
	"autopilot/autopilot/shell"
	"autopilot/autopilot/words"
)

// allowed fills in the commits of a plan, and refuses it where somebody else rests on them.
func (u Undo) allowed(ctx context.Context, s machine.State, p Plan) (Plan, error) {
	on, err := u.Repo.History.IsAncestor(ctx, p.To, p.From)
	if err != nil {
		return p, err
	}
	if !on {
		return p, halt.Usage("nothing is undone: phase %s began at %s, which is no longer on branch %s: it was rewritten\nHave the phase done again on top instead:\n  autopilot phases %s redo %s",
			p.Phase, words.Commit(p.To), s.Branch, shell.QuotePath(s.SpecPath), p.Phase)
	}
	if p.Commits, err = u.Repo.History.Between(ctx, p.To, p.From); err != nil {
		return p, err
	}
	why, err := u.restsOn(ctx, s, p)
	if err != nil {
		return p, err
	}
	if why != "" {
		return p, halt.Usage("nothing is undone: %s\nTake the work back by new commits instead:\n  %srevert --no-edit %s\n  autopilot phases %s redo %s",
			why, gitIn(s), u.revert(p), shell.QuotePath(s.SpecPath), p.Phase)
	}
	return u.free(ctx, p)
}

// others are the commits of a plan that the session did not make.
func (u Undo) others(p Plan) (subjects []string) {
	for _, c := range p.Commits {
		if !u.Past.commits[c.SHA] {
			subjects = append(subjects, words.Commit(c.SHA)+" "+words.FirstLine(c.Message))
		}
	}
	return subjects
}

// revert is what git revert takes for the session's own commits, newest first.
func (u Undo) revert(p Plan) string {
	if len(u.others(p)) == 0 {
		return words.Commit(p.To) + ".." + words.Commit(p.From)
	}
	var own []string
	for _, c := range p.Commits {
		if u.Past.commits[c.SHA] {
			own = append(own, words.Commit(c.SHA))
		}
	}
	return strings.Join(own, " ")
}

// restsOn says what would be lost, or differ from elsewhere, without the commits of a plan; "" is nothing.
func (u Undo) restsOn(ctx context.Context, s machine.State, p Plan) (string, error) {
	if others := u.others(p); len(others) > 0 {
		return "the branch has commits that aren't the session's: " + strings.Join(words.FirstFew(others, 3), "; "), nil
	}
	first := p.Commits[slices.IndexFunc(p.Commits, func(c git.Described) bool { return slices.Contains(c.Parents, p.To) })]
	pushed, err := u.Repo.Refs.Holding(ctx, "refs/remotes", first.SHA)
	if err != nil {
		return "", err
	}
	if len(pushed) > 0 {
		return "the commits are pushed: " + branches.RefShown(pushed[0]) + " has them", nil
	}
	claims, err := u.Others()
	if err != nil {
		return "", err
	}
	for _, c := range claims {
		gone := func(d git.Described) bool { return c.StackedOn != nil && d.SHA == c.StackedOn.Commit }
		if slices.ContainsFunc(p.Commits, gone) {
			return fmt.Sprintf("the work of %s on branch %s stands on these commits", c.Spec, c.Branch), nil
		}
	}
	url, err := u.PullRequest(ctx, s.Branch)
	if err != nil || url == "" {
		return "", err
	}
	return "the branch has a pull request: " + url, nil
}
