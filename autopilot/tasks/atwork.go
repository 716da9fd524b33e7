package tasks

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"autopilot/autopilot/git"
	"autopilot/autopilot/plainfile"
	"autopilot/autopilot/workspace"
)

// atWork is what workers share of what their agents must leave as it is, as it stood when the first of those at work
// began: what an agent did to it meanwhile must not be taken for what was there.
type atWork struct {
	Workers  []string             `json:"workers"`
	Control  map[string][]byte    `json:"control"`
	Steering map[string]*git.Held `json:"steering"`
}

func (s sharedLine) atWorkFile() string {
	return filepath.Join(s.repo.CommonDir(), "autopilot", "tasks-at-work.json")
}

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
		c.Control, c.Steering = now.Control, now.Steering.Shared
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
	c := &atWork{}
	data, err := os.ReadFile(s.atWorkFile())
	if err == nil && json.Unmarshal(data, c) != nil {
		c = &atWork{} // a kill cut it off
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := change(c); err != nil {
		return fmt.Errorf("looking at what the workers share: %w", err)
	}
	if data, err = json.Marshal(c); err != nil {
		return err
	}
	return plainfile.Replace(s.atWorkFile(), data, 0o600)
}

// share has a dispatch leave as it is what stood when the first worker began.
func (s sharedLine) share(was *workspace.RepoSnapshot) {
	if s.line != nil && s.line.atWork != nil {
		was.Control, was.Steering.Shared = s.line.atWork.Control, s.line.atWork.Steering
	}
}
