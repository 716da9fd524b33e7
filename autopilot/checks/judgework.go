package checks

import (
	"context"
	"slices"

	"autopilot/autopilot/changes"
	"autopilot/autopilot/git"
	"autopilot/autopilot/machine"
	"autopilot/autopilot/workspace"
)

// JudgeWork is what a task's changes show by themselves, in a Still context.
func (cs Checks) JudgeWork(ctx context.Context, t machine.Task, made changes.Work) ([]machine.Finding, error) {
	findings, err := cs.Integrity(ctx, made.Changes, made.Base, made.Announcing)
	if err != nil {
		return nil, err
	}
	findings = withoutStrays(findings, git.Paths(cs.Large(made.Changes))) // a person is asked about those
	findings = folded(explained(findings, t.Concerns))
	if len(made.Changes) == 0 && !made.Committed && !t.FilesNone {
		why := "an empty diff is not a completed task"
		if t.PassesBefore() {
			why += "; where it was done before, say in your summary what shows it"
		}
		findings = append(findings, machine.Finding{Severity: machine.Critical, Title: machine.NothingChanged, Rationale: why, Source: "check"})
	}
	lost, err := cs.Changes.Uncommittable(ctx, t, made.Changes)
	if err != nil {
		return nil, err
	}
	status, err := cs.Repo.Tree.Status(ctx)
	for _, f := range status.Refused {
		severity := machine.Important
		if slices.Contains(t.Files, f.Path) { // it is the work, or a part of it
			severity = machine.Critical
		}
		findings = append(findings, workspace.Integrity(severity, "left out of the commit", f.Why, f.Path))
	}
	return append(findings, lost...), err
}
