package tasks

import (
	"context"
	"fmt"
	"path/filepath"

	"autopilot/autopilot/git"
	"autopilot/autopilot/halt"
	"autopilot/autopilot/machine"
	"autopilot/autopilot/workspace"
	"autopilot/sessions/taskfile"
)

// LineRef is the line of commits that the workers of a concurrent list share. Each works in a tree of its own and brings
// what it did onto the line's end. It is no branch, so that its moves are not taken for an agent's deeds.
const LineRef = "refs/autopilot/line/tasks"

// Line makes the loop one of several workers: it begins each task at the end of the shared line, and brings it there.
type Line struct {
	// Lock keeps other workers from moving the line until release.
	Lock func(ctx context.Context) (release func(), err error)
	// AtWork says whether a run of that worker's name is going on.
	AtWork func(worker string) bool
	// Left says whether a worker has a working tree of the program's and no run; nil: this run keeps its name.
	Left func(ctx context.Context, worker string) (bool, error)

	atWork *atWork
}

// sharedLine is the line as a worker has it.
type sharedLine struct {
	progress
	line   *Line // nil: there is none
	repo   *git.Repo
	worker string
	dir    string
	root   string
}

// left looks for a worker whose run is gone while a task is in progress for it.
func (s sharedLine) left(ctx context.Context, list taskfile.TaskList) error {
	if s.line == nil || s.line.Left == nil {
		return nil
	}
	for _, t := range list.Tasks {
		if t.Status != machine.TaskRunning || t.ClaimedBy == nil || *t.ClaimedBy == s.worker {
			continue
		}
		gone, err := s.line.Left(ctx, *t.ClaimedBy)
		if err != nil {
			return err
		}
		if gone {
			s.say("info", "The run of %s is gone, so this one goes on in its place with %s.", *t.ClaimedBy, t.ID)
			return &LeftError{*t.ClaimedBy}
		}
	}
	return nil
}

// tip is the end of the line; where there is none yet it begins at HEAD.
func (s sharedLine) tip(ctx context.Context) (string, error) {
	refs, err := s.repo.Refs.List(ctx, LineRef)
	if err != nil {
		return "", err
	}
	if len(refs) > 0 {
		return refs[0].Object, nil
	}
	position, err := s.repo.Position(ctx)
	if err != nil {
		return "", err
	}
	_, err = s.repo.Refs.Move(ctx, LineRef, position.Head, "")
	return position.Head, err
}

// advance takes the working tree to the end of the line. Commits that are not on it are kept under a ref; those of a
// branch are somebody's, and stay.
func (s sharedLine) advance(ctx context.Context) error {
	if s.line == nil {
		return nil
	}
	release, err := s.line.Lock(ctx)
	if err != nil {
		return err
	}
	defer release()
	tip, err := s.tip(ctx)
	if err != nil {
		return err
	}
	position, err := s.repo.Position(ctx)
	if err != nil || position.Head == tip {
		return err
	}
	onLine, err := s.repo.History.IsAncestor(ctx, position.Head, tip)
	if err != nil {
		return err
	}
	if onLine {
		return s.repo.Refs.Advance(ctx, tip)
	}
	if position.Branch != "" {
		return &halt.UsageError{Message: fmt.Sprintf("branch %s of this working tree and what the workers did so far went different ways\nBring them together first: git merge %s", position.Branch, LineRef)}
	}
	kept := refOf("worker", s.worker, short(position.Head))
	if _, err := s.repo.Refs.Move(ctx, kept, position.Head, ""); err != nil && !s.repo.History.Exists(ctx, kept) {
		return err
	}
	s.say("warning", "Commits that were never brought to the others are kept under %s.", kept)
	return s.repo.Refs.Advance(ctx, tip)
}

// abreast says whether the working tree has all that the workers did: a person takes that over by merging it.
func (s sharedLine) abreast(ctx context.Context) error {
	if s.line == nil {
		return nil
	}
	tip, err := s.tip(ctx)
	if err != nil {
		return err
	}
	if has, err := s.repo.History.IsAncestor(ctx, tip, "HEAD"); err != nil || has {
		return err
	}
	return &halt.UsageError{Message: fmt.Sprintf("others completed tasks since, and their work is not in this working tree\nTake it over, then try again: git merge %s", LineRef)}
}

// guarding looks after the repository during a dispatch for a task.
func (s sharedLine) guarding(id, dispatch string) workspace.RepoGuard {
	harness := filepath.Dir(s.dir)
	g := workspace.RepoGuard{
		Repo: s.repo, Home: filepath.Dir(harness), Dispatch: dispatch, Kept: refOf(id, "undone", dispatch), Who: "the agent",
		Control: append(workspace.ControlFiles(filepath.Dir(harness), harness), filepath.Join(s.root, InitScript)),
	}
	if g.Lenient = s.line != nil; g.Lenient { // nobody knows whose agent it was
		g.Blame = func() (string, string) { return machine.Important, "one of the agents at work, or you," }
	}
	return g
}

func (s sharedLine) publish(ctx context.Context, tip string) error {
	const branch = "refs/heads/" + Branch
	refs, err := s.repo.Refs.List(ctx, branch)
	if err != nil {
		return err
	}
	from := ""
	if len(refs) > 0 {
		if from = refs[0].Object; from == tip {
			return nil
		}
		if follows, err := s.repo.History.IsAncestor(ctx, from, tip); err != nil || !follows {
			s.say("warning", "Branch %s holds other commits, and stays. What was done: git merge %s", Branch, LineRef)
			return err
		}
	}
	if out, err := s.repo.Refs.CheckedOut(ctx, Branch); err != nil || out {
		s.say("info", "Branch %s is checked out, and stays. What was done: git merge %s", Branch, LineRef)
		return err
	}
	if _, err := s.repo.Refs.Move(ctx, branch, tip, from); err != nil {
		return err
	}
	s.say("info", "What was done is on branch %s. To take it: git merge %s", Branch, Branch)
	return nil
}
