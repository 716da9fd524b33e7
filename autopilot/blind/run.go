package blind

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"autopilot/autopilot/machine"
	"autopilot/autopilot/proof"
	"autopilot/autopilot/validate"
	"autopilot/autopilot/worktree"
	"autopilot/personas"
)

const (
	longest  = time.Minute      // for one check
	together = 10 * time.Minute // for all of a phase
	maxShown = 2_000            // bytes of an output that are kept
)

// Runner runs blind checks in the clean working tree.
type Runner struct {
	Tree proof.Tree
	Mask *personas.Mask
	Spec string // that a check has to quote; the phase is a part of it
	Now  func() time.Time
}

// Run runs the checks that have not run yet on head, and returns the reading with the results; base is the commit that the phase
// began with. If the tree isn't ready, no check can run, and that is not an error.
func (r Runner) Run(ctx context.Context, b machine.Blind, head, base string) (machine.Blind, error) {
	began, all := r.Now(), len(b.Checks)
	b.Checks = slices.DeleteFunc(slices.Clone(b.Checks), func(c machine.BlindCheck) bool { return !Quoted(c.Quote, r.Spec) })
	b.Dropped += all - len(b.Checks)
	home, err := os.MkdirTemp("", "autopilot-blind-")
	if err != nil {
		return b, err
	}
	defer os.RemoveAll(home)
	r.Tree.Runner.Env = Environment(r.Tree.Environment(), home, r.Mask)
	err = r.runAll(ctx, b.Checks, head, base, began)
	if wrong, is := errors.AsType[*worktree.NotReadyError](err); is {
		b.Back, b.Why, err = true, "the clean working tree is not ready: "+wrong.Error(), nil
	}
	b.Seconds += r.Now().Sub(began).Seconds()
	return b, err
}

// runAll runs the new checks on head, then the failed ones on base.
func (r Runner) runAll(ctx context.Context, list []machine.BlindCheck, head, base string, began time.Time) error {
	var fresh []*machine.BlindCheck
	for i := range list {
		if list[i].Outcome == "" {
			list[i].Outcome, list[i].Output = machine.CheckCouldNot, "no time was left to run it"
			fresh = append(fresh, &list[i])
		}
	}
	if len(fresh) == 0 {
		return nil
	}
	if _, err := r.Tree.Open(ctx, head); err != nil {
		return err
	}
	for _, commit := range []string{head, base} {
		for _, c := range fresh {
			if r.Now().Sub(began) > together || commit == base && c.Outcome != machine.CheckFailed {
				continue
			}
			if err := r.on(ctx, commit, commit == base, c); err != nil {
				return err
			}
		}
	}
	return nil
}

// on runs a check on a commit. A failure on the work runs a second time, to detect a flaky check.
func (r Runner) on(ctx context.Context, commit string, before bool, c *machine.BlindCheck) error {
	e, err := r.once(ctx, commit, *c)
	if before {
		c.Before = outcomeOf(e)
		return err
	}
	c.Outcome, c.ExitCode, c.Output = outcomeOf(e), e.ExitCode, ""
	if c.Outcome != machine.CheckPassed {
		c.Output = strings.TrimSpace(r.Mask.Shorten(e.Output, maxShown))
	}
	if err != nil || c.Outcome != machine.CheckFailed {
		return err
	}
	again, err := r.once(ctx, commit, *c)
	if outcomeOf(again) != c.Outcome {
		c.Outcome = machine.CheckFlaky
	}
	return err
}

// once resets the tree to a commit and runs a check there.
func (r Runner) once(ctx context.Context, commit string, c machine.BlindCheck) (validate.Evidence, error) {
	e := validate.Evidence{}
	err := r.Tree.Lay(ctx, commit, nil)
	if err == nil {
		err = r.Tree.Setup.EnsurePackages(ctx, r.Tree.Runner, r.Tree.Home, r.Tree.Dir)
	}
	if err == nil {
		err = r.write(c.Files)
	}
	if err != nil {
		return e, err
	}
	e = r.Tree.RunAsIs(ctx, validate.Validation{Command: c.Command, Timeout: longest, ByCode: true})
	if e.Outcome == validate.Interrupted {
		return e, ctx.Err()
	}
	return e, nil
}

// write adds the files of a check to the tree. They may overwrite others: the tree is reset before the next check.
func (r Runner) write(files []machine.BlindFile) error {
	root, err := os.OpenRoot(r.Tree.Dir)
	if err != nil {
		return err
	}
	defer root.Close()
	for _, f := range files {
		name := filepath.FromSlash(f.Path)
		err := errors.Join(root.MkdirAll(filepath.Dir(name), 0o755), root.WriteFile(name, []byte(f.Text), 0o755))
		if err != nil {
			return fmt.Errorf("writing %s of a blind check: %w", f.Path, err)
		}
	}
	return nil
}
