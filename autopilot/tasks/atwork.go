package tasks

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"autopilot/autopilot/branches"
	"autopilot/autopilot/workspace"
)

// atWork is what workers share of what their agents must leave as it is, as it stood when the first of those at work
// began: what an agent did to it meanwhile must not be taken for what was there.
type atWork struct {
	Workers []string               `json:"workers"`
	Files   workspace.RepoSnapshot `json:"files"` // Control and Steering, but for its Own
}

// atWorkID is the id of its snapshot.
const atWorkID = "at-work"

// join takes part in what the workers at work share, until leave.
func (s sharedLine) join(ctx context.Context) (leave func() error, err error) {
	if s.line == nil {
		return func() error { return nil }, nil
	}
	err = s.changeAtWork(ctx, func(c *atWork) error {
		s.line.atWork = c
		c.Workers = slices.DeleteFunc(c.Workers, func(name string) bool { return name == s.worker || !s.line.AtWork(name) })
		first := len(c.Workers) == 0
		if c.Workers = append(c.Workers, s.worker); !first {
			return nil
		}
		now, err := s.guarding("", "").Read()
		c.Files.Control, c.Files.Steering = now.Control, now.Steering
		c.Files.Steering.Own = nil
		return err
	})
	return func() error {
		return s.changeAtWork(context.WithoutCancel(ctx), func(c *atWork) error {
			c.Workers = slices.DeleteFunc(c.Workers, func(name string) bool { return name == s.worker })
			return nil
		})
	}, err
}

func (s sharedLine) changeAtWork(ctx context.Context, change func(*atWork) error) error {
	release, err := s.line.Lock(ctx)
	if err != nil {
		return err
	}
	defer release()
	snapshots := workspace.Snapshots{Repo: s.repo, Refs: snapshotRefs}
	err = errors.Join(retire(s.repo.CommonDir(), "tasks-at-work.json"), branches.UnlockRefs(ctx, s.repo, snapshots.Refs+atWorkID, s.report))
	if err != nil {
		return err
	}
	c := &atWork{}
	found, err := snapshots.Find(ctx, atWorkID, c, &c.Files)
	if !found {
		c = &atWork{}
	}
	if err == nil {
		err = change(c)
	}
	if err != nil {
		return fmt.Errorf("looking at what the workers share: %w", err)
	}
	if len(c.Workers) == 0 {
		return s.deleteRef(ctx, s.repo.Refs, snapshots.Refs+atWorkID)
	}
	_, err = snapshots.Write(ctx, atWorkID, c, &c.Files)
	return err
}

// share has a dispatch leave as it is what stood when the first worker began.
func (s sharedLine) share(was *workspace.RepoSnapshot) {
	if s.line != nil && s.line.atWork != nil {
		own := was.Steering.Own
		was.Control, was.Steering = s.line.atWork.Files.Control, s.line.atWork.Files.Steering
		was.Steering.Own = own
	}
}
