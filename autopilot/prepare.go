package autopilot

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
func (e *Engine) dispatcher() dispatch.Dispatcher {
	return dispatch.Dispatcher{
		Root: e.Repo.Root(), Mask: e.Mask, LockFile: e.LockFile, Tell: e.Journal.Detail,
		Idle: e.Settings.Idle, Timeout: e.Settings.Dispatch, Turns: e.Settings.Turns,
	}
}

// prepare makes the order for a backend, with a last change to the brief.
func (e *Engine) prepare(ctx context.Context, step machine.Step, persona personas.Persona, change func(*personas.Brief)) (personas.Dispatch, error) {
	s := e.Journal.State()
	attempts, err := e.Records.AttemptDir(step.Phase, dispatch.FolderOf(step), step.Attempt)
	if err != nil {
		return personas.Dispatch{}, err
	}
	o := dispatch.Order{
		ID: e.NewID(), Persona: persona, Purpose: dispatch.PurposeOf(step), Key: dispatch.KeyOf(step),
		Session: e.Records.Dir(), Attempt: attempts, Spec: filepath.Join(e.Records.Dir(), "spec.md"), Notes: s.RigorLevel != machine.Fast,
	}
	for _, dir := range e.Plans().Dirs() {
		o.PlanDirs = append(o.PlanDirs, workspace.InTree(e.Repo.Root(), dir))
	}
	return e.dispatcher().Prepare(o, func(d personas.Dispatch) (personas.Brief, map[string]string, error) {
		brief, err := e.brief(ctx, step, d)
		if err != nil {
			return brief, nil, err
		}
		change(&brief)
		plan := cmp.Or(brief.PlanSuggestedPath, brief.PlanPath)
		if plan != "" {
			plan = workspace.InTree(e.Repo.Root(), plan)
		}
		base, err := e.baseOf(ctx, step, brief)
		return brief, dispatch.Environment(s, step, base, plan), err
	})
}

// baseOf is the commit that the diff of a dispatch starts at: where its phase begins, while nothing was done yet.
func (e *Engine) baseOf(ctx context.Context, step machine.Step, b personas.Brief) (string, error) {
	if b.Base != "" || step.Phase == 0 {
		return b.Base, nil
	}
	if start := e.Journal.State().Phases[step.Phase-1].StartCommit; start != "" {
		return start, nil
	}
	position, err := e.Repo.Position(ctx)
	return position.Head, err
}

// open makes the folder that the agent may write to. The journal knows the dispatch by then, so that none is left behind which
// no resumed run would remove.
func (e *Engine) open(step machine.Step, d personas.Dispatch) error {
	if err := e.dispatcher().Open(d); err != nil || d.ScratchpadDir == "" {
		return err
	}
	return e.Records.FillScratchpad(step.Phase, d.OutDir)
}
