package checks

import (
	"context"
	"slices"
	"time"

	"autopilot/autopilot/changes"
	"autopilot/autopilot/machine"
	"autopilot/autopilot/proof"
	"autopilot/autopilot/validate"
)

// Whether the old tests are run on the new code, as integrity.old_tests has it.
const (
	OldTestsOn        = "on"
	OldTestsAnnounced = "announced" // what the plan announces is believed
	OldTestsOff       = "off"
)

// Prove runs the commands that passed once more, in a working tree of its own: on the work with all that judges as it was before,
// and with its new tests on the code of before. Where tests were merely added the first is asked of a whole phase alone.
func (cs Checks) Prove(ctx context.Context, made changes.Work, list []validate.Validation, passed []machine.Check, whole bool) (Shown, error) {
	q := cs.question(made, list, passed)
	q.Whole = whole
	return cs.proofs().Ask(ctx, q, made.Announcing)
}

// proofs are those of the session.
func (cs Checks) proofs() Proofs {
	return Proofs{Tree: cs.Clean, Mask: cs.Mask, When: cs.OldTests, Instead: "name the sentence of the spec that wants the change", Warn: cs.warn}
}

func (cs Checks) warn(about, text string) {
	if cs.Journal.WarnOnce(about) {
		cs.Journal.Note("warning", text)
	}
}

// question is what is asked, of the commands that passed.
func (cs Checks) question(made changes.Work, list []validate.Validation, passed []machine.Check) proof.Question {
	q := proof.About(made.Base, made.Changes, cs.Scripts(made.Changes))
	for _, v := range validate.Distinct(list) {
		for _, c := range passed {
			if c.Command == v.Command && sameDir(c.Dir, v.Dir) && c.Outcome == machine.CheckPassed {
				command := proof.Command{Validation: v, Took: time.Duration(c.Seconds * float64(time.Second))}
				if c.Tests != nil {
					command.Ran = c.Tests.Ran
				}
				q.Commands = append(q.Commands, command)
			}
		}
	}
	return q
}

// announced lists what judges and the plan announces the change of.
func announced(q proof.Question, announcing []machine.Task) []string {
	allowed, swap := allowedBy(announcing), proof.Old(q.Changes, q.Scripts, true)
	return slices.DeleteFunc(slices.Concat(swap.Back, swap.Out), func(path string) bool { return !allowed.AnnouncesTest(path) })
}
