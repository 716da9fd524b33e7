package branches

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"autopilot/autopilot/git"
	"autopilot/autopilot/machine"
	"autopilot/autopilot/shell"
	"autopilot/autopilot/words"
)

// basesOf are the branch that work is to go into and what it follows at its remote, each with the newest commit that it
// shares with a branch that ends in head.
func (b Branch) basesOf(ctx context.Context, into, branch, head string) ([]machine.Base, error) {
	if into == "" {
		return nil, nil
	}
	ends, err := b.Repo.Refs.Ends(ctx, into)
	if err != nil {
		return nil, err
	}
	var bases []machine.Base
	for _, end := range ends {
		if end.Name == "refs/heads/"+branch {
			continue
		}
		shared := head
		if end.Object != head {
			if shared, err = b.Repo.History.MergeBase(ctx, head, end.Object); err != nil {
				return nil, err
			}
		}
		if shared != "" {
			bases = append(bases, machine.Base{Ref: end.Name, Commit: shared})
		}
	}
	return bases, nil
}

// lostBases are the bases of a session that no longer hold the commit on which its branch, ending in tip, still stands. One
// that went on holds it; of one that is gone nothing can be told, nor where history is cut off.
func lostBases(ctx context.Context, repo *git.Repo, s machine.State, tip string) ([]machine.Base, error) {
	if repo.History.Shallow() || len(s.Bases) == 0 {
		return nil, nil
	}
	refs, err := repo.Refs.List(ctx, "refs")
	if err != nil {
		return nil, err
	}
	var lost []machine.Base
	for _, b := range s.Bases {
		i := slices.IndexFunc(refs, func(ref git.Ref) bool { return ref.Name == b.Ref })
		if i < 0 || refs[i].Object == b.Commit {
			continue
		}
		held, err := repo.History.IsAncestor(ctx, b.Commit, refs[i].Object)
		if err != nil {
			return nil, err
		}
		stands, err := repo.History.IsAncestor(ctx, b.Commit, tip)
		if err != nil {
			return nil, err
		}
		if stands && !held {
			lost = append(lost, b)
		}
	}
	return lost, nil
}

// LostBase says which base of a session was rewritten under its branch, which ends in tip, and the command that puts its
// work onto the new one; "" where none was.
func LostBase(ctx context.Context, repo *git.Repo, s machine.State, tip string) (what, remedy string, err error) {
	lost, err := lostBases(ctx, repo, s, tip)
	if err != nil || len(lost) == 0 {
		return "", "", err
	}
	onto := lost[len(lost)-1] // the remote's, where it is among them: a pull request goes there
	var names []string
	for _, b := range lost {
		if b.Commit == onto.Commit {
			names = append(names, RefShown(b.Ref))
		}
	}
	holds := map[bool]string{true: "holds", false: "hold"}[len(names) == 1]
	what = fmt.Sprintf("%s no longer %s %s, on which branch %s stands: the history there was rewritten, as by a force-push. The work of the session is whole, but a pull request would bring the old history back.",
		strings.Join(names, " and "), holds, words.Commit(onto.Commit), s.Branch)
	in := ""
	if s.WorkTree != "" {
		in = "-C " + shell.QuotePath(s.WorkTree) + " "
	}
	return what, fmt.Sprintf("git %srebase --onto %s %s %s", in, shell.QuoteWord(RefShown(onto.Ref)), words.Commit(onto.Commit), shell.QuoteWord(s.Branch)), nil
}

// RefShown is the name of a branch as people type it.
func RefShown(ref string) string {
	return strings.TrimPrefix(strings.TrimPrefix(ref, "refs/heads/"), "refs/remotes/")
}

// TellLostBase says of a session that is taken up that its base was rewritten: it goes on all the same.
func (b Branch) TellLostBase(ctx context.Context, s machine.State) error {
	what, remedy, err := LostBase(ctx, b.Repo, s, "HEAD")
	if what != "" {
		b.Journal.Note("warning", what+"\nPut the work onto the new one, now or once the session is done:\n  "+remedy)
	}
	return err
}
