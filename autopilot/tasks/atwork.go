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

func (l *Loop) atWorkFile() string {
	return filepath.Join(l.Repo.CommonDir(), "autopilot", "tasks-at-work.json")
}

// join takes part in what the workers at work share, until leave.
func (l *Loop) join(ctx context.Context) (leave func() error, err error) {
	if l.Line == nil {
		return func() error { return nil }, nil
	}
	err = l.changeAtWork(ctx, func(c *atWork) error {
		l.Line.atWork = c
		c.Workers = slices.DeleteFunc(c.Workers, func(name string) bool { return name == l.Worker || !l.Line.AtWork(name) })
		first := len(c.Workers) == 0
		if c.Workers = append(c.Workers, l.Worker); !first {
			return nil
		}
		now, err := l.guarding("", "").Read()
		c.Control, c.Steering = now.Control, now.Steering.Shared
		return err
	})
	return func() error {
		return l.changeAtWork(context.WithoutCancel(ctx), func(c *atWork) error {
			c.Workers = slices.DeleteFunc(c.Workers, func(name string) bool { return name == l.Worker })
			return nil
		})
	}, err
}

func (l *Loop) changeAtWork(ctx context.Context, change func(*atWork) error) error {
	release, err := l.Line.Lock(ctx)
	if err != nil {
		return err
	}
	defer release()
	c := &atWork{}
	data, err := os.ReadFile(l.atWorkFile())
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
	return plainfile.Replace(l.atWorkFile(), data, 0o600)
}

// share has a dispatch leave as it is what stood when the first worker began.
func (l *Loop) share(was *workspace.RepoSnapshot) {
	if l.Line != nil && l.Line.atWork != nil {
		was.Control, was.Steering.Shared = l.Line.atWork.Control, l.Line.atWork.Steering
	}
}
