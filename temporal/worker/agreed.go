package worker

import (
	"context"
	"slices"

	"autopilot/autopilot/machine"
	"autopilot/cmd/app"
	"autopilot/cmd/console"
)

// unagreedError is what files of the repository run or reach, though the person who submitted the session did not agree to it.
type unagreedError struct{ entries []app.TrustEntry }

func (e *unagreedError) Error() string {
	return "files of the repository run or reach what nobody agreed to: " + app.TrustInShort(e.entries)
}

// agreed refuses to begin where somebody else than the session changed what files of the repository run or reach.
func agreed(ctx context.Context, h *console.Host, w *app.Workspace, s machine.State, hashes []string) error {
	if hashes == nil {
		return nil
	}
	list, err := app.TrustAnywhere(ctx, h, w.Work)
	if err != nil {
		return err
	}
	list = slices.DeleteFunc(list, func(e app.TrustEntry) bool { return slices.Contains(hashes, e.Hash()) })
	if len(list) == 0 {
		return nil
	}
	own, err := w.Changed(ctx, s, list)
	if err != nil {
		return err
	}
	list = slices.DeleteFunc(list, func(e app.TrustEntry) bool { return slices.Contains(own, e) })
	if len(list) > 0 {
		return &unagreedError{list}
	}
	return nil
}
