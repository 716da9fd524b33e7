// Package pullrequest makes the pull request of a finished session, or tells the commands that make it. It never merges
// anything, and pushes nothing but the session's branch.
package pullrequest

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"autopilot/autopilot/branches"
	"autopilot/autopilot/halt"
	"autopilot/autopilot/journal"
	"autopilot/autopilot/machine"
	"autopilot/autopilot/shell"
	"autopilot/autopilot/words"
)

// ErrNoForge says that the program which makes pull requests is not there.
var ErrNoForge = errors.New("gh is not on PATH")

// Forge makes pull requests. Open finds an open one of a branch, "" where there is none; Create pushes the branch, and
// nothing else, and makes one. Both return its address. MergedAt are the last commits of the merged ones of a branch. Without
// the program that it needs they return ErrNoForge.
type Forge interface {
	Open(ctx context.Context, branch string) (url string, err error)
	Create(ctx context.Context, branch, base, title, body string) (url string, err error)
	MergedAt(ctx context.Context, branch string) (commits []string, err error)
}

// NoPullRequestError says that a pull request that was asked for wasn't made. The session is done all the same.
type NoPullRequestError struct {
	Err      error
	Commands string // that make it by hand
}

func (e *NoPullRequestError) Error() string {
	return "No pull request was made: " + e.Err.Error() + "\n" + e.Commands
}
func (e *NoPullRequestError) Unwrap() error { return e.Err }

// PullRequest is that of a session's branch.
type PullRequest struct {
	Branch branches.Branch
	Forge  Forge
	Issue  func(context.Context, machine.State) string             // what it closes; "" is none
	Body   func(ctx context.Context, issue string) (string, error) // what a reviewer wants to know
}

// Title is that of a session's pull request.
func Title(s machine.State) string { return cmp.Or(words.OneLine(s.Spec.Title), s.SessionSlug) }

// Offer is the question whether to make a pull request; "" where one has to wait, which is said.
func (p PullRequest) Offer(ctx context.Context) (question string, err error) {
	s := p.Branch.Journal.State()
	why, err := p.waitsForRebase(ctx, s)
	if err != nil {
		return "", err
	}
	if why != "" {
		p.Branch.Journal.Note("warning", why)
		return "", nil
	}
	f, err := p.Branch.Footing(ctx)
	into := ""
	if f.Fate == branches.Unmerged {
		into = " into " + f.Into
	}
	return "Create a pull request of " + s.Branch + into + "? (yes / no) ", err
}

// Tell prints the commands that make a pull request.
func (p PullRequest) Tell(ctx context.Context) {
	p.Branch.Journal.Note("info", p.commands(ctx, p.Branch.Journal.State()))
}

// commands are the commands that make a pull request by hand.
func (p PullRequest) commands(ctx context.Context, s machine.State) string {
	text, base := "To make a pull request:", ""
	if p.Branch.Repo.Config.RemoteURL(ctx, "origin") == "" {
		text += "\n  git remote add origin URL"
	}
	if f, err := p.Branch.Footing(ctx); err == nil && f.Fate == branches.Unmerged {
		base = " --base " + shell.Quote(f.Into)
		if !p.Branch.Repo.History.Exists(ctx, "refs/remotes/origin/"+f.Into) {
			text += "\n  git push -u origin " + shell.Quote(f.Into)
		}
	}
	return text + fmt.Sprintf("\n  git push -u origin %s\n  gh pr create --head %s%s --title %s", shell.Quote(s.Branch), shell.Quote(s.Branch), base, shell.Quote(Title(s)))
}

// Make makes a pull request of a finished session's branch, or finds the open one.
func (p PullRequest) Make(ctx context.Context) error {
	s := p.Branch.Journal.State()
	if err := p.hasBranch(ctx, s); err != nil {
		return err
	}
	why, err := p.waitsForRebase(ctx, s)
	if err != nil {
		return err
	}
	if why != "" {
		return errors.New(why)
	}
	url, err := p.Forge.Open(ctx, s.Branch)
	if err == nil && url == "" {
		url, err = p.create(ctx, s)
	}
	if ctx.Err() != nil {
		return &halt.InterruptedError{Cause: context.Cause(ctx)}
	}
	if err != nil {
		return &NoPullRequestError{Err: err, Commands: p.commands(ctx, s)}
	}
	p.Branch.Journal.Report.Report(journal.Note{Event: "pr", Text: "Pull request: " + url, Fields: map[string]any{"url": url}})
	return nil
}

// waitsForRebase says of a session whose base was rewritten what comes before a pull request; "" where nothing does.
func (p PullRequest) waitsForRebase(ctx context.Context, s machine.State) (string, error) {
	what, remedy, err := branches.LostBase(ctx, p.Branch.Repo, s, "refs/heads/"+s.Branch)
	if what == "" {
		return "", err
	}
	return "No pull request is made yet: " + what + "\nPut the work onto the new one first:\n  " + remedy + "\nThen make it:\n  autopilot " + shell.QuotePath(s.SpecPath) + " --pr", err
}

// hasBranch refuses to make a pull request of nothing.
func (p PullRequest) hasBranch(ctx context.Context, s machine.State) error {
	switch {
	case s.Branch == "":
		return errors.New("the session worked on no branch, so that there is nothing to make a pull request of")
	case p.Branch.Repo.History.Exists(ctx, "refs/heads/"+s.Branch):
		return nil
	}
	return fmt.Errorf("branch %s is gone, so that there is nothing to make a pull request of\nIf it wasn't merged, bring it back: %s", s.Branch, cmp.Or(branches.BringBack(ctx, p.Branch.Repo, s), "git fetch"))
}

// create makes a pull request against what the session's branch stands on.
func (p PullRequest) create(ctx context.Context, s machine.State) (string, error) {
	stack, err := p.Branch.Stack()
	if err != nil {
		return "", err
	}
	stack.MergedAt = p.Forge.MergedAt
	f, err := stack.Footing(ctx, s)
	if err != nil {
		return "", err
	}
	if f.On != "" {
		p.Branch.Journal.Note("info", fmt.Sprintf("%s is %s: its pull request goes into %s.", s.Branch, f, f.Into)+p.mergedTwice(ctx, s, f))
	}
	body, err := p.Body(ctx, p.Issue(ctx, s))
	if err != nil {
		return "", err
	}
	return p.Forge.Create(ctx, s.Branch, f.Into, Title(s), body)
}

// mergedTwice is how to keep commits out of a pull request that were merged under another id, as by a squash; "" where there
// are none.
func (p PullRequest) mergedTwice(ctx context.Context, s machine.State, f branches.Footing) string {
	ends, err := branches.EndsOf(ctx, p.Branch.Repo, f.Into)
	if err != nil || f.Fate != branches.Merged || len(ends) == 0 || !p.Branch.Repo.History.Exists(ctx, s.StackedOn.Commit) {
		return ""
	}
	for _, end := range ends {
		if has, err := p.Branch.Repo.History.IsAncestor(ctx, s.StackedOn.Commit, end.Object); err != nil || has {
			return ""
		}
	}
	onto := ends[len(ends)-1]
	return fmt.Sprintf("\nIt lists the commits of %s again. To leave them out:\n  git rebase --onto %s %s %s", f.On, shell.QuoteWord(branches.RefShown(onto.Name)), words.Commit(s.StackedOn.Commit), shell.QuoteWord(s.Branch))
}
