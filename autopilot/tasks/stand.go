package tasks

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"autopilot/autopilot/branches"
	"autopilot/autopilot/git"
	"autopilot/autopilot/halt"
	"autopilot/autopilot/lazyregexp"
	"autopilot/autopilot/machine"
	"autopilot/sessions/taskfile"
)

// listBranch matches the names that such a branch gets.
var listBranch = lazyregexp.New("^" + Branch + `(-[0-9]+)?$`)

// UsersChanges lists the changed files that are nobody's work: those that git tracks, in a tree where no task is in
// progress. Of an interrupted task they are what it left.
func (l *Loop) UsersChanges(ctx context.Context) ([]string, error) {
	list, err := l.File.Read()
	if err != nil {
		return nil, err
	}
	var known []string
	here := func(t taskfile.ListedTask) bool {
		return l.parts().claims.mine(&list, t) || t.Status == machine.TaskRunning && !list.Config.IsConcurrent()
	}
	if slices.ContainsFunc(list.Tasks, here) {
		return nil, nil
	}
	status, err := l.Repo.Tree.Status(ctx)
	if err != nil {
		return nil, err
	}
	for _, c := range status.Dirt {
		if c.Staged || !c.Untracked {
			known = append(known, c.Path)
		}
	}
	return known, nil
}

// Here makes sure that a task which is in progress was begun in this working tree, and on the branch that is checked out:
// elsewhere nothing of its work would be found.
func (l *Loop) Here(ctx context.Context) error {
	list, err := l.File.Read()
	if err != nil || list.Config.IsConcurrent() {
		return err
	}
	position, err := l.Repo.Position(ctx)
	if err != nil {
		return err
	}
	for _, t := range list.Tasks {
		if t.Status != machine.TaskRunning {
			continue
		}
		b, known, err := l.parts().notes.remembered(ctx, t)
		if err != nil {
			return err
		}
		if known && !b.ByHand && b.Branch != "" && b.Branch != position.Branch {
			return &halt.UsageError{Message: fmt.Sprintf("%s is in progress on branch %s, which is not checked out\nGo back to it: git switch %s", t.ID, b.Branch, b.Branch)}
		}
		if known {
			continue
		}
		if tree, err := l.begunIn(ctx, t); err != nil || tree != "" {
			return errors.Join(err, &halt.UsageError{Message: fmt.Sprintf("%s is in progress in another working tree, %s\nGo on there, or give it up there: autopilot tasks fail %s", t.ID, tree, t.ID)})
		}
	}
	return nil
}

// begunIn is the user's other working tree in which a task was begun; "" where nothing tells of one.
func (l *Loop) begunIn(ctx context.Context, t taskfile.ListedTask) (string, error) {
	trees, err := l.Repo.Worktrees.List()
	if err != nil {
		return "", err
	}
	for _, tree := range append(trees, filepath.Dir(l.Repo.CommonDir())) {
		repo, err := git.Open(ctx, tree)
		if err != nil || repo.GitDir() == l.Repo.GitDir() || strings.HasPrefix(tree, filepath.Dir(l.Dir)) {
			continue // it is gone, this one, or one of the program's own
		}
		there := l.parts().notes
		there.repo = repo
		if _, known, err := there.remembered(ctx, t); err != nil || known {
			return tree, err
		}
	}
	return "", nil
}

// OwnBranch makes a branch for the work, unless a branch is checked out that is the user's own, or the list's already. stay
// (--no-branch) works on what is checked out. A branch of one of the sessions is left to it.
func (l *Loop) OwnBranch(ctx context.Context, sessions []branches.Claim, stay bool) error {
	list, err := l.File.Read()
	if err != nil {
		return err
	}
	begun := list.Counts().Running > 0 // Here made sure that it was on this branch
	own := func(branch string) bool {
		session := func(c branches.Claim) bool { return c.Branch == branch } // of a spec that is called tasks
		return begun || listBranch.MatchString(branch) && !slices.ContainsFunc(sessions, session)
	}
	g, err := branches.FindGround(ctx, l.Repo, sessions, own, stay)
	if err != nil {
		return err
	}
	if g.Stay {
		l.progress().say("info", "Working on branch %s.", cmp.Or(g.Branch, "no branch: HEAD is detached"))
		return nil
	}
	if err := l.unmerged(ctx, g.Position); err != nil {
		return err
	}
	branch, err := l.Repo.Refs.CreateBranch(context.WithoutCancel(ctx), Branch)
	if err != nil {
		return fmt.Errorf("making a branch for the tasks: %w", err)
	}
	f, err := branches.Stack{Repo: l.Repo, Others: sessions}.Footing(ctx, machine.State{StackedOn: g.On})
	if err != nil {
		return err
	}
	l.progress().say("info", "Working on the new branch %s.", strings.TrimSuffix(branch+", "+f.String(), ", "))
	return nil
}

// unmerged refuses to begin a second branch beside one that holds what is completed: there it would be missing.
func (l *Loop) unmerged(ctx context.Context, at git.Position) error {
	const branch = "refs/heads/" + Branch
	if !l.Repo.History.Exists(ctx, branch) {
		return nil
	}
	if merged, err := l.Repo.History.IsAncestor(ctx, branch, at.Head); err != nil || merged {
		return err
	}
	return &halt.UsageError{Message: fmt.Sprintf("branch %s holds what was done so far, and it is not merged here\nGo on there: git switch %s. Where it was merged in another way: git branch -D %s. To work on this branch: --no-branch", Branch, Branch, Branch)}
}
