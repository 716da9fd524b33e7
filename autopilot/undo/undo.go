package undo

import (
	"context"
	"fmt"

	"autopilot/autopilot/branches"
	"autopilot/autopilot/git"
	"autopilot/autopilot/halt"
	"autopilot/autopilot/journal"
	"autopilot/autopilot/machine"
	"autopilot/autopilot/shell"
	"autopilot/autopilot/words"
)

// Undo works on one session. What Plan and Back need beside Repo and Store a run that only finishes does not.
type Undo struct {
	Repo        *git.Repo
	Store       journal.Store
	Past        *Past
	Others      func() ([]branches.Claim, error)                                 // of all other sessions of the repository
	PullRequest func(ctx context.Context, branch string) (url string, err error) // finds an open one
}

// Plan is an undo that may be done, and what goes with it.
type Plan struct {
	machine.Undo
	Name      string          // of the phase
	Commits   []git.Described // that leave the branch, newest first; of one that goes back, none
	Files     []string        // that they changed
	Decisions []machine.Decision
}

// Done is an undo that was done. Kept is the ref under which the files lie that were in the working tree when one that was cut
// off was finished; "" where nothing was.
type Done struct {
	machine.Undo
	Kept string
}

// String says in a sentence or two what was done.
func (d Done) String() string {
	text := fmt.Sprintf("Phase %s is undone: the branch is back at %s. What left it is kept under %s.", d.Phase, words.Commit(d.To), d.Ref)
	if d.Back {
		text = fmt.Sprintf("The undo of phase %s is taken back: the branch is at %s again.", d.Phase, words.Commit(d.To))
	}
	if d.Kept != "" {
		text += " The files as they were before are kept under " + d.Kept + "."
	}
	return text
}

// Do does what was planned.
func (u Undo) Do(ctx context.Context, p Plan) (Done, error) {
	if _, err := u.Store.Apply(machine.Event{Type: machine.UndoIntended, Undo: &p.Undo}); err != nil {
		return Done{}, err
	}
	return u.finish(context.WithoutCancel(ctx), "")
}

// Finish finishes an undo that was cut off, and says whether there was one.
func (u Undo) Finish(ctx context.Context) (Done, bool, error) {
	intent := u.Store.State().Undoing
	if intent == nil {
		return Done{}, false, nil
	}
	if err := u.Repo.TakeUp(ctx); err != nil {
		return Done{}, true, err
	}
	if _, err := u.Repo.Refs.Unlock(ctx, intent.Ref); err != nil {
		return Done{}, true, err
	}
	done, err := u.finish(context.WithoutCancel(ctx), intent.Ref+"-files")
	return done, true, err
}

// finish does each step that is not done yet. What lies in the working tree is saved first under a ref, unless that is "".
func (u Undo) finish(ctx context.Context, save string) (Done, error) {
	s := u.Store.State()
	intent := *s.Undoing
	position, err := u.Repo.Position(ctx)
	if err != nil {
		return Done{}, err
	}
	if err := stillThere(s, position); err != nil {
		return Done{}, err
	}
	if err := u.keep(ctx, intent); err != nil {
		return Done{}, err
	}
	if position.Head != intent.To {
		moved, err := u.Repo.Refs.Move(ctx, "refs/heads/"+s.Branch, intent.To, intent.From)
		if err == nil && !moved {
			err = halt.Usage("branch %s was moved by somebody else just now\n  autopilot undo %s", s.Branch, shell.QuotePath(s.SpecPath))
		}
		if err != nil {
			return Done{}, err
		}
	}
	paths, err := u.Repo.History.Differing(ctx, intent.From, intent.To)
	if err != nil {
		return Done{}, err
	}
	saved, err := u.Repo.Files.Reset(ctx, intent.To, paths, save)
	if err != nil {
		return Done{}, err
	}
	if _, err := u.Store.Apply(machine.Event{Type: machine.Undone}); err != nil {
		return Done{}, err
	}
	intent.State = nil
	return Done{intent, saved.Ref}, nil
}

// stillThere refuses to finish an undo on another branch, or on one that somebody moved since.
func stillThere(s machine.State, at git.Position) error {
	u := s.Undoing
	switch {
	case at.Branch != s.Branch:
		return halt.Usage("the undo of phase %s was cut off, and can only be finished on its branch\n  git switch %s", u.Phase, shell.QuoteWord(s.Branch))
	case at.Head != u.From && at.Head != u.To:
		return halt.Usage("the undo of phase %s was cut off, and branch %s has other commits since\nKeep them on a branch of their own, and put this one back:\n  git branch kept-commits\n  git reset --keep %s",
			u.Phase, s.Branch, words.Commit(u.From))
	}
	return nil
}

// keep keeps the commits that leave the branch.
func (u Undo) keep(ctx context.Context, intent machine.Undo) error {
	kept, err := u.Repo.Refs.List(ctx, intent.Ref)
	if err != nil || len(kept) > 0 {
		return err
	}
	_, err = u.Repo.Refs.Move(ctx, intent.Ref, intent.From, "")
	return err
}
