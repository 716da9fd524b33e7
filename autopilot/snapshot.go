package autopilot

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"autopilot/autopilot/git"
	"autopilot/autopilot/machine"
	"autopilot/autopilot/workspace"
	"autopilot/personas"
)

// snapshot is the repository and the files that a persona has no business with, as they were before a dispatch. The event
// that announces the dispatch names its commit, so that a resumed process can still compare.
type snapshot struct {
	workspace.RepoSnapshot
	ID     string   `json:"id"`
	Phase  int      `json:"phase"`            // 1-based; 0 in the final review
	Task   string   `json:"task"`             // the task, or the purpose of a dispatch without one
	Base   string   `json:"base"`             // HEAD
	Moves  int      `json:"moves,omitempty"`  // how often the program had moved refs
	Dirty  []string `json:"dirty"`            // every path that differed from HEAD
	Nested []string `json:"nested,omitempty"` // repositories inside this one

	commit  string    // that keeps it
	ended   time.Time // when nothing of the dispatch was left whose run was killed; zero: not known
	unclear bool      // it was cut off, and nobody knows when
}

// restored is what putting the repository right after a dispatch found.
type restored struct {
	findings   []machine.Finding
	byProducts []string
	claimed    []string        // what the executor made or changed of what its task announces
	failed     []machine.Check // by which an agent gave up
	moved      bool            // the working tree is no longer as it was looked at
	seen       *git.Seen       // what was looked at since
}

func (s *restored) add(severity, title, rationale, file string) {
	s.findings = append(s.findings, workspace.Integrity(severity, title, rationale, file))
}

// snapshot saves what is uncommitted, the user's files among it, and remembers where everything stands. Its context is a
// Still one: saving writes beside the working tree.
func (e *Engine) captureBaseline(ctx context.Context, d personas.Dispatch, persona personas.Persona) (snapshot, error) {
	s := e.Journal.State()
	w := snapshot{ID: d.ID, Phase: d.Key.Phase, Task: d.Key.Task}
	control := alongside(e.reading(persona))
	defer control() //nolint:errcheck // no reader outlives this
	status, err := e.Repo.Tree.Status(ctx)
	if err != nil {
		return w, err
	}
	w.Dirty, w.Nested = git.Paths(status.Dirt), status.Nested
	if w.Saved, err = e.save(ctx, d.ID, w.Dirty); err != nil {
		return w, err
	}
	for _, f := range w.Saved.LeftOut {
		e.Journal.Note("info", fmt.Sprintf("Too large to be saved before the dispatch: %s", f.Path))
	}
	var mine []git.File
	for _, f := range w.Saved.All() {
		if slices.Contains(s.LeftOut, f.Path) || persona.ReadOnly() && !e.changes().IsByProduct(f.Path, s.Tasks) {
			mine = append(mine, f)
		}
	}
	if w.Guard, err = e.Repo.Guards.Watch(ctx, mine); err != nil {
		return w, err
	}
	w.Base = w.Guard.Head
	if w.Moves, err = e.facts().CountMoves(ctx); err != nil {
		return w, err
	}
	w.Common = e.Repo.CommonDir()
	if w.Control, err = control(); err != nil {
		return w, err
	}
	if w.Steering, err = e.steering(); err != nil {
		return w, err
	}
	if w.Hidden, err = workspace.Hidden(ctx, e.Repo); err != nil {
		return w, err
	}
	w.commit, err = e.facts().Write(ctx, w.ID, &w, &w.RepoSnapshot)
	return w, err
}

// named is the snapshot as the event that announces its dispatch names it.
func (w snapshot) named() machine.Snapshots { return machine.Snapshots{{Of: w.ID, Commit: w.commit}} }

// alongside begins something that only reads; what it returns waits for it.
func alongside[T any](read func() (T, error)) (wait func() (T, error)) {
	wait = sync.OnceValues(read)
	go wait() //nolint:errcheck // who waits is told
	return wait
}

// save saves what is uncommitted under a ref of its own. Where it is as it was before the last dispatch, that save
// serves again: somebody's folder of untracked data is not copied for each dispatch.
func (e *Engine) save(ctx context.Context, id string, dirty []string) (git.Saved, error) {
	if len(dirty) > 0 && e.saved.Ref != "" && slices.Equal(e.savedDirty, dirty) && e.Repo.History.Exists(ctx, e.saved.Ref) {
		deleted, altered, err := e.Repo.Files.Altered(e.saved.All())
		if err == nil && len(deleted)+len(altered) == 0 {
			return e.saved, nil
		}
	}
	saved, err := e.Repo.Files.Save(ctx, e.ref(fmt.Sprintf("user/%d", e.Journal.State().Usage.Dispatches+1)), "before dispatch "+id, dirty)
	e.saved, e.savedDirty = saved, dirty
	return saved, err
}

// lastSnapshot reads what was kept before a dispatch that was cut off.
func (e *Engine) lastSnapshot(ctx context.Context, id string) (snapshot, error) {
	var w snapshot
	commit := e.Journal.State().Snapshots.Of(id)
	if commit == "" {
		return w, nil
	}
	err := e.facts().Read(ctx, commit, &w, &w.RepoSnapshot)
	w.MovedTo(e.Repo.CommonDir())
	return w, err
}

// restore compares the repository with what it was and puts right what a persona may not do: branch, HEAD, index and
// refs, the user's files, control files, plans, and for a read-only persona the working tree.
func (e *Engine) restore(ctx context.Context, w snapshot, persona personas.Persona) (restored, error) {
	var found restored
	if w.ID == "" {
		return found, nil
	}
	if _, err := os.Stat(e.Repo.CommonDir()); os.IsNotExist(err) { // nothing is put back into an empty place
		return found, fmt.Errorf("the repository is no longer at %s: its folder was moved or removed while an agent was at work. Run the same command where it is now", filepath.Dir(e.Harness))
	}
	control := alongside(e.reading(persona))
	defer control() //nolint:errcheck // no reader outlives this
	if err := e.restorePrograms(ctx, w, &found); err != nil {
		return found, err
	}
	still := git.Still(ctx)
	unseen, broken := workspace.Hidden(still, e.Repo) // before git is made to see them again
	if err := errors.Join(e.restoreSteering(ctx, w, &found), e.restoreControl(w, control, &found)); err != nil {
		return found, err
	}
	if broken != nil {
		var err error
		if unseen, err = workspace.Hidden(ctx, e.Repo); err != nil {
			return found, err
		}
	}
	steered, aside, err := e.guarding(w).PutHiddenBack(ctx, w.Hidden, unseen)
	found.findings, found.byProducts = append(found.findings, steered...), append(found.byProducts, aside...)
	if err != nil {
		return found, err
	}
	if err := e.restoreGit(ctx, w, persona, &found); err != nil {
		return found, err
	}
	if found.moved || len(found.findings)+len(found.byProducts) > 0 {
		still = git.Still(ctx)
	}
	if err := e.undo(still, w, persona, &found); err != nil || !persona.Allows(personas.MayWrite) {
		return found, err
	}
	if found.moved {
		still = git.Still(ctx)
	}
	found.claimed, err = e.changes().Claimed(still, w.Task, w.Saved, w.Dirty)
	found.seen = git.SeenIn(still)
	return found, err
}

// restoreGit puts branch, HEAD, index and refs back, and the user's deleted files.
func (e *Engine) restoreGit(ctx context.Context, w snapshot, persona personas.Persona, found *restored) error {
	if err := e.facts().IgnoreMoves(ctx, &w.Guard, &w.Moves); err != nil {
		return err
	}
	g := e.guarding(w)
	undone, met, err := g.PutGitBack(ctx, w.Guard)
	if err != nil || met.None() {
		return err
	}
	found.moved = true
	if err := e.facts().AddPutBack(ctx, met.Refs); err != nil {
		return err
	}
	altered := slices.DeleteFunc(met.UserAltered, func(path string) bool { // what a reader altered is undone later
		return !persona.Allows(personas.MayWrite) && !slices.Contains(e.Journal.State().LeftOut, path)
	})
	found.findings = slices.Concat(found.findings, undone, g.RestoreUserFiles(ctx, w.Saved, met.UserDeleted, altered))
	return nil
}

// acceptSince takes what came after the agent of a killed run had ended for what it must leave as it is.
func (e *Engine) acceptSince(ctx context.Context, w *snapshot, persona personas.Persona) error {
	if w.ID == "" || e.KilledAt.IsZero() || !e.Repo.Stands() {
		return nil
	}
	control, err := e.control(persona)
	if err != nil {
		return err
	}
	unseen, err := workspace.Hidden(ctx, e.Repo)
	if err != nil {
		return nil //nolint:nilerr // what steers git is put back first, and then it is looked for again
	}
	if err := e.facts().IgnoreMoves(ctx, &w.Guard, &w.Moves); err != nil {
		return err
	}
	g := e.guarding(*w)
	w.ended = e.KilledAt
	g.Ended = w.ended
	return g.Accept(ctx, &w.RepoSnapshot, control, unseen)
}

// guarding is how what a dispatch did is put right.
func (e *Engine) guarding(w snapshot) workspace.RepoGuard {
	return workspace.RepoGuard{
		Repo: e.Repo, Home: filepath.Dir(e.Harness), Dispatch: w.ID, Kept: e.ref("undone/" + w.ID), Who: "the agent",
		Blame: func() (string, string) { return e.atWork.blame(w.ID) }, Ended: w.ended, Unclear: w.unclear,
	}
}
