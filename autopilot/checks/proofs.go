package checks

import (
	"context"
	"errors"

	"autopilot/autopilot/halt"
	"autopilot/autopilot/machine"
	"autopilot/autopilot/proof"
	"autopilot/autopilot/worktree"
	"autopilot/personas"
)

// Proofs are by running, in a clean working tree, for sessions and for task lists: the old tests on the new code, and the new
// tests on the old code.
type Proofs struct {
	Tree    proof.Tree
	Mask    *personas.Mask
	When    string                   // OldTestsOn and so on; "" is off
	Instead string                   // what else can be done where the behaviour is to change, as a sentence goes on
	Warn    func(about, text string) // once in a run
}

// Shown is what running tests showed of some work.
type Shown struct {
	Findings []machine.Finding
	Lines    []string // of each command, for who reviews the work
}

// Off says whether nothing is asked.
func (ps Proofs) Off() bool { return ps.When == OldTestsOff || ps.When == "" }

// Ask gives what the answers mean for tasks that announce changes. What cannot be checked is said once in a run, and is no
// finding. The new tests of a whole phase were asked about with each task.
func (ps Proofs) Ask(ctx context.Context, q proof.Question, announcing []machine.Task) (Shown, error) {
	q.Announced, q.Believe = announced(q, announcing), ps.When == OldTestsAnnounced
	fresh := !q.Whole && q.HasNewTests()
	if ps.Off() || len(q.Commands) == 0 || q.Moot() && !fresh {
		return Shown{}, nil
	}
	var s Shown
	err := ps.open(ctx, q.Base)
	if err == nil {
		err = ps.askOld(ctx, q, &s)
	}
	if err == nil && fresh {
		err = ps.askNew(ctx, q, &s)
	}
	if ctx.Err() != nil {
		return Shown{}, &halt.InterruptedError{Cause: ctx.Err()}
	}
	return s, ps.told(err)
}

// open makes the clean working tree ready.
func (ps Proofs) open(ctx context.Context, base string) error {
	lacks, err := ps.Tree.Open(ctx, base)
	for _, l := range worktree.WithoutHooks(lacks) {
		ps.Warn(l.Text, l.Text)
	}
	return err
}

// told tells of a tree that is not ready; other errors are handed back.
func (ps Proofs) told(err error) error {
	if wrong, is := errors.AsType[*worktree.NotReadyError](err); is {
		ps.couldNot(wrong.Error())
		return nil
	}
	return err
}

func (ps Proofs) askOld(ctx context.Context, q proof.Question, s *Shown) error {
	answers, err := ps.Tree.OldTests(ctx, q)
	for i, a := range answers {
		v := q.Commands[i].Validation
		if s.Lines = append(s.Lines, oldLine(v.Command, a)); a.Verdict == proof.CouldNot {
			ps.couldNot(a.Why)
		} else if f, found := ps.ofOld(v, a); found {
			s.Findings = append(s.Findings, f)
		}
	}
	return err
}

func (ps Proofs) askNew(ctx context.Context, q proof.Question, s *Shown) error {
	answers, err := ps.Tree.NewTests(ctx, q)
	for i, a := range answers {
		v := q.Commands[i].Validation
		if line := newLine(v.Command, a); line != "" {
			s.Lines = append(s.Lines, line)
		}
		if a.Verdict == proof.Holds {
			s.Findings = append(s.Findings, ofNew(v, a))
		}
	}
	return err
}

// couldNot tells that the clean working tree is not ready, which says nothing of the work.
func (ps Proofs) couldNot(why string) {
	ps.Warn("old tests", "The old tests could not be run on the new code: "+why)
}
