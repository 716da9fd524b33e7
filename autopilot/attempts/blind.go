package attempts

import (
	"context"
	"errors"

	"autopilot/autopilot/blind"
	"autopilot/autopilot/dispatch"
	"autopilot/autopilot/machine"
	"autopilot/personas"
)

// prepareBlind prepares the dispatch that writes checks from the spec alone. It works in an export of the code, and gets neither the
// session's folder nor the plan, notes or learnings.
func (ats Attempts) prepareBlind(ctx context.Context, step machine.Step, persona personas.Persona, submits bool) (personas.Dispatch, error) {
	s := ats.Journal.State()
	position, err := ats.Repo.Position(ctx)
	if err != nil {
		return personas.Dispatch{}, err
	}
	from := ats.Checks.Clean
	from.Making = nil // the caller already holds this lock
	if err := blind.Export(ctx, from, position.Head, ats.Export, ats.Plans.Dirs()); err != nil {
		return personas.Dispatch{}, err
	}
	attempt, err := ats.Records.AttemptDir(step.Phase, dispatch.FolderOf(step), step.Attempt)
	if err != nil {
		return personas.Dispatch{}, err
	}
	f, err := ats.facts(ctx, s, step)
	if err != nil {
		return personas.Dispatch{}, err
	}
	f.Window = ats.window(ctx, persona)
	by, o := ats.dispatcher(), dispatch.Order{ID: ats.NewID(), Persona: persona, Purpose: dispatch.PurposeOf(step), Key: dispatch.KeyOf(step), Attempt: attempt}
	by.Root = ats.Export
	d, err := by.Prepare(o, func(d personas.Dispatch) (personas.Brief, map[string]string, error) {
		b, err := dispatch.Briefs{Repo: ats.Repo, Dir: ats.Records.Dir(), Mask: ats.Mask}.Blind(s, step, d, f, ats.Export)
		b.Submits = submits
		return b, dispatch.Environment(s, step, "", ""), err
	})
	return d, errors.Join(err, by.Open(d))
}
