package checks

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"autopilot/autopilot/changes"
	"autopilot/autopilot/halt"
	"autopilot/autopilot/machine"
	"autopilot/autopilot/proof"
	"autopilot/autopilot/validate"
	"autopilot/autopilot/worktree"
)

// Whether the old tests are run on the new code, as integrity.old_tests has it.
const (
	OldTestsOn        = "on"
	OldTestsAnnounced = "announced" // what the plan announces is believed
	OldTestsOff       = "off"
)

// Old asks the old tests whether the work still does what they want, in a working tree of its own: the commands that passed
// are run once more there, on the work with all that judges as it was before. Where tests were merely added that is asked of a
// whole phase alone. What cannot be checked is said once in a run, and is no finding.
func (cs Checks) Old(ctx context.Context, made changes.Work, list []validate.Validation, passed []machine.Check, whole bool) ([]machine.Finding, error) {
	if cs.OldTests == OldTestsOff || cs.OldTests == "" {
		return nil, nil
	}
	q := cs.question(made, list, passed)
	q.Whole = whole
	if len(q.Commands) == 0 || q.Moot() {
		return nil, nil
	}
	if err := cs.openClean(ctx, q.Base); err != nil {
		return nil, cs.couldNot(err)
	}
	answers, err := cs.Clean.OldTests(ctx, q)
	if ctx.Err() != nil {
		return nil, &halt.InterruptedError{Cause: ctx.Err()}
	}
	if err != nil {
		return nil, cs.couldNot(err)
	}
	var findings []machine.Finding
	for i, a := range answers {
		if a.Verdict == proof.CouldNot {
			_ = cs.couldNot(&worktree.NotReadyError{Err: errors.New(a.Why)})
			continue
		}
		if f, found := cs.findingOf(q.Commands[i].Validation, a, a.Announced); found {
			findings = append(findings, f)
		}
	}
	return findings, nil
}

// question is what is asked, of the commands that passed.
func (cs Checks) question(made changes.Work, list []validate.Validation, passed []machine.Check) proof.Question {
	q := proof.Question{Base: made.Base, Scripts: map[string]bool{}}
	for _, c := range made.Changes {
		q.Changes = append(q.Changes, proof.Change{Path: c.Path, Old: c.OldPath, New: c.Status == 'A'})
	}
	for _, v := range validate.Distinct(list) {
		for _, c := range passed {
			if c.Command == v.Command && sameDir(c.Dir, v.Dir) && c.Outcome == machine.CheckPassed {
				command := proof.Command{Validation: v}
				if c.Tests != nil {
					command.Ran = c.Tests.Ran
				}
				q.Commands = append(q.Commands, command)
			}
		}
	}
	for _, script := range cs.Scripts(made.Changes) {
		q.Scripts[script] = !slices.Contains(q.Changes, proof.Change{Path: script, New: true}) // a new one decided nothing before
	}
	q.Announced, q.Believe = announced(q, made.Announcing), cs.OldTests == OldTestsAnnounced
	return q
}

// announced lists what judges and the plan announces the change of. What builds as well, and what the commands run, it has to
// name itself.
func announced(q proof.Question, announcing []machine.Task) []string {
	allowed, swap := allowedBy(announcing), proof.Old(q.Changes, q.Scripts, true)
	return slices.DeleteFunc(slices.Concat(swap.Back, swap.Out), func(path string) bool {
		if proof.RoleOf(path) == proof.Both || q.Scripts[path] {
			return !slices.Contains(allowed.ChangesTests, path)
		}
		return !allowed.AnnouncesTest(path)
	})
}

func (cs Checks) openClean(ctx context.Context, base string) error {
	lacks, err := cs.Clean.Open(ctx, base)
	for _, l := range worktree.WithoutHooks(lacks) {
		if cs.Journal.WarnOnce(l.Text) {
			cs.Journal.Note("warning", l.Text)
		}
	}
	return err
}

// couldNot tells once in a run that the clean working tree is not ready, which says nothing of the work. Other errors are
// handed back.
func (cs Checks) couldNot(err error) error {
	wrong, is := errors.AsType[*worktree.NotReadyError](err)
	if is && cs.Journal.WarnOnce("old tests") {
		cs.Journal.Note("warning", "The old tests could not be run on the new code: "+wrong.Error())
	}
	if is {
		return nil
	}
	return err
}

// findingOf says what an answer means. What the plan announces blocks nothing.
func (cs Checks) findingOf(v validate.Validation, a proof.Answer, announced bool) (machine.Finding, bool) {
	f := machine.Finding{Source: "integrity", Command: v.Command, Dir: v.Dir}
	switch a.Verdict {
	case proof.Broken:
		f.Severity, f.Title, f.Unproven = machine.Critical, "what passed before fails now", !announced
		if len(a.Tests) > 0 {
			f.Title += ": " + validate.Named(a.Tests)
		}
		f.Rationale = fmt.Sprintf("%s, with the tests as they were before and the code as it is now, fails. Restore the behaviour, or name the sentence of the spec that wants the change.", v.Command)
	case proof.Unbuilt:
		f.Severity, f.Title = machine.Important, "the tests of before cannot be run on the code"
		f.Rationale = fmt.Sprintf("%s, with the tests as they were before and the code as it is now, does not build, or does not find what was renamed.", v.Command)
	default:
		return f, false
	}
	f.Rationale += "\n" + strings.TrimSpace(cs.Mask.Shorten(a.Now.Output, MaxDetail))
	if announced {
		f.Severity = machine.Suggestion
	}
	return f, true
}
