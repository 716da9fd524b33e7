package attempts

import (
	"cmp"
	"context"
	"path/filepath"

	"autopilot/autopilot/dispatch"
	"autopilot/autopilot/machine"
	"autopilot/autopilot/workspace"
	"autopilot/personas"
)

// dispatcher prepares attempts in the engine's working tree.
func (ats Attempts) dispatcher() dispatch.Dispatcher {
	return dispatch.Dispatcher{
		Root: ats.Repo.Root(), Mask: ats.Mask, LockFile: ats.LockFile, Tell: ats.Journal.Detail,
		Idle: ats.Settings.Idle, Timeout: ats.Settings.Timeout, Turns: ats.Settings.Turns,
	}
}

// Prepare makes the order for a backend, with a last change to the brief.
func (ats Attempts) Prepare(ctx context.Context, step machine.Step, persona personas.Persona, change func(*personas.Brief)) (personas.Dispatch, error) {
	s := ats.Journal.State()
	attempts, err := ats.Records.AttemptDir(step.Phase, dispatch.FolderOf(step), step.Attempt)
	if err != nil {
		return personas.Dispatch{}, err
	}
	o := dispatch.Order{
		ID: ats.NewID(), Persona: persona, Purpose: dispatch.PurposeOf(step), Key: dispatch.KeyOf(step),
		Session: ats.Records.Dir(), Attempt: attempts, Spec: filepath.Join(ats.Records.Dir(), "spec.md"), Notes: s.RigorLevel != machine.Fast,
	}
	for _, dir := range ats.Plans.Dirs() {
		o.PlanDirs = append(o.PlanDirs, workspace.InTree(ats.Repo.Root(), dir))
	}
	return ats.dispatcher().Prepare(o, func(d personas.Dispatch) (personas.Brief, map[string]string, error) {
		brief, err := ats.brief(ctx, step, d)
		if err != nil {
			return brief, nil, err
		}
		change(&brief)
		plan := cmp.Or(brief.PlanSuggestedPath, brief.PlanPath)
		if plan != "" {
			plan = workspace.InTree(ats.Repo.Root(), plan)
		}
		base, err := ats.baseOf(ctx, step, brief)
		return brief, dispatch.Environment(s, step, base, plan), err
	})
}

// baseOf is the commit that the work of a dispatch starts at, also where it judged a part before: where its phase begins, while
// nothing was done yet.
func (ats Attempts) baseOf(ctx context.Context, step machine.Step, b personas.Brief) (string, error) {
	if b.Earlier != nil {
		return b.Earlier.Base, nil
	}
	if b.Base != "" || step.Phase == 0 {
		return b.Base, nil
	}
	if start := ats.Journal.State().Phases[step.Phase-1].StartCommit; start != "" {
		return start, nil
	}
	position, err := ats.Repo.Position(ctx)
	return position.Head, err
}

// open makes the folder that the agent may write to. The journal knows the dispatch by then, so that none is left behind which
// no resumed run would remove.
func (ats Attempts) open(step machine.Step, d personas.Dispatch) error {
	if step.Purpose == machine.BlindPurpose {
		return nil // prepareBlind opened it
	}
	if err := ats.dispatcher().Open(d); err != nil || d.ScratchpadDir == "" {
		return err
	}
	return ats.Records.FillScratchpad(step.Phase, d.OutDir)
}
