package autopilot

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

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

func title(s machine.State) string { return cmp.Or(words.OneLine(s.Spec.Title), s.SessionSlug) }

// OfferPR is the question whether to make a pull request; "" where one has to wait, which is said.
func (e *Engine) OfferPR(ctx context.Context) (question string, err error) {
	s := e.Journal.State()
	why, err := e.waitsForRebase(ctx, s)
	if err != nil {
		return "", err
	}
	if why != "" {
		e.Journal.Note("warning", why)
		return "", nil
	}
	f, err := e.footing(ctx)
	into := ""
	if f.Fate == Unmerged {
		into = " into " + f.Into
	}
	return "Create a pull request of " + s.Branch + into + "? (yes / no) ", err
}

// TellPR prints the commands that make a pull request.
func (e *Engine) TellPR(ctx context.Context) {
	e.Journal.Note("info", e.prCommands(ctx, e.Journal.State()))
}

// prCommands are the commands that make a pull request by hand.
func (e *Engine) prCommands(ctx context.Context, s machine.State) string {
	text, base := "To make a pull request:", ""
	if e.Repo.RemoteURL(ctx, "origin") == "" {
		text += "\n  git remote add origin URL"
	}
	if f, err := e.footing(ctx); err == nil && f.Fate == Unmerged {
		base = " --base " + shell.Quote(f.Into)
		if !e.Repo.Exists(ctx, "refs/remotes/origin/"+f.Into) {
			text += "\n  git push -u origin " + shell.Quote(f.Into)
		}
	}
	return text + fmt.Sprintf("\n  git push -u origin %s\n  gh pr create --head %s%s --title %s", shell.Quote(s.Branch), shell.Quote(s.Branch), base, shell.Quote(title(s)))
}

// PullRequest makes a pull request of a finished session's branch, or finds the open one.
func (e *Engine) PullRequest(ctx context.Context) error {
	defer e.Journal.Settle()
	s := e.Journal.State()
	if err := e.hasBranch(ctx, s); err != nil {
		return err
	}
	why, err := e.waitsForRebase(ctx, s)
	if err != nil {
		return err
	}
	if why != "" {
		return errors.New(why)
	}
	url, err := e.Forge.Open(ctx, s.Branch)
	if err == nil && url == "" {
		url, err = e.createPR(ctx, s)
	}
	if ctx.Err() != nil {
		return &InterruptedError{Cause: context.Cause(ctx)}
	}
	if err != nil {
		return &NoPullRequestError{Err: err, Commands: e.prCommands(ctx, s)}
	}
	e.Journal.Report.Report(journal.Note{Event: "pr", Text: "Pull request: " + url, Fields: map[string]any{"url": url}})
	return nil
}

// hasBranch refuses to make a pull request of nothing.
func (e *Engine) hasBranch(ctx context.Context, s machine.State) error {
	switch {
	case s.Branch == "":
		return errors.New("the session worked on no branch, so that there is nothing to make a pull request of")
	case e.Repo.Exists(ctx, "refs/heads/"+s.Branch):
		return nil
	}
	return fmt.Errorf("branch %s is gone, so that there is nothing to make a pull request of\nIf it wasn't merged, bring it back: %s", s.Branch, cmp.Or(BringBack(ctx, e.Repo, s), "git fetch"))
}

// createPR makes a pull request against what the session's branch stands on.
func (e *Engine) createPR(ctx context.Context, s machine.State) (string, error) {
	stack, err := e.stack()
	if err != nil {
		return "", err
	}
	stack.MergedAt = e.Forge.MergedAt
	f, err := stack.Footing(ctx, s)
	if err != nil {
		return "", err
	}
	if f.On != "" {
		e.Journal.Note("info", fmt.Sprintf("%s is %s: its pull request goes into %s.", s.Branch, f, f.Into)+e.mergedTwice(ctx, s, f))
	}
	return e.Forge.Create(ctx, s.Branch, f.Into, title(s), e.prBody(s, e.issue(ctx, s)))
}

// mergedTwice is how to keep commits out of a pull request that were merged under another id, as by a squash; "" where there
// are none.
func (e *Engine) mergedTwice(ctx context.Context, s machine.State, f Footing) string {
	ends, err := endsOf(ctx, e.Repo, f.Into)
	if err != nil || f.Fate != Merged || len(ends) == 0 || !e.Repo.Exists(ctx, s.StackedOn.Commit) {
		return ""
	}
	for _, end := range ends {
		if has, err := e.Repo.IsAncestor(ctx, s.StackedOn.Commit, end.Object); err != nil || has {
			return ""
		}
	}
	onto := ends[len(ends)-1]
	return fmt.Sprintf("\nIt lists the commits of %s again. To leave them out:\n  git rebase --onto %s %s %s", f.On, shell.QuoteWord(refShown(onto.Name)), words.Commit(s.StackedOn.Commit), shell.QuoteWord(s.Branch))
}

// prBody is what a reviewer of the pull request wants to know: phases, evidence, findings, what a human overrode, cost.
func (e *Engine) prBody(s machine.State, issue string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n\nSpec: `%s`\n\n| phase | outcome | tasks | retries | verified |\n|---|---|---|---|---|\n", title(s), s.SpecPath)
	for _, h := range s.History {
		fmt.Fprintf(&b, "| %s %s | %s | %d | %d | %s |\n", s.PhaseNumber(h.Phase), cell(h.Name), h.Outcome, h.TasksCompleted, h.RetriesUsed, machine.VerifiedWords(h.VerificationPassed))
	}
	section(&b, "Evidence", evidenceLines(s))
	var findings []string
	for _, p := range s.Phases {
		for _, f := range p.Findings {
			findings = append(findings, "phase "+p.Number+", "+found(f))
		}
	}
	for _, f := range s.FinalReview.Findings {
		findings = append(findings, "final review, "+found(f))
	}
	section(&b, "Findings that are left", findings)
	section(&b, "Flaky tests, not blamed", machine.FlakeLines(s))
	section(&b, "Decisions of a human against a check", overrides(s))
	fmt.Fprintf(&b, "\nFinal review: %s. %s, %d tokens, %.2f USD.\n", FinalWords(s), machine.Plural(s.Usage.Dispatches, "dispatch", "dispatches"), s.Usage.InputTokens+s.Usage.OutputTokens, s.Usage.CostUSD)
	if issue != "" {
		fmt.Fprintf(&b, "\nCloses %s\n", issue)
	}
	return b.String()
}

// found is a finding with who found it.
func found(f machine.Finding) string { return strings.TrimPrefix(f.Source+": "+f.String(), ": ") }

func section(b *strings.Builder, heading string, lines []string) {
	if len(lines) == 0 {
		return
	}
	fmt.Fprintf(b, "\n### %s\n\n", heading)
	for _, l := range lines {
		fmt.Fprintf(b, "- %s\n", words.OneLine(l))
	}
}

func cell(text string) string { return strings.ReplaceAll(words.OneLine(text), "|", `\|`) }

// evidenceLines are the last checks of each phase.
func evidenceLines(s machine.State) []string {
	var lines []string
	for _, p := range s.Phases {
		for _, c := range p.Checks {
			lines = append(lines, fmt.Sprintf("phase %s: `%s`: %s, exit %d", p.Number, strings.ReplaceAll(c.Command, "`", "'"), strings.ReplaceAll(c.Outcome, "_", " "), c.ExitCode))
		}
	}
	return lines
}

// overrides are the decisions by which a human went on in spite of something.
func overrides(s machine.State) []string {
	var lines []string
	for _, d := range s.Decisions {
		for _, word := range []string{"override", ": skip", "baseline_red: continue", "unverified"} {
			if strings.Contains(d.Decision, word) {
				lines = append(lines, fmt.Sprintf("phase %s, %s: %s (%s)", s.PhaseNumber(d.Phase), strings.ReplaceAll(d.Decision, "_", " "), d.Reason, d.By))
				break
			}
		}
	}
	return lines
}
