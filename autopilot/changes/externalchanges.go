package changes

import (
	"context"
	"slices"

	"autopilot/autopilot/facts"
	"autopilot/autopilot/git"
	"autopilot/autopilot/machine"
	"autopilot/autopilot/plainfile"
	"autopilot/autopilot/workspace"
)

// End is the working tree when a run ended, or asked.
type End struct {
	Gate   string           `json:"gate,omitempty"` // the question at which it ended, if any
	Kind   machine.GateKind `json:"kind,omitempty"`
	Run    int              `json:"run"`              // its number
	After  int              `json:"after"`            // how many dispatches there had been: a further one makes the note void
	ByHand bool             `json:"byHand,omitempty"` // what comes next in the tree is the work that the question waits for
	Files  []git.File       `json:"files"`            // every path that differed from HEAD
}

// AtEnd reads it; where none was kept it is that of no run.
func (cs Changes) AtEnd(ctx context.Context) (p End, err error) {
	_, err = cs.Facts.Get(ctx, facts.TreeAtEnd, &p)
	return p, err
}

// External lists what changed since the last run ended: a human's, except where the question asked for it. Beside a
// session that was just imported, everything is somebody else's.
func (cs Changes) External(ctx context.Context, s machine.State) ([]string, error) {
	if !cs.KilledAt.IsZero() {
		return cs.sinceKilled(ctx, s)
	}
	imported := s.IsImported && (s.Revision == 1 || s.Branch == "")
	p, err := cs.AtEnd(ctx)
	if err != nil {
		return nil, err
	}
	if !imported && (!p.IsOf(s) || TakesFixes(p.Kind) || p.ByHand || cs.ByHand(s)) {
		return nil, nil
	}
	return cs.Beside(ctx, s, p.Files)
}

// IsOf says whether no agent was at work since: what it left behind is no human's. Older programs noted the question alone.
func (p End) IsOf(s machine.State) bool {
	return p.Run > 0 && p.Run == s.Runs && p.After == s.Usage.Dispatches || s.Gate != nil && p.Gate == s.Gate.ID
}

// Beside lists a human's changes beside those files.
func (cs Changes) Beside(ctx context.Context, s machine.State, files []git.File) ([]string, error) {
	status, err := cs.Repo.Tree.Status(ctx)
	if err != nil {
		return nil, err
	}
	unchanged, err := cs.Repo.Files.Unchanged(files)
	if err != nil {
		return nil, err
	}
	known := map[string]bool{} // a list would take quadratic time
	for _, path := range unchanged {
		known[path] = true
	}
	return slices.DeleteFunc(git.Paths(status.Dirt), func(path string) bool { return known[path] || !cs.isUsers(path, s) }), nil
}

// sinceKilled lists what was written after the last command of a killed run had ended: no agent could.
func (cs Changes) sinceKilled(ctx context.Context, s machine.State) ([]string, error) {
	status, err := cs.Repo.Tree.Status(ctx)
	return slices.DeleteFunc(git.Paths(status.Dirt), func(path string) bool {
		return !cs.isUsers(path, s) || !plainfile.ChangedAfter(workspace.InTree(cs.Repo.Root(), path), cs.KilledAt)
	}), err
}

// isUsers says whether what changed while nobody was at work is the user's, and not known as such: all but the session's own, and
// drafts of plans, which are made while nobody is at work.
func (cs Changes) isUsers(path string, s machine.State) bool {
	return !cs.isSessions(path, s) && !cs.Plans.IsDraft(path) && !slices.Contains(s.LeftOut, path)
}

// TakesFixes says whether a gate has an option that takes what a human fixed by hand.
func TakesFixes(kind machine.GateKind) bool {
	switch kind {
	case machine.GateTasksExhausted, machine.GateVerifyFailed, machine.GateReviewBlocking, machine.GateFinalBlocking, machine.GateCheckpoint:
		return true
	}
	return false
}

// KeepEnd keeps what the working tree is now that a run ends, or asks. Of paths, which are all where it is nil, what differs from HEAD is
// the session's.
func (cs Changes) KeepEnd(ctx context.Context, s machine.State, paths []string) error {
	p := End{Run: s.Runs, After: s.Usage.Dispatches, ByHand: cs.ByHand(s)}
	why := "when the run ended"
	if s.Gate != nil {
		p.Gate, p.Kind, why = s.Gate.ID, s.Gate.Kind, "at gate "+s.Gate.ID
	}
	if err := cs.Repo.Refs.Delete(ctx, cs.ref("parked")); err != nil {
		return err
	}
	saved, err := cs.Repo.Files.Save(ctx, cs.ref("parked/tree"), "the working tree "+why, paths)
	if err != nil {
		return err
	}
	p.Files = saved.All()
	return cs.Facts.Keep(ctx, facts.TreeAtEnd, p)
}
