package undo

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"autopilot/autopilot/branches"
	"autopilot/autopilot/git"
	"autopilot/autopilot/halt"
	"autopilot/autopilot/machine"
	"autopilot/autopilot/shell"
	"autopilot/autopilot/words"
)

// Plan says what goes with a phase, by its number, and with all that came after it began; "" is the last phase that has a commit.
// A phase that may not be undone is a *halt.UsageError.
func (u Undo) Plan(ctx context.Context, phase string) (Plan, error) {
	s := u.Store.State()
	head, err := u.atRest(ctx, s)
	if err != nil {
		return Plan{}, err
	}
	began, ok := u.Past.began(phase, head)
	switch {
	case !ok && phase == "":
		return Plan{}, halt.Usage("there is nothing to undo: no phase that is recorded has a commit on branch %s", s.Branch)
	case !ok:
		return Plan{}, halt.Usage("there is nothing to undo: it is not recorded that phase %s began", phase)
	case began.commit == head:
		return Plan{}, halt.Usage("there is nothing to undo: phase %s has no commit\nHave it planned again instead:\n  autopilot phases %s redo %s", began.phase, shell.QuotePath(s.SpecPath), began.phase)
	}
	ref, err := u.freeRef(ctx, s)
	if err != nil {
		return Plan{}, err
	}
	before := began.state
	p := Plan{Undo: machine.Undo{Phase: began.phase, From: head, To: began.commit, Ref: ref, State: &before}, Name: before.Phases[before.CurrentPhase].Name}
	if n := len(before.Decisions); n < len(s.Decisions) {
		p.Decisions = s.Decisions[n:]
	}
	return u.allowed(ctx, s, p)
}

// Back says what taking back the last undo does. One after which anything was done is a *halt.UsageError.
func (u Undo) Back(ctx context.Context) (Plan, error) {
	s := u.Store.State()
	head, err := u.atRest(ctx, s)
	if err != nil {
		return Plan{}, err
	}
	last := s.Undone
	if last == nil {
		return Plan{}, halt.Usage("there is no undo to take back")
	}
	before, ok := u.Past.before[last.Rev]
	if !ok || head != last.To || before.Usage.Dispatches != s.Usage.Dispatches {
		return Plan{}, halt.Usage("the session has gone on since phase %s was undone, so that its state can't be put back\nIts commits are kept under %s. See them:\n  git log %s..%s",
			last.Phase, last.Ref, words.Commit(last.To), last.Ref)
	}
	p := Plan{Undo: machine.Undo{Phase: last.Phase, From: last.To, To: last.From, Ref: last.Ref, Back: true, State: &before}}
	if !u.Repo.History.Exists(ctx, p.To) {
		return Plan{}, halt.Usage("the commits of phase %s are gone from the repository: nobody can put them back", last.Phase)
	}
	return u.free(ctx, p)
}

// atRest refuses where something else comes first, and returns the commit that the branch ends in.
func (u Undo) atRest(ctx context.Context, s machine.State) (head string, err error) {
	spec := shell.QuotePath(s.SpecPath)
	if len(s.InFlight) > 0 || s.LanesBusy() || s.Aside != nil {
		return "", halt.Usage("nothing is undone: the last run was killed at work, and what it left isn't checked yet\nHave it checked, stop that run with Ctrl-C, then undo:\n  autopilot %s\n  autopilot undo %s", spec, spec)
	}
	status, err := u.Repo.Tree.Status(ctx)
	if err != nil {
		return "", err
	}
	dirty := uncommitted(s, status)
	switch {
	case s.Branch == "":
		return "", halt.Usage("nothing is undone: the session works on no branch")
	case status.Branch != s.Branch:
		return "", halt.Usage("nothing is undone: the session works on branch %s, which isn't checked out\n  git switch %s", s.Branch, shell.QuoteWord(s.Branch))
	case status.Operation != "":
		return "", halt.Usage("nothing is undone: git is in the middle of a %s\nFinish it, or drop it:\n  git %s --abort", status.Operation, status.Operation)
	case len(dirty) > 0:
		return "", halt.Usage("nothing is undone: %s in %s\nPut them aside, also an agent's unfinished work; a commit on this branch would keep undo from working:\n  %sstash --include-untracked",
			machine.Plural(len(dirty), "uncommitted change", "uncommitted changes"), strings.Join(words.FirstFew(dirty, 5), ", "), gitIn(s))
	}
	return status.Head, nil
}

// uncommitted lists what is changed and not committed. New files may stay where they are known as nobody's work, and between
// phases, when no agent has left any.
func uncommitted(s machine.State, status git.Status) []string {
	var dirty []string
	between := slices.Contains([]machine.Name{machine.Assess, machine.PhaseComplete, machine.Done}, s.CurrentState)
	for _, c := range status.Dirt {
		mayStay := between || slices.Contains(s.LeftOut, c.Path) || slices.Contains(s.ByProducts, c.Path)
		if !c.Untracked || c.Staged || !mayStay {
			dirty = append(dirty, c.Path)
		}
	}
	return dirty
}

// gitIn begins a command of git for the session's working tree.
func gitIn(s machine.State) string {
	if s.WorkTree == "" {
		return "git "
	}
	return "git -C " + shell.QuotePath(s.WorkTree) + " "
}

// freeRef is the first of undone/1, undone/2 … below the session's refs that is not taken.
func (u Undo) freeRef(ctx context.Context, s machine.State) (string, error) {
	prefix := "refs/autopilot/" + branches.RefName(s.SessionSlug) + "/undone/"
	taken, err := u.Repo.Refs.List(ctx, prefix)
	for n := 1; ; n++ {
		ref := fmt.Sprint(prefix, n)
		if !slices.ContainsFunc(taken, func(r git.Ref) bool { return r.Name == ref || strings.HasPrefix(r.Name, ref+"/") }) {
			return ref, err
		}
	}
}

// free fills in the files of a plan, and refuses it where something is in their way.
func (u Undo) free(ctx context.Context, p Plan) (Plan, error) {
	var err error
	if p.Files, err = u.Repo.History.Differing(ctx, p.To, p.From); err != nil {
		return p, err
	}
	found, err := u.Repo.Files.Obstacles(ctx, p.From, p.To, p.Files)
	if err == nil && len(found) > 0 {
		err = halt.Usage("nothing is undone: git doesn't track %s, and would overwrite it\nMove it elsewhere first", strings.Join(words.FirstFew(found, 5), ", "))
	}
	return p, err
}
