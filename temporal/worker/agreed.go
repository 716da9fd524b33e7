package worker

import (
	"context"
	"slices"

	"autopilot/autopilot/machine"
	"autopilot/cmd/app"
	"autopilot/cmd/console"
	"autopilot/temporal/flow"
)

// unagreedError is what others had files of the repository run or reach, though the person who submitted the session did not agree to it.
type unagreedError struct{ entries []app.TrustEntry }

func (e *unagreedError) Error() string {
	return "somebody changed what the repository's files run or reach, and nobody agreed to it: " + app.TrustInShort(e.entries)
}

// agreed refuses to begin where others than the session changed, since a person agreed, what files of the repository run or reach. What
// the session changes itself is checked as its work, and what follows from a clone, such as whether it has an environment, is no matter.
func agreed(ctx context.Context, h *console.Host, w *app.Workspace, s machine.State, job flow.Job) error {
	if job.AgreedAt == "" {
		return nil
	}
	list, err := app.TrustAnywhere(ctx, h, w.Work)
	if err != nil {
		return err
	}
	list = slices.DeleteFunc(list, func(e app.TrustEntry) bool { return slices.Contains(job.Agreed, e.Hash()) })
	if len(list) == 0 {
		return nil
	}
	if list, err = w.ChangedByOthers(ctx, s, job.AgreedAt, list); err != nil || len(list) == 0 {
		return err
	}
	return &unagreedError{list}
}
