package autopilot

import (
	"cmp"
	"context"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"autopilot/autopilot/lazyregexp"
	"autopilot/autopilot/machine"
	"autopilot/autopilot/validate"
)

// branch puts the session on a branch of its own, unless it was told to stay or stands on one already.
func (e *Engine) branch(ctx context.Context, _ machine.Step) error {
	ev := machine.Event{Type: machine.Branched}
	if err := e.chooseBranch(ctx, &ev); err != nil {
		return err
	}
	return e.Journal.Apply(ev)
}

// chooseBranch makes a branch where none of the session's own is checked out, and has an event tell of it: with HEAD's
// commit, what the branch is stacked on, and what it is to go into.
func (e *Engine) chooseBranch(ctx context.Context, ev *machine.Event) error {
	g, err := e.findGround(ctx)
	if err != nil {
		return err
	}
	branch, how := g.Branch, "Working on branch "
	if !g.Stay {
		// Not to be called off half-way: the next run would find the name taken and take another one.
		if branch, err = e.Repo.CreateBranch(context.WithoutCancel(ctx), branchPrefix+RefName(e.Journal.State().SessionSlug)); err != nil {
			return err
		}
		how = "Working on the new branch "
	}
	s := e.Journal.State()
	if branch == s.Branch {
		g.On = s.StackedOn // the session is started over there
	}
	ev.Branch, ev.Commit, ev.StackedOn = branch, g.Head, g.On
	into := g.Into
	if g.On != nil {
		into = refShown(g.On.Ref)
	}
	if ev.Bases, err = e.basesOf(ctx, into, branch, g.Head); err != nil {
		return err
	}
	s.StackedOn, s.Bases = ev.StackedOn, ev.Bases
	return e.tellBranch(ctx, s, how+cmp.Or(branch, "no branch: HEAD is detached"))
}

// findGround is where the session's work begins. One of an older program has begun already, wherever it stands.
func (e *Engine) findGround(ctx context.Context) (Ground, error) {
	s := e.Journal.State()
	if s.CurrentState != machine.Init {
		return FindGround(ctx, e.Repo, nil, func(string) bool { return true }, e.Settings.NoBranch)
	}
	others, err := e.Others()
	if err != nil {
		return Ground{}, err
	}
	made, err := e.unrecorded(ctx, others)
	if err != nil {
		return Ground{}, err
	}
	return FindGround(ctx, e.Repo, others, func(branch string) bool { return branch == cmp.Or(s.Branch, made) }, e.Settings.NoBranch)
}

// unrecorded is the branch that is checked out, where a run that was killed made it for this session before it could record
// it: it has the session's name, and does not end in work of an earlier session of this name. "" where it is none.
func (e *Engine) unrecorded(ctx context.Context, others []Claim) (string, error) {
	s := e.Journal.State()
	at, err := e.Repo.Position(ctx)
	rest, named := strings.CutPrefix(at.Branch, branchPrefix+RefName(s.SessionSlug))
	taken := slices.ContainsFunc(others, func(c Claim) bool { return c.Branch == at.Branch })
	if err != nil || !named || taken || !branchNumber.MatchString(rest) {
		return "", err
	}
	last, err := e.Repo.Describe(ctx, "HEAD")
	if err != nil || last.Trailer("Autopilot-Session") == s.SessionSlug {
		return "", err
	}
	return at.Branch, nil
}

// branchNumber follows the name of a branch where the plain name was taken.
var branchNumber = lazyregexp.New(`^(-\d+)?$`)

// tellBranch says on which branch a run works, and what that is stacked on.
func (e *Engine) tellBranch(ctx context.Context, s machine.State, text string) error {
	if s.StackedOn != nil {
		stack, err := e.stack()
		if err != nil {
			return err
		}
		f, err := stack.Footing(ctx, s)
		if err != nil {
			return err
		}
		text += ", " + f.String()
	}
	e.Journal.Note("info", text+".")
	return nil
}

// baseline runs the validation once, before anything changes.
func (e *Engine) baseline(ctx context.Context, _ machine.Step) error {
	if e.Settings.ValidateNone {
		return e.Journal.Apply(machine.Event{Type: machine.BaselineMeasured, Baseline: &machine.Baseline{Commit: e.Journal.State().StartingCommit, Waived: true}})
	}
	found := e.validations()
	if len(found) == 0 {
		e.Journal.Note("info", "No validation command was found in the repository. Tasks can bring their own; autopilot.yaml can name some under validate.commands.")
		return e.Journal.Apply(machine.Event{Type: machine.BaselineMeasured})
	}
	e.Journal.Note("info", "Running the validation once, as the baseline.")
	ran, err := e.runChecks(ctx, job{root: e.Repo.Root(), list: found, log: "baseline.log"})
	if err != nil {
		return err
	}
	if err := e.keepTests(0, ran.tests); err != nil {
		return err
	}
	return e.Journal.Apply(machine.Event{
		Type: machine.BaselineMeasured, ByProducts: ran.byProducts, Evidence: ran.evidence,
		Baseline: &machine.Baseline{Commit: e.Journal.State().StartingCommit, Checks: ran.checks},
	})
}

// validations are the project's validation commands, found anew each time: configured ones, else those of its files.
func (e *Engine) validations() []validate.Validation {
	if e.Settings.ValidateNone {
		return nil
	}
	found, err := validate.Find(e.Repo.Root(), e.Settings.Validations...)
	if err != nil {
		e.Journal.Note("warning", "The validation commands could not be found: "+err.Error())
	}
	return e.limit(found)
}

// limit gives each command its time: what is configured, else the larger of ten minutes and three times its baseline.
func (e *Engine) limit(found []validate.Validation) []validate.Validation {
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

func (e *Engine) baselineOf(v validate.Validation) time.Duration {
	b := e.Journal.State().Baseline
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
