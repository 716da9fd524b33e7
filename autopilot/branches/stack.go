package branches

import (
	"context"
	"slices"
	"strings"

	"autopilot/autopilot/git"
	"autopilot/autopilot/machine"
)

// Fate is what became of a branch that other work is stacked on.
type Fate string

// The fates.
const (
	Unmerged Fate = "not merged yet"
	Merged   Fate = "which is merged"
	Gone     Fate = "which is gone" // and nobody can tell whether it was merged
)

// Footing is what a session's branch stands on.
type Footing struct {
	On   string // the branch that it is stacked on; "" is none
	Fate Fate   // of that branch
	Into string // the branch that its pull request is made against; "" where nobody can tell the default one
}

// String is the footing in words: "stacked on autopilot/spec, not merged yet"; "" where there is no stack.
func (f Footing) String() string {
	if f.On == "" {
		return ""
	}
	return "stacked on " + f.On + ", " + string(f.Fate)
}

// Stack looks at branches that are stacked on each other.
type Stack struct {
	Repo   *git.Repo
	Others []Claim
	// MergedAt are the last commits of the merged pull requests of a branch; nil: only the repository is asked.
	MergedAt func(ctx context.Context, branch string) (commits []string, err error)
}

// Footing finds what a session's branch stands on now: the next branch below it that isn't merged, else the default one.
func (k Stack) Footing(ctx context.Context, s machine.State) (Footing, error) {
	chain, bases := k.below(s)
	into, err := k.target(ctx, bases)
	if err != nil || len(chain) == 0 {
		return Footing{Into: into}, err
	}
	f := Footing{On: RefShown(chain[0].Ref), Into: into}
	for i, base := range chain {
		fate, err := k.fate(ctx, base, chain[i+1:], into)
		if err != nil {
			return f, err
		}
		if i == 0 {
			f.Fate = fate
		}
		if fate == Unmerged {
			f.Into = RefShown(base.Ref)
		}
		if fate != Merged {
			break
		}
	}
	return f, nil
}

// below are the branches below a session's, the nearest first, and what the lowest one is to go into.
func (k Stack) below(s machine.State) (chain, bases []machine.Base) {
	on, bases := s.StackedOn, s.Bases
	for on != nil && len(chain) <= len(k.Others) { // records that somebody edited may go round in a circle
		chain = append(chain, *on)
		var c Claim
		if i := slices.IndexFunc(k.Others, func(c Claim) bool { return "refs/heads/"+c.Branch == on.Ref }); i >= 0 {
			c = k.Others[i]
		}
		on, bases = c.StackedOn, c.Bases
	}
	return chain, bases
}

// target is the default branch that work is to go into: the one that it began at, while it is there.
func (k Stack) target(ctx context.Context, bases []machine.Base) (string, error) {
	for _, b := range bases {
		branch, local := strings.CutPrefix(b.Ref, "refs/heads/")
		if !local {
			continue
		}
		if ends, err := EndsOf(ctx, k.Repo, branch); err != nil || len(ends) > 0 {
			return branch, err
		}
	}
	return k.Repo.Refs.DefaultBranch(ctx)
}

// fate looks whether a branch is merged, into the default one or into the next one below it.
func (k Stack) fate(ctx context.Context, base machine.Base, lower []machine.Base, into string) (Fate, error) {
	branch, tip, there := RefShown(base.Ref), base.Commit, false
	ends, err := EndsOf(ctx, k.Repo, branch)
	if err != nil {
		return "", err
	}
	if len(ends) > 0 {
		tip, there = ends[0].Object, true
	}
	if !k.Repo.History.Exists(ctx, tip) {
		return Gone, nil
	}
	merged, err := k.isIn(ctx, tip, lower, into)
	if err == nil && !merged && k.MergedAt != nil {
		merged, err = k.wasMerged(ctx, branch, tip)
	}
	switch {
	case err != nil:
		return "", err
	case merged:
		return Merged, nil
	case there:
		return Unmerged, nil
	}
	return Gone, nil
}

// isIn reports whether the work that ends in tip is in the default branch, or in the next one below it.
func (k Stack) isIn(ctx context.Context, tip string, lower []machine.Base, into string) (bool, error) {
	targets, err := EndsOf(ctx, k.Repo, into)
	if err != nil {
		return false, err
	}
	since := []string{""}
	if len(lower) > 0 {
		since = append(since, lower[0].Commit) // what is below may have been merged in another way
		next, err := EndsOf(ctx, k.Repo, RefShown(lower[0].Ref))
		if err != nil {
			return false, err
		}
		targets = append(targets, next...)
	}
	for _, target := range targets {
		for _, from := range since {
			if from != "" && !k.Repo.History.Exists(ctx, from) {
				continue
			}
			merged, err := k.Repo.History.Merged(ctx, from, tip, target.Object)
			if merged || ctx.Err() != nil {
				return merged, ctx.Err()
			}
			if err != nil {
				continue // a clone that lacks objects can't tell
			}
		}
	}
	return false, nil
}

// wasMerged reports whether a pull request that had the commit was merged.
func (k Stack) wasMerged(ctx context.Context, branch, tip string) (bool, error) {
	commits, err := k.MergedAt(ctx, branch)
	for _, c := range commits {
		if c == tip {
			return true, nil
		}
		if !k.Repo.History.Exists(ctx, c) {
			continue // an earlier branch of the same name, or one that went on at the remote
		}
		if has, err := k.Repo.History.IsAncestor(ctx, tip, c); err != nil || has {
			return has, err
		}
	}
	return false, err
}

// Footing is what the session's branch stands on, as far as the repository tells.
func (b Branch) Footing(ctx context.Context) (Footing, error) {
	stack, err := b.Stack()
	if err != nil {
		return Footing{}, err
	}
	return stack.Footing(ctx, b.Journal.State())
}

// Stack looks at the branch and those of the others.
func (b Branch) Stack() (Stack, error) {
	others, err := b.Others()
	return Stack{Repo: b.Repo, Others: others}, err
}
