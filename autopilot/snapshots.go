package autopilot

import (
	"context"
	"strings"

	"autopilot/autopilot/machine"
	"autopilot/autopilot/workspace"
)

// What a resume compares with, beside what was kept before dispatches and checks.
const (
	treeAtEnd  = "end"   // the working tree when the last run ended, or asked
	savedUsers = "users" // the user's uncommitted files, while lanes are at work
	ownMoves   = "moves" // how the program moved refs, while agents are at work
)

// snapshots lie where all working trees reach them: that of a lane may be gone.
func (e *Engine) snapshots() workspace.Snapshots {
	repo := e.Repo
	if e.main != nil {
		repo = e.main.Repo
	}
	return workspace.Snapshots{Repo: repo, Refs: e.ref("snap/")}
}

// keepFacts keeps facts under a name, and journals that. The other names that begin like its group are dropped.
func (e *Engine) keepFacts(ctx context.Context, name, group string, facts any) error {
	commit, err := e.snapshots().Write(ctx, e.NewID(), facts, nil)
	if err != nil {
		return err
	}
	return e.applyWith(func(string) (machine.Event, error) {
		ev := machine.Event{Type: machine.SnapshotTaken, Snapshots: machine.Snapshots{{Of: name, Commit: commit}}}
		for _, other := range e.state().Snapshots {
			if other.Of != name && strings.HasPrefix(other.Of, group) {
				ev.Snapshots = append(ev.Snapshots, machine.Snapshot{Of: other.Of})
			}
		}
		return ev, nil
	})
}

// readFacts reads facts that were kept under a name, and says whether there are some.
func (e *Engine) readFacts(ctx context.Context, name string, facts any) (bool, error) {
	commit := e.state().Snapshots.Of(name)
	if commit == "" {
		return false, nil
	}
	return true, e.snapshots().Read(ctx, commit, facts, nil)
}

// dropSnapshots deletes the refs of snapshots that nothing compares with any more.
func (e *Engine) dropSnapshots(ctx context.Context) error {
	var kept []string
	for _, s := range e.state().Snapshots {
		kept = append(kept, s.Commit)
	}
	return e.Repo.DropBlobs(ctx, e.ref("snap/"), kept)
}
