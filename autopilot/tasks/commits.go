package tasks

import (
	"context"
	"slices"

	"autopilot/autopilot/git"
	"autopilot/sessions/taskfile"
)

// ownCommits tells which commits are a task's, and whether they can be taken back.
type ownCommits struct {
	notes notes
	repo  *git.Repo
	line  sharedLine
}

// checkedFrom is the commit that a task's work is compared with: HEAD, but where the task's own commits, and no others,
// stand between. Where every commit counts, it is the base.
func (o ownCommits) checkedFrom(ctx context.Context, t taskfile.ListedTask) (string, error) {
	every, err := o.every(ctx, t)
	if base := baseOf(t); err != nil || every && base != "" && o.repo.History.Exists(ctx, base) {
		return base, err
	}
	own, foreign, err := o.commits(ctx, t)
	if len(own) > 0 && len(foreign) == 0 {
		return baseOf(t), err
	}
	return "HEAD", err
}

// undone says whether nothing is left of what was committed or changed since the task's base.
func (o ownCommits) undone(ctx context.Context, t taskfile.ListedTask, work []git.Change) (bool, error) {
	base := baseOf(t)
	if base == "" || !o.repo.History.Exists(ctx, base) {
		return false, nil
	}
	committed, err := o.repo.History.Differing(ctx, base, "HEAD")
	if err != nil {
		return false, err
	}
	done := append(committed, git.Paths(work)...)
	changes, err := o.repo.Tree.Changes(ctx, base)
	return !slices.ContainsFunc(git.Paths(changes), func(p string) bool { return slices.Contains(done, p) }), err
}

// since lists what differs from the task's base and is not the user's.
func (o ownCommits) since(ctx context.Context, t taskfile.ListedTask) ([]git.Change, error) {
	changes, err := o.repo.Tree.Changes(ctx, baseOf(t))
	if err != nil {
		return nil, err
	}
	b, _, err := o.notes.remembered(ctx, t)
	return slices.DeleteFunc(changes, func(c git.Change) bool { return slices.Contains(b.Users, c.Path) }), err
}

// sides are the paths that the task changed, and those that others did since it began.
func (o ownCommits) sides(ctx context.Context, t taskfile.ListedTask, commit, tip string) (mine, theirs []string, err error) {
	base, err := o.repo.History.MergeBase(ctx, commit, tip)
	if err != nil {
		return nil, nil, err
	}
	if base == "" {
		base = baseOf(t)
	}
	if mine, err = o.repo.History.Differing(ctx, base, commit); err != nil {
		return nil, nil, err
	}
	theirs, err = o.repo.History.Differing(ctx, base, tip)
	return mine, theirs, err
}

// stay is why commits of a task are not taken back; "" where nothing is against it.
func (o ownCommits) stay(ctx context.Context, t taskfile.ListedTask, foreign []git.Described) (string, error) {
	b, _, err := o.notes.remembered(ctx, t)
	if err != nil || len(foreign) > 0 {
		return "others stand among them", err
	}
	position, err := o.repo.Position(ctx)
	if err != nil {
		return "", err
	}
	if b.Branch != "" && b.Branch != position.Branch {
		return "the task was begun on branch " + b.Branch, nil
	}
	if baseOf(t) == "" || !o.repo.History.Exists(ctx, baseOf(t)) {
		return "where they begin is not known", nil
	}
	if above, err := o.repo.History.IsAncestor(ctx, baseOf(t), "HEAD"); err != nil || !above {
		return "what is checked out does not hold the commit that the task began at", err
	}
	return "", nil
}

// commits lists those since the task's base: own ones name the task.
func (o ownCommits) commits(ctx context.Context, t taskfile.ListedTask) (own, foreign []git.Described, err error) {
	base := baseOf(t)
	if base == "" || !o.repo.History.Exists(ctx, base) {
		return nil, nil, nil
	}
	since, err := o.repo.History.Between(ctx, base, "HEAD")
	if err != nil {
		return nil, nil, err
	}
	for _, c := range since {
		if names(c, t.ID) {
			own = append(own, c)
		} else {
			foreign = append(foreign, c)
		}
	}
	foreign, err = o.offLine(ctx, foreign)
	return own, foreign, err
}

// offLine leaves out what the workers' line has: a kill while the tree was taken to its end left a base below it.
func (o ownCommits) offLine(ctx context.Context, commits []git.Described) ([]git.Described, error) {
	if o.notes.alone || len(commits) == 0 {
		return commits, nil
	}
	tip, err := o.line.tip(ctx)
	if err != nil {
		return nil, err
	}
	var off []git.Described
	for _, c := range commits {
		on, err := o.repo.History.IsAncestor(ctx, c.SHA, tip)
		if err != nil {
			return nil, err
		}
		if !on {
			off = append(off, c)
		}
	}
	return off, nil
}

// made lists those of them that change something, the newest first.
func (o ownCommits) made(ctx context.Context, t taskfile.ListedTask) ([]git.Described, error) {
	own, foreign, err := o.commits(ctx, t)
	if err != nil {
		return nil, err
	}
	if len(own) == 0 {
		every, err := o.every(ctx, t)
		if err != nil {
			return nil, err
		}
		if every {
			own = foreign
		}
	}
	return slices.DeleteFunc(own, func(c git.Described) bool {
		paths, err := o.repo.History.Differing(ctx, c.SHA+"^", c.SHA)
		return err != nil || len(paths) == 0
	}), nil
}

// every says whether each commit since the task's base counts as its work, under whatever subject: a person, or another
// program, may have made it.
func (o ownCommits) every(ctx context.Context, t taskfile.ListedTask) (bool, error) {
	b, known, err := o.notes.remembered(ctx, t)
	return o.notes.alone && (o.notes.byHand || !known || b.Adopted), err
}
