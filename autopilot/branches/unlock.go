package branches

import (
	"context"

	"autopilot/autopilot/git"
	"autopilot/autopilot/journal"
)

// UnlockRefs removes the locks that a killed git left on a ref of the program's own and on those below it, and says so.
// The caller holds what keeps other runs from these refs.
func UnlockRefs(ctx context.Context, repo *git.Repo, prefix string, report journal.Reporter) error {
	refs, err := repo.Refs.Unlock(ctx, prefix)
	for _, ref := range refs {
		report.Report(journal.Note{Event: "info", Text: "A git that was killed left a lock on " + ref + "; autopilot removed it."})
	}
	return err
}
