package tasks

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"autopilot/autopilot/git"
	"autopilot/autopilot/workspace"
	"autopilot/sessions/taskfile"
)

// guarded runs a command of a task, and puts back what it took: the branch and its commits, the user's files, the list.
// A failure is what a command of a task has no reason to do.
func (l *Loop) guarded(ctx context.Context, t taskfile.ListedTask, who string, run func() error) error {
	was, err := l.footing(ctx, t)
	if err != nil {
		return err
	}
	ran := run()
	ctx = context.WithoutCancel(ctx)
	moved, err := l.samePlace(ctx, t, was, who)
	if err == nil {
		err = l.sameWork(ctx, was, who)
	}
	if err == nil {
		err = l.restoreAfter(ctx, t, was, who)
	}
	if err == nil {
		err = l.sameList(ctx, t, was.list, who)
	}
	if ran != nil || err != nil {
		return errors.Join(ran, err)
	}
	return moved
}

// footing is what a command has to leave as it is.
type footing struct {
	list     taskfile.TaskList
	position git.Position
	work     git.Saved

	deleted, altered []string // the person's own files that are not as they were at the claim
}

func (l *Loop) footing(ctx context.Context, t taskfile.ListedTask) (was footing, err error) {
	if was.list, err = l.keepList(ctx); err != nil {
		return was, err
	}
	if was.position, err = l.Repo.Position(ctx); err != nil {
		return was, err
	}
	if l.byHand { // else it was put right when the agent ended
		b, _, err := l.remembered(t)
		if err == nil {
			was.deleted, was.altered, err = l.Repo.Files.Altered(b.Saved.Files)
		}
		if err != nil {
			return was, err
		}
	}
	work, err := l.work(ctx, t)
	if err != nil || len(work) == 0 {
		return was, err
	}
	was.work, err = l.Repo.Files.Save(ctx, l.ref(t.ID, fmt.Sprint(t.Attempts+1)+"-unchecked"), "before a command of the task", git.Paths(work))
	if err != nil {
		return was, fmt.Errorf("saving the work of %s before a command of it: %w", t.ID, err)
	}
	return was, nil
}

// samePlace puts branch and commits back that a command left, and says so as a failure.
func (l *Loop) samePlace(ctx context.Context, t taskfile.ListedTask, was footing, who string) (moved error, err error) {
	now, err := l.Repo.Position(ctx)
	if err != nil || now == was.position {
		return nil, err
	}
	if err := l.backTo(ctx, was.position, now, l.ref(t.ID, "moved", short(now.Head)+"-"+l.NewID())); err != nil {
		return nil, fmt.Errorf("putting the branch back after %s: %w", who, err)
	}
	if err := l.sameCommitted(ctx, t, was, now); err != nil {
		return nil, fmt.Errorf("putting the files back after %s: %w", who, err)
	}
	return &failure{taskfile.CategoryTaskExec, fmt.Sprintf("%s went from %s to %s; that was put back", who, whereabouts(was.position), whereabouts(now))}, nil
}

// sameCommitted makes what another commit put into the tree what it is at the task's; the work, and what is the user's,
// is looked after elsewhere.
func (l *Loop) sameCommitted(ctx context.Context, t taskfile.ListedTask, was footing, now git.Position) error {
	if was.position.Head == now.Head || was.position.Head == "" || now.Head == "" {
		return nil
	}
	paths, err := l.Repo.History.Differing(ctx, was.position.Head, now.Head)
	if err != nil || len(paths) == 0 {
		return err
	}
	if err := l.Repo.Index.AsHead(ctx, paths); err != nil {
		return err
	}
	b, _, err := l.remembered(t)
	if err != nil {
		return err
	}
	paths = slices.DeleteFunc(paths, func(p string) bool {
		return slices.Contains(b.Users, p) || slices.ContainsFunc(was.work.All(), func(f git.File) bool { return f.Path == p })
	})
	if len(paths) == 0 {
		return nil
	}
	_, err = l.Repo.Files.Reset(ctx, "HEAD", paths, "")
	return err
}

func whereabouts(p git.Position) string {
	if p.Branch == "" {
		return "commit " + short(p.Head)
	}
	return fmt.Sprintf("branch %s (%s)", p.Branch, short(p.Head))
}

// sameWork tells where the work is kept that a command deleted or threw away; of what it let be, nothing has to be kept.
func (l *Loop) sameWork(ctx context.Context, was footing, who string) error {
	if was.work.Ref == "" {
		return nil
	}
	deleted, altered, err := l.Repo.Files.Altered(was.work.Files)
	if err != nil {
		return err
	}
	if len(altered) > 0 {
		status, err := l.Repo.Tree.Status(ctx)
		if err != nil {
			return err
		}
		left := git.Paths(status.Dirt)
		altered = slices.DeleteFunc(altered, func(p string) bool { return slices.Contains(left, p) })
	}
	if lost := append(deleted, altered...); len(lost) > 0 {
		l.say("finding", "%s took away work of the task (%s); it is kept under %s", who, firstPaths(lost), was.work.Ref)
		return nil
	}
	return l.Repo.Refs.Delete(ctx, was.work.Ref)
}

// maxPaths is how many paths are told.
const maxPaths = 5

func firstPaths(paths []string) string {
	if n := len(paths) - maxPaths; n > 0 {
		return fmt.Sprintf("%s and %d more", strings.Join(paths[:maxPaths], ", "), n)
	}
	return strings.Join(paths, ", ")
}

// restoreAfter brings back what a command took of the user's files.
func (l *Loop) restoreAfter(ctx context.Context, t taskfile.ListedTask, was footing, who string) error {
	b, _, err := l.remembered(t)
	if err != nil || len(b.Saved.Files) == 0 {
		return err
	}
	deleted, altered, err := l.Repo.Files.Altered(b.Saved.Files)
	deleted = slices.DeleteFunc(deleted, func(p string) bool { return slices.Contains(was.deleted, p) })
	altered = slices.DeleteFunc(altered, func(p string) bool { return slices.Contains(was.altered, p) })
	for _, f := range (workspace.RepoGuard{Repo: l.Repo, Who: who}).RestoreUserFiles(ctx, b.Saved, deleted, altered) {
		l.say("finding", "%s", workspace.OneLine(f))
	}
	return err
}
