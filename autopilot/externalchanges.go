package autopilot

import (
	"context"
	"slices"
	"strings"

	"autopilot/autopilot/facts"
	"autopilot/autopilot/git"
	"autopilot/autopilot/machine"
	"autopilot/autopilot/words"
	"autopilot/autopilot/workspace"
)

// treeSnapshot is the working tree when a run ended, or asked.
type treeSnapshot struct {
	Gate   string           `json:"gate,omitempty"` // the question at which it ended, if any
	Kind   machine.GateKind `json:"kind,omitempty"`
	Run    int              `json:"run"`              // its number
	After  int              `json:"after"`            // how many dispatches there had been: a further one makes the note void
	ByHand bool             `json:"byHand,omitempty"` // what comes next in the tree is the work that the question waits for
	Files  []git.File       `json:"files"`            // every path that differed from HEAD
}

// lastTreeSnapshot reads it; where none was kept it is that of no run.
func (e *Engine) lastTreeSnapshot(ctx context.Context) (p treeSnapshot, err error) {
	_, err = e.facts().Get(ctx, facts.TreeAtEnd, &p)
	return p, err
}

// externalChanges lists what changed since the last run ended: a human's, except where the question asked for it. Beside a
// session that was just imported, everything is somebody else's.
func (e *Engine) externalChanges(ctx context.Context, s machine.State) ([]string, error) {
	if !e.KilledAt.IsZero() {
		return e.sinceKilled(ctx, s)
	}
	imported := s.IsImported && (s.Revision == 1 || s.Branch == "")
	p, err := e.lastTreeSnapshot(ctx)
	if err != nil {
		return nil, err
	}
	if !imported && (!p.isOf(s) || takesFixes(p.Kind) || p.ByHand || e.writtenByHand(s)) {
		return nil, nil
	}
	return e.changedBeside(ctx, s, p.Files)
}

// endedByBoot takes the start of the machine for the end of a run that was cut off with all that belonged to it, as by a
// power cut: what was written since is a human's.
func (e *Engine) endedByBoot(ctx context.Context, s machine.State) error {
	p, err := e.lastTreeSnapshot(ctx)
	if err != nil {
		return err
	}
	if at := e.Booted(); s.Runs > 0 && e.KilledAt.IsZero() && !p.isOf(s) && at.After(s.UpdatedAt) {
		e.KilledAt = at
	}
	return nil
}

// isOf says whether no agent was at work since: what it left behind is no human's. Older programs noted the question alone.
func (p treeSnapshot) isOf(s machine.State) bool {
	return p.Run > 0 && p.Run == s.Runs && p.After == s.Usage.Dispatches || s.Gate != nil && p.Gate == s.Gate.ID
}

// parkAt notes the working tree when a person at a terminal is asked: what changes until the answer is theirs.
func (e *Engine) parkAt(gate machine.Gate) {
	if e.parkedAt != gate.ID && e.noteTree(e.Journal.State()) {
		e.parkedAt = gate.ID
	}
}

// sinceAsked lists what changed since a person was asked, and says so.
func (e *Engine) sinceAsked(ctx context.Context, s machine.State) ([]string, error) {
	if s.Gate == nil || e.parkedAt != s.Gate.ID || takesFixes(s.Gate.Kind) || e.writtenByHand(s) {
		return nil, nil
	}
	p, err := e.lastTreeSnapshot(ctx)
	if err != nil {
		return nil, err
	}
	theirs, err := e.changedBeside(ctx, s, p.Files)
	if len(theirs) > 0 {
		e.Journal.Note("info", "Changed while the question was open, and left alone: "+strings.Join(words.FirstFew(theirs, 8), ", "))
	}
	return theirs, err
}

// changedBeside lists a human's changes beside those files.
func (e *Engine) changedBeside(ctx context.Context, s machine.State, files []git.File) ([]string, error) {
	status, err := e.Repo.Tree.Status(ctx)
	if err != nil {
		return nil, err
	}
	_, altered, err := e.Repo.Files.Altered(files)
	if err != nil {
		return nil, err
	}
	known := map[string]bool{}
	for _, f := range files {
		known[f.Path] = !slices.Contains(altered, f.Path)
	}
	var theirs []string
	for _, path := range git.Paths(status.Dirt) {
		if !known[path] && e.isUserFile(path, s) {
			theirs = append(theirs, path)
		}
	}
	return theirs, nil
}

// sinceKilled lists what was written after the last command of a killed run had ended: no agent could.
func (e *Engine) sinceKilled(ctx context.Context, s machine.State) ([]string, error) {
	status, err := e.Repo.Tree.Status(ctx)
	return slices.DeleteFunc(git.Paths(status.Dirt), func(path string) bool {
		return !e.isUserFile(path, s) || !git.ChangedAfter(workspace.InTree(e.Repo.Root(), path), e.KilledAt)
	}), err
}

// isUserFile says whether a changed file is a human's own business: neither a part of the session, nor left out already.
func (e *Engine) isUserFile(path string, s machine.State) bool {
	return path != s.SpecPath && path != workspace.ProjectFile && e.Plans().Inside(path) == "" && !slices.Contains(s.LeftOut, path)
}

// takesFixes says whether a gate has an option that takes what a human fixed by hand.
func takesFixes(kind machine.GateKind) bool {
	switch kind {
	case machine.GateTasksExhausted, machine.GateVerifyFailed, machine.GateReviewBlocking, machine.GateFinalBlocking, machine.GateCheckpoint:
		return true
	}
	return false
}

// park notes the working tree when a run ends: what is changed from then on is a human's. A run that never began, which is
// one whose number is still that of the run before, leaves the older note as it is; so does one that ends at a question.
func (e *Engine) park(before int) {
	s := e.Journal.State()
	if s.Runs == before || s.CurrentState == machine.Done || s.Gate != nil && s.Gate.ID == e.parkedAt {
		return
	}
	e.noteTree(s)
}

// noteTree notes the working tree, or says what follows where it cannot.
func (e *Engine) noteTree(s machine.State) bool {
	err := e.parkTree(context.Background(), s)
	if err != nil {
		e.Journal.Note("warning", "What is in the working tree could not be noted. Commit or stash what you change before the next run, else it counts as the agents' work: "+err.Error())
	}
	return err == nil
}

func (e *Engine) parkTree(ctx context.Context, s machine.State) error {
	p := treeSnapshot{Run: s.Runs, After: s.Usage.Dispatches, ByHand: e.writtenByHand(s)}
	why := "when the run ended"
	if s.Gate != nil {
		p.Gate, p.Kind, why = s.Gate.ID, s.Gate.Kind, "at gate "+s.Gate.ID
	}
	if err := e.Repo.Refs.Delete(ctx, e.ref("parked")); err != nil {
		return err
	}
	saved, err := e.Repo.Files.Save(ctx, e.ref("parked/tree"), "the working tree "+why, nil)
	if err != nil {
		return err
	}
	p.Files = saved.All()
	return e.facts().Keep(ctx, facts.TreeAtEnd, p)
}
