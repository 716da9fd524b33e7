package workspace

import (
	"context"
	"crypto/rand"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"autopilot/autopilot/git"
	"autopilot/autopilot/steering"
)

// Tools puts back what the project's own commands do to what steers git: validations, and the setup of a working tree. Many an
// installer does so, and it is no fault of the task at work.
type Tools struct {
	Repo *git.Repo
	Tell func(text string) // is told once of each thing that is put back
	// Beside says whether agents may be at work meanwhile: then it is for their guards to tell what was done. nil: none are.
	Beside func() bool

	told sync.Map
}

// Around runs a command, and puts back what changed meanwhile.
func (t *Tools) Around(ctx context.Context, run func()) error {
	if t.Beside != nil && t.Beside() {
		run()
		return nil
	}
	was, err := steering.Files{Repo: t.Repo}.Read()
	if err != nil {
		return fmt.Errorf("reading what steers git: %w", err)
	}
	was.Own = nil // the command may run in another tree, and this one be the user's
	run()
	changed, err := steering.Files{Repo: t.Repo}.PutNewBack(context.WithoutCancel(ctx), was, "HEAD", filepath.Join(t.Repo.CommonDir(), "autopilot", "undone", "tools", rand.Text()))
	changed = slices.DeleteFunc(changed, func(c steering.Change) bool {
		_, again := t.told.LoadOrStore(c.Name, true)
		return again
	})
	if len(changed) > 0 {
		var names []string
		for _, c := range changed {
			names = append(names, ".git/"+c.Name)
		}
		t.Tell(fmt.Sprintf("A command of the project changed %s; it was put back. To let it stay: %s", strings.Join(names, ", "), KeepSetting(changed...)))
	}
	if err != nil {
		return fmt.Errorf("putting back what steers git: %w", err)
	}
	return nil
}
