package autopilot

import (
	"context"
	"path/filepath"
	"time"

	"autopilot/autopilot/check"
	"autopilot/autopilot/machine"
)

// branch puts the session on a branch of its own, unless it was told to stay or stands on one already.
func (e *Engine) branch(ctx context.Context, _ machine.Step) error {
	ev := machine.Event{Type: machine.Branched}
	if err := e.chooseBranch(ctx, &ev); err != nil {
		return err
	}
	return e.apply(ev)
}

// chooseBranch makes a branch where none of the session's own is checked out, and has an event tell of it: with HEAD's
// commit, and with what the branch is to go into.
func (e *Engine) chooseBranch(ctx context.Context, ev *machine.Event) error {
	position, err := e.Repo.Position(ctx)
	if err != nil {
		return err
	}
	standard, err := e.Repo.DefaultBranch(ctx)
	if err != nil {
		return err
	}
	branch := position.Branch
	if !e.Settings.NoBranch && (branch == "" || branch == standard) {
		// Not to be called off half-way: the next run would find the name taken and take another one.
		if branch, err = e.Repo.CreateBranch(context.WithoutCancel(ctx), "autopilot/"+RefName(e.state().SessionSlug)); err != nil {
			return err
		}
		e.note("info", "Working on the new branch "+branch+".")
	}
	ev.Branch, ev.Commit = branch, position.Head
	ev.Bases, err = e.basesOf(ctx, standard, branch, position.Head)
	return err
}

// baseline runs the validation once, before anything changes.
func (e *Engine) baseline(ctx context.Context, _ machine.Step) error {
	if e.Settings.ValidateNone {
		return e.apply(machine.Event{Type: machine.BaselineMeasured, Baseline: &machine.Baseline{Commit: e.state().StartingCommit, Waived: true}})
	}
	found := e.validations()
	if len(found) == 0 {
		e.note("info", "No validation command was found in the repository. Tasks can bring their own; autopilot.yaml can name some under validate.commands.")
		return e.apply(machine.Event{Type: machine.BaselineMeasured})
	}
	e.note("info", "Running the validation once, as the baseline.")
	ran, err := e.runChecks(ctx, job{root: e.Repo.Root(), list: found, log: "baseline.log"})
	if err != nil {
		return err
	}
	if err := e.keepTests(0, ran.tests); err != nil {
		return err
	}
	return e.apply(machine.Event{
		Type: machine.BaselineMeasured, ByProducts: ran.byProducts, Evidence: ran.evidence,
		Baseline: &machine.Baseline{Commit: e.state().StartingCommit, Checks: ran.checks},
	})
}

// validations are the project's validation commands, found anew each time: configured ones, else those of its files.
func (e *Engine) validations() []check.Validation {
	if e.Settings.ValidateNone {
		return nil
	}
	found, err := check.Find(e.Repo.Root(), e.Settings.Validations...)
	if err != nil {
		e.note("warning", "The validation commands could not be found: "+err.Error())
	}
	return e.limit(found)
}

// limit gives each command its time: what is configured, else the larger of ten minutes and three times its baseline.
func (e *Engine) limit(found []check.Validation) []check.Validation {
	for i, v := range found {
		switch {
		case v.Timeout > 0:
		case e.Settings.Validation > 0:
			found[i].Timeout = e.Settings.Validation
		default:
			found[i].Timeout = max(10*time.Minute, 3*e.baselineOf(v))
		}
	}
	return found
}

func (e *Engine) baselineOf(v check.Validation) time.Duration {
	b := e.state().Baseline
	if b == nil {
		return 0
	}
	for _, c := range b.Checks {
		if c.Command == v.Command && sameDir(c.Dir, v.Dir) {
			return time.Duration(c.Seconds * float64(time.Second))
		}
	}
	return 0
}

func sameDir(a, b string) bool { return filepath.Clean("./"+a) == filepath.Clean("./"+b) }
