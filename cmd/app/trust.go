package app

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"autopilot/autopilot/git"
	"autopilot/autopilot/machine"
	"autopilot/cmd/console"
)

// TrustFlag says what --trust does, wherever it is a flag.
const TrustFlag = "trust what this repository's own files run and connect to, and remember it (for one run: AUTOPILOT_TRUST=1)"

// Unanswered returns the entries of a list that wait for the user's yes, and where that is kept.
func Unanswered(h *console.Host, repo *git.Repo, list []TrustEntry) ([]TrustEntry, *TrustFile, error) {
	if len(list) == 0 {
		return nil, nil, nil
	}
	f, err := OpenTrust(h, repo)
	if err != nil {
		return nil, nil, err
	}
	return f.Unanswered(list), f, nil
}

// A Grant picks those of some entries that need no question, and says why.
type Grant func(ctx context.Context, entries []TrustEntry) (granted []TrustEntry, why string, err error)

// AskTrust has the user decide, before anything runs or is sent, about what this repository's own files run and reach, in the
// working tree that is worked in. The remarks name what a grant let pass; it may be nil.
func (o *RunFlags) AskTrust(ctx context.Context, b *Backends, work *git.Repo, grant Grant, more ...TrustEntry) (remarks []string, err error) {
	if o.trusts() {
		return nil, nil // before the list is made, which may fail
	}
	list, err := b.TrustList(ctx, work)
	if err != nil {
		return nil, err
	}
	return o.AskTrustOf(ctx, work, grant, append(list, more...))
}

// trusts says whether nobody has to be asked any more.
func (o *RunFlags) trusts() bool { return o.agreed || o.Host.Trusts && !o.Trust }

// AskTrustOf has the user decide about entries, as AskTrust does.
func (o *RunFlags) AskTrustOf(ctx context.Context, work *git.Repo, grant Grant, entries []TrustEntry) (remarks []string, err error) {
	if o.trusts() {
		return nil, nil
	}
	entries, f, err := Unanswered(o.Host, work, entries)
	if err != nil || len(entries) == 0 {
		return nil, err
	}
	if grant != nil && !o.Trust {
		granted, why, err := grant(ctx, entries)
		if err != nil {
			return nil, err
		}
		remarks = append(remarks, o.keep(f, granted, why)...)
		entries = f.Unanswered(entries)
	}
	if len(entries) == 0 {
		return remarks, nil
	}
	yes := o.Trust
	if !yes {
		yes, err = o.Human().Confirm(ctx, TrustQuestion(entries))
	}
	switch {
	case err != nil:
		return nil, err
	case !yes:
		return nil, console.UsageError("this repository's own files run or reach what you have not agreed to:\n\n%s\nNothing was started or sent. If you trust this repository, agree once with:\n  %s", TrustLines(entries), o.Host.Again(cmp.Or(o.TrustBy, "--trust")))
	}
	o.agreed = true
	return append(remarks, o.keep(f, entries, "")...), nil
}

// TrustWritten remembers a yes to what stands in files that autopilot has just written for the user. Where that can't be saved, a
// later command asks.
func TrustWritten(ctx context.Context, b *Backends, repo *git.Repo, files ...string) {
	list, err := b.TrustList(ctx, repo)
	if err != nil {
		return
	}
	later, err := TrustAnywhere(ctx, b.Host, repo) // as it will be once each key is set, and whatever address the environment names today
	if err != nil {
		return
	}
	list = append(list, later...)
	entries, f, err := Unanswered(b.Host, repo, inFiles(list, files))
	if err == nil && len(entries) > 0 {
		_ = f.Keep(entries, b.Host.Now())
	}
}

// inFiles are the entries that some files bring.
func inFiles(entries []TrustEntry, files []string) []TrustEntry {
	return slices.DeleteFunc(slices.Clone(entries), func(e TrustEntry) bool {
		file, _, _ := strings.Cut(e.File, ":")
		return !slices.Contains(files, file)
	})
}

// TrustQuestion shows entries, and asks about them.
func TrustQuestion(entries []TrustEntry) string {
	return fmt.Sprintf("What this repository's own files run or reach, new to you:\n\n%s\nNothing has started. Your yes is remembered.\nTrust this repository? (yes / no) ", TrustLines(entries))
}

// keep writes entries down as trusted, and says why where nobody was asked.
func (o *RunFlags) keep(f *TrustFile, entries []TrustEntry, why string) (remarks []string) {
	if len(entries) == 0 {
		return nil
	}
	if err := f.Keep(entries, o.Host.Now()); err != nil {
		return []string{fmt.Sprintf("What you trust couldn't be saved, and counts for this run only: %v", err)}
	}
	if why == "" {
		return nil
	}
	return []string{fmt.Sprintf("Counts as trusted, since %s: %s. See: autopilot trust list", why, TrustInShort(entries))}
}

// KeepTrust lets pass, at the end of a run, what its session changed itself, and names it. Nothing is asked.
func (o *RunFlags) KeepTrust(ctx context.Context, b *Backends, w *Workspace, s machine.State) []string {
	if o.Host.Trusts {
		return nil
	}
	list, err := b.TrustList(ctx, w.Work)
	if err != nil {
		return nil // the next run says so
	}
	entries, f, err := Unanswered(o.Host, w.Work, list)
	if err != nil || len(entries) == 0 {
		return nil
	}
	own, err := w.changed(ctx, s, entries)
	if err != nil {
		return nil // the next run asks
	}
	return o.keep(f, own, changedBySession)
}

// changedBySession is why the session's own changes are trusted: they passed its checks.
const changedBySession = "the session's own commits changed it"

// Granted are the entries that need no question in a session: all of one that began before autopilot asked (but keys, where it
// asked about those), and what the commits of one that was asked brought.
func (w *Workspace) Granted(s machine.State) Grant {
	return func(ctx context.Context, entries []TrustEntry) ([]TrustEntry, string, error) {
		if w.Upgrades(ctx, s) {
			if s.KeysAsked {
				entries = slices.DeleteFunc(slices.Clone(entries), func(e TrustEntry) bool { return e.Kind == TrustKey })
			}
			return entries, "this session began before autopilot asked", nil
		}
		if !s.KeysAsked {
			return nil, "", nil
		}
		own, err := w.changed(ctx, s, entries)
		return own, changedBySession, err
	}
}

// Upgrades says whether the user ran a session in this repository with a program that did not ask about all of it yet. One
// that came with the repository's commits is nobody's word.
func (w *Workspace) Upgrades(ctx context.Context, s machine.State) bool {
	const asksAll = 3 // the edition that asks about more than keys
	if s.Runs == 0 || s.KeysAsked && s.Edition >= asksAll {
		return false
	}
	carried, err := w.Repo.Tree.Carries(ctx, ".harness/sessions/"+w.Slug)
	return err == nil && !carried
}
