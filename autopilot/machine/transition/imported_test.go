package transition

import (
	"testing"

	"autopilot/autopilot/machine"
)

func TestImportedSessionGetsItsBranchWithItsFirstRun(t *testing.T) {
	first := fresh(machine.Standard, machine.Low, machine.Low)
	first.CurrentState, first.Step, first.IsImported, first.Branch, first.StartingCommit = machine.Assess, machine.StepLook, true, "", ""
	s, err := Apply(machine.State{}, machine.Event{Rev: 1, Type: machine.Imported, Initial: &first})
	if err != nil {
		t.Fatal(err)
	}
	for rev, e := range []machine.Event{{Branch: "work", Commit: "head"}, {Branch: "other", Commit: "later"}} {
		e.Rev, e.Type = int64(rev)+2, machine.RunStarted
		if s, err = Apply(s, e); err != nil {
			t.Fatal(err)
		}
	}
	if s.Branch != "work" || s.StartingCommit != "head" || s.Phases[0].StartCommit != "head" || s.Phases[1].StartCommit != "" {
		t.Errorf("branch %q from %q, phases from %q and %q", s.Branch, s.StartingCommit, s.Phases[0].StartCommit, s.Phases[1].StartCommit)
	}
}

func TestPhaseWithoutAHashCountsAsUnchanged(t *testing.T) {
	first := fresh(machine.Standard, machine.Low, machine.Low)
	first.CurrentState, first.Step, first.CurrentPhase, first.IsImported = machine.ApprovePlan, machine.StepWeigh, 1, true
	first.Phases[0].Status, first.Phases[1].PlanPath = machine.PhaseDone, "docs/plans/b.md"
	var now []machine.PhaseText
	for i := range first.Phases {
		p := &first.Phases[i]
		p.SpecSHA256 = ""
		now = append(now, machine.PhaseText{Number: p.Number, Name: p.Name, Complexity: p.Complexity, SHA256: "text " + p.Name})
	}
	s, err := Apply(machine.State{}, machine.Event{Rev: 1, Type: machine.Imported, Initial: &first})
	if err != nil {
		t.Fatal(err)
	}
	if s, err = Apply(s, machine.Event{Rev: 2, Type: machine.SpecReread, Spec: &machine.SpecRef{SHA256: "new"}, Phases: now}); err != nil {
		t.Fatal(err)
	}
	if s.Gate != nil || s.CurrentState != machine.ApprovePlan || s.Phases[1].Reread || s.Phases[1].SpecSHA256 != now[1].SHA256 || s.Spec.SHA256 != "new" {
		t.Errorf("%s with gate %v, phase %+v", s.CurrentState, s.Gate, s.Phases[1])
	}
}
