package branches

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"autopilot/autopilot/lazyregexp"
	"autopilot/autopilot/machine"
)

// Choose makes a branch where none of the session's own is checked out, and has an event tell of it: with HEAD's
// commit, what the branch is stacked on, and what it is to go into.
func (b Branch) Choose(ctx context.Context, ev *machine.Event) error {
	g, err := b.findGround(ctx)
	if err != nil {
		return err
	}
	branch, how := g.Branch, "Working on branch "
	if !g.Stay {
		// Not to be called off half-way: the next run would find the name taken and take another one.
		if branch, err = b.Repo.Refs.CreateBranch(context.WithoutCancel(ctx), NewName(b.Journal.State().SessionSlug)); err != nil {
			return err
		}
		how = "Working on the new branch "
	}
	s := b.Journal.State()
	if branch == s.Branch {
		g.On = s.StackedOn // the session is started over there
	}
	ev.Branch, ev.Commit, ev.StackedOn = branch, g.Head, g.On
	into := g.Into
	if g.On != nil {
		into = RefShown(g.On.Ref)
	}
	if ev.Bases, err = b.basesOf(ctx, into, branch, g.Head); err != nil {
		return err
	}
	s.StackedOn, s.Bases = ev.StackedOn, ev.Bases
	return b.Tell(ctx, s, how+cmp.Or(branch, "no branch: HEAD is detached"))
}

// findGround is where the session's work begins. One of an older program has begun already, wherever it stands.
func (b Branch) findGround(ctx context.Context) (Ground, error) {
	s := b.Journal.State()
	if s.CurrentState != machine.Init {
		return FindGround(ctx, b.Repo, nil, func(string) bool { return true }, b.Stay)
	}
	others, err := b.Others()
	if err != nil {
		return Ground{}, err
	}
	made, err := b.unrecorded(ctx, others)
	if err != nil {
		return Ground{}, err
	}
	return FindGround(ctx, b.Repo, others, func(branch string) bool { return branch == cmp.Or(s.Branch, made) }, b.Stay)
}

// unrecorded is the branch that is checked out, where a run that was killed made it for this session before it could record
// it: it has the session's name, and does not end in work of an earlier session of this name. "" where it is none.
func (b Branch) unrecorded(ctx context.Context, others []Claim) (string, error) {
	s := b.Journal.State()
	at, err := b.Repo.Position(ctx)
	rest, named := strings.CutPrefix(at.Branch, prefix+RefName(s.SessionSlug))
	taken := slices.ContainsFunc(others, func(c Claim) bool { return c.Branch == at.Branch })
	if err != nil || !named || taken || !branchNumber.MatchString(rest) {
		return "", err
	}
	last, err := b.Repo.History.Describe(ctx, "HEAD")
	if err != nil || last.Trailer("Autopilot-Session") == s.SessionSlug {
		return "", err
	}
	return at.Branch, nil
}

// branchNumber follows the name of a branch where the plain name was taken.
var branchNumber = lazyregexp.New(`^(-\d+)?$`)

// Tell says on which branch a run works, and what that is stacked on.
func (b Branch) Tell(ctx context.Context, s machine.State, text string) error {
	if s.StackedOn == nil {
		b.Journal.NoteEvent(text + ".")
		return nil
	}
	stack, err := b.Stack()
	if err != nil {
		return err
	}
	f, err := stack.Footing(ctx, s)
	if err != nil {
		return err
	}
	b.Journal.Note("info", text+", "+f.String()+".")
	return nil
}
