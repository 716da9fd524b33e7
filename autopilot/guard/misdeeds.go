package guard

import (
	"context"

	"autopilot/personas"
)

// Misdeeds are what the end of the dispatch would put back, as far as it fails the attempt.
func (g Guard) Misdeeds(ctx context.Context, persona personas.Persona, w Snapshot) ([]string, error) {
	if err := g.OwnFolders(); err != nil {
		return []string{err.Error()}, nil //nolint:nilerr // the agent's to mend
	}
	if err := g.Facts.IgnoreMoves(ctx, &w.Guard, &w.Moves); err != nil {
		return nil, err
	}
	present, err := g.control(persona)
	if err != nil {
		return nil, err
	}
	rg := g.repoGuard(w)
	found, err := rg.ChangedControls(w.Control, present, g.isPaper)
	if err != nil {
		return nil, err
	}
	more, err := rg.ChangedUnseen(ctx, w.RepoSnapshot)
	return append(found, more...), err
}
