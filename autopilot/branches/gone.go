package branches

import (
	"cmp"
	"context"

	"autopilot/autopilot/git"
	"autopilot/autopilot/git/refs"
	"autopilot/autopilot/halt"
	"autopilot/autopilot/machine"
	"autopilot/autopilot/shell"
	"autopilot/autopilot/words"
)

// Is refuses to bring or commit anything elsewhere than on the session's branch: somebody may have switched while
// only lanes were at work.
func (b Branch) Is(ctx context.Context, position git.Position) error {
	s := b.Journal.State()
	if s.Branch == "" || position.Branch == s.Branch {
		return nil
	}
	at := cmp.Or(position.Branch, "no branch")
	if b.Repo.History.Exists(ctx, "refs/heads/"+s.Branch) {
		return halt.Usage("the session works on branch %s, but %s is checked out\nGo back to it: git switch %s", s.Branch, at, s.Branch)
	}
	restart := "Or start over, from what is checked out now: autopilot " + shell.QuotePath(s.SpecPath) + " --restart"
	if back := BringBack(ctx, b.Repo, s); back != "" {
		return halt.Usage("the session works on branch %s, which is gone; %s is checked out\nBring it back with its last commit: %s && git switch %s\n%s", s.Branch, at, back, shell.QuoteWord(s.Branch), restart)
	}
	return halt.Usage("the session works on branch %s, which is gone, and so are its commits; %s is checked out\nFetch the branch from where it still is. %s", s.Branch, at, restart)
}

// BringBack is the command that makes the branch of a session again, which is gone; "" where its commits are gone too.
func BringBack(ctx context.Context, repo *git.Repo, s machine.State) string {
	last := lastCommit(ctx, repo, s)
	if last == "" {
		return ""
	}
	return "git branch " + shell.QuoteWord(s.Branch) + " " + words.Commit(last)
}

// lastCommit is where the branch of a session ended: by the log of HEAD, else the newest commit that the session rests on. ""
// where the repository no longer has it.
func lastCommit(ctx context.Context, repo *git.Repo, s machine.State) string {
	if left := refs.Of(repo).LeftAt(s.Branch); left != "" && repo.History.Exists(ctx, left) {
		return left
	}
	known := knownCommits(s)
	if len(known) == 0 {
		known = []string{s.StartingCommit}
	}
	newest, err := repo.History.Newest(ctx, known)
	if err != nil {
		return "" // one of them is gone
	}
	return newest
}
