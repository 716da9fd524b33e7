package branches

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"autopilot/autopilot/git"
	"autopilot/autopilot/halt"
	"autopilot/autopilot/machine"
	"autopilot/autopilot/shell"
)

// prefix begins the name of every branch that autopilot makes.
const prefix = "autopilot/"

// Claim is a branch that a session works on, or worked on.
type Claim struct {
	Branch    string
	Spec      string // path of its spec; "" where only the branch is known
	Open      bool   // the session isn't done
	StackedOn *machine.Base
	Bases     []machine.Base
}

// Ground is where new work begins.
type Ground struct {
	git.Position
	Stay bool          // on what is checked out, without a new branch
	On   *machine.Base // the branch of other work that is below; nil: there is none, or the default branch has it
	Into string        // the default branch that the work is to go into; "" where nobody can tell
}

// NewName is the name of the branch that new work gets.
func NewName(slug string) string { return prefix + RefName(slug) }

// FindGround looks at what is checked out and decides where new work begins: on a new branch, unless a branch is checked out
// that is the user's own, or the work's own already. The branch of an open session is refused, and that of a finished one
// is where a new branch begins, so that stay (--no-branch) is refused there.
func FindGround(ctx context.Context, repo *git.Repo, others []Claim, own func(branch string) bool, stay bool) (Ground, error) {
	position, err := repo.Position(ctx)
	if err != nil {
		return Ground{}, err
	}
	standard, err := repo.Refs.IsDefault(ctx, position.Branch)
	if err != nil {
		return Ground{}, err
	}
	g := Ground{Position: position, Stay: stay, Into: position.Branch}
	if !standard {
		if g.Into, err = defaultFor(ctx, repo, position); err != nil {
			return Ground{}, err
		}
	}
	at, mine := position, position.Branch != "" && own(position.Branch)
	if mine {
		at.Branch = "" // it may have been made on the end of another one
	}
	below, found, err := claimBelow(ctx, repo, others, own, at)
	switch {
	case err != nil:
		return Ground{}, err
	case found && at.Branch != "" && below.Open:
		return Ground{}, halt.Usage("branch %s belongs to the open session of %s\nFinish that one first (autopilot %s), work beside it with --worktree, or switch to another branch: git switch -",
			below.Branch, below.Spec, shell.QuotePath(below.Spec))
	case standard:
		return g, nil
	case !found:
		g.Stay = stay || position.Branch != ""
		return g, nil
	case stay && at.Branch != "":
		return Ground{}, halt.Usage("branch %s belongs to %s, which is done: nothing else is committed there\nLeave --no-branch out to work on a new branch that begins here, or switch to one of yours: git switch -c NAME",
			below.Branch, cmp.Or(below.Spec, "other work of autopilot"))
	case stay:
		return g, nil
	}
	g.Stay = mine
	return g, g.stack(ctx, repo, below.Branch)
}

// defaultFor is the default branch that new work goes into: without a branch the one that ends in HEAD, as in a working tree
// that was just made from it.
func defaultFor(ctx context.Context, repo *git.Repo, at git.Position) (string, error) {
	usual, err := repo.Refs.DefaultBranch(ctx)
	if err != nil || at.Branch != "" {
		return usual, err
	}
	refs, err := repo.Refs.List(ctx, "refs/heads")
	for _, name := range append([]string{usual}, git.UsualDefaults...) {
		if slices.Contains(refs, git.Ref{Name: "refs/heads/" + name, Object: at.Head}) {
			return name, err
		}
	}
	return usual, err
}

// claimBelow finds the claim to the branch that is checked out or, without one, to a branch that ends in HEAD: of a session
// that is known, an open one first, else by the name that autopilot gives its branches.
func claimBelow(ctx context.Context, repo *git.Repo, others []Claim, own func(string) bool, at git.Position) (Claim, bool, error) {
	refs, err := repo.Refs.List(ctx, "refs/heads")
	if err != nil {
		return Claim{}, false, err
	}
	here := func(c Claim) bool {
		ends := slices.Contains(refs, git.Ref{Name: "refs/heads/" + c.Branch, Object: at.Head})
		return !own(c.Branch) && ends && (at.Branch == "" || at.Branch == c.Branch)
	}
	all := slices.SortedStableFunc(slices.Values(others), func(a, b Claim) int { return -cmp.Compare(openness(a), openness(b)) })
	for _, ref := range refs {
		if branch := strings.TrimPrefix(ref.Name, "refs/heads/"); strings.HasPrefix(branch, prefix) {
			all = append(all, Claim{Branch: branch})
		}
	}
	i := slices.IndexFunc(all, here)
	if i < 0 {
		return Claim{}, false, nil
	}
	return all[i], true, nil
}

func openness(c Claim) int { return map[bool]int{true: 1}[c.Open] }

// stack notes that the ground is the end of a branch, unless the default branch has all of it.
func (g *Ground) stack(ctx context.Context, repo *git.Repo, branch string) error {
	ends, err := EndsOf(ctx, repo, g.Into)
	if err != nil {
		return err
	}
	for _, end := range ends {
		if has, err := repo.History.IsAncestor(ctx, g.Head, end.Object); err != nil || has {
			return err
		}
	}
	g.On = &machine.Base{Ref: "refs/heads/" + branch, Commit: g.Head}
	return nil
}

// EndsOf are the refs that show where a branch ends; none of no branch.
func EndsOf(ctx context.Context, repo *git.Repo, branch string) ([]git.Ref, error) {
	if branch == "" {
		return nil, nil
	}
	return repo.Refs.Ends(ctx, branch)
}
