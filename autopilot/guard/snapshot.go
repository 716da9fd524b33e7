package guard

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"autopilot/autopilot/git"
	"autopilot/autopilot/git/refs"
	"autopilot/autopilot/machine"
	"autopilot/autopilot/workspace"
	"autopilot/personas"
)

// Snapshot is the repository and the files that a persona has no business with, as they were before a dispatch. The event
// that announces the dispatch names its commit, so that a resumed process can still compare.
type Snapshot struct {
	workspace.RepoSnapshot
	ID     string   `json:"id"`
	Phase  int      `json:"phase"`            // 1-based; 0 in the final review
	Task   string   `json:"task"`             // the task, or the purpose of a dispatch without one
	Base   string   `json:"base"`             // HEAD
	Moves  int      `json:"moves,omitempty"`  // how often the program had moved refs
	Dirty  []string `json:"dirty"`            // every path that differed from HEAD
	Nested []string `json:"nested,omitempty"` // repositories inside this one

	commit  string    // that keeps it
	Ended   time.Time `json:"-"` // when nothing of the dispatch was left whose run was killed; zero: not known
	Unclear bool      `json:"-"` // it was cut off, and nobody knows when
	Foreign bool      `json:"-"` // it was taken in another clone of the repository
}

// Capture saves what is uncommitted, the user's files among it, and remembers where everything stands. Its context is a
// Still one: saving writes beside the working tree.
func (g Guard) Capture(ctx context.Context, d personas.Dispatch, persona personas.Persona) (Snapshot, error) {
	s := g.Journal.State()
	w := Snapshot{ID: d.ID, Phase: d.Key.Phase, Task: d.Key.Task}
	status, err := g.Repo.Tree.Status(ctx)
	if err != nil {
		return w, err
	}
	w.Dirty, w.Nested = git.Paths(status.Dirt), status.Nested
	if w.Saved, err = g.save(ctx, d.ID, w.Dirty); err != nil {
		return w, err
	}
	for _, f := range w.Saved.LeftOut {
		g.Journal.Note("info", fmt.Sprintf("Too large to be saved before the dispatch: %s", f.Path))
	}
	var mine []git.File
	for _, f := range w.Saved.All() {
		if slices.Contains(s.LeftOut, f.Path) || persona.ReadOnly() && !g.Changes.IsByProduct(f.Path, s.Tasks) {
			mine = append(mine, f)
		}
	}
	if w.Guard, err = refs.Of(g.Repo).Watch(ctx, g.ref(""), mine); err != nil {
		return w, err
	}
	w.Base = w.Guard.Head
	if w.Moves, err = g.Facts.CountMoves(ctx); err != nil {
		return w, err
	}
	w.Common, w.Home = g.Repo.CommonDir(), g.AtWork.homeFiles(g.Repo)
	if w.Control, err = g.control(persona); err != nil {
		return w, err
	}
	if w.Steering, err = g.steering(); err != nil {
		return w, err
	}
	if w.Hidden, err = workspace.Hidden(ctx, g.Repo); err != nil {
		return w, err
	}
	w.commit, err = g.Facts.Write(ctx, w.ID, &w, &w.RepoSnapshot)
	return w, err
}

// Named is the snapshot as the event that announces its dispatch names it.
func (w Snapshot) Named() machine.Snapshots { return machine.Snapshots{{Of: w.ID, Commit: w.commit}} }

// save saves what is uncommitted under a ref of its own. Where it is as it was before the last dispatch, that save
// serves again: somebody's folder of untracked data is not copied for each dispatch.
func (g Guard) save(ctx context.Context, id string, dirty []string) (git.Saved, error) {
	if len(dirty) > 0 && g.Saved.saved.Ref != "" && slices.Equal(g.Saved.dirty, dirty) && g.Repo.History.Exists(ctx, g.Saved.saved.Ref) {
		deleted, altered, err := g.Repo.Files.Altered(g.Saved.saved.All())
		if err == nil && len(deleted)+len(altered) == 0 {
			return g.Saved.saved, nil
		}
	}
	saved, err := g.Repo.Files.Save(ctx, g.ref(fmt.Sprintf("user/%d", g.Journal.State().Usage.Dispatches+1)), "before dispatch "+id, dirty)
	g.Saved.saved, g.Saved.dirty = saved, dirty
	return saved, err
}

// Last reads what was kept before a dispatch that was cut off.
func (g Guard) Last(ctx context.Context, id string) (Snapshot, error) {
	var w Snapshot
	commit := g.Journal.State().Snapshots.Of(id)
	if commit == "" {
		return w, nil
	}
	err := g.Facts.Read(ctx, commit, &w, &w.RepoSnapshot)
	w.Foreign = err == nil && w.Common != g.Repo.CommonDir() && !refs.Of(g.Repo).Has(w.Guard)
	w.MovedTo(g.Repo.CommonDir())
	return w, err
}

// restore compares the repository with what it was and puts right what a persona may not do: branch, HEAD, index and
// refs, the user's files, control files, plans, and for a read-only persona the working tree.
func (g Guard) restore(ctx context.Context, w Snapshot, persona personas.Persona) (Found, error) {
	var found Found
	if w.ID == "" {
		return found, nil
	}
	if _, err := os.Stat(g.Repo.CommonDir()); os.IsNotExist(err) { // nothing is put back into an empty place
		return found, fmt.Errorf("the repository is no longer at %s: its folder was moved or removed while an agent was at work. Run the same command where it is now", filepath.Dir(g.Harness))
	}
	if err := g.restorePrograms(ctx, w, &found); err != nil {
		return found, err
	}
	locks, err := g.repoGuard(w).RemoveLocks(ctx, w.RepoSnapshot)
	if found.Findings = append(found.Findings, locks...); err != nil {
		return found, err
	}
	still := git.Still(ctx)
	unseen, broken := workspace.Hidden(still, g.Repo) // before git is made to see them again
	if err := errors.Join(g.restoreSteering(ctx, w, &found), g.restoreControl(w, persona, &found)); err != nil {
		return found, err
	}
	if broken != nil {
		var err error
		if unseen, err = workspace.Hidden(ctx, g.Repo); err != nil {
			return found, err
		}
	}
	steered, aside, err := g.repoGuard(w).PutHiddenBack(ctx, w.Hidden, unseen)
	found.Findings, found.ByProducts = append(found.Findings, steered...), append(found.ByProducts, aside...)
	if err != nil {
		return found, err
	}
	if err := g.restoreGit(ctx, w, persona, &found); err != nil {
		return found, err
	}
	if found.moved || len(found.Findings)+len(found.ByProducts) > 0 {
		still = git.Still(ctx)
	}
	if err := g.undo(still, w, persona, &found); err != nil || !persona.Allows(personas.MayWrite) {
		return found, err
	}
	if found.moved {
		still = git.Still(ctx)
	}
	found.Claimed, err = g.Changes.Claimed(still, w.Task, w.Saved, w.Dirty)
	found.Seen = git.SeenIn(still)
	return found, err
}

// restoreGit puts branch, HEAD, index and refs back, and the user's deleted files.
func (g Guard) restoreGit(ctx context.Context, w Snapshot, persona personas.Persona, found *Found) error {
	if err := g.Facts.IgnoreMoves(ctx, &w.Guard, &w.Moves); err != nil {
		return err
	}
	rg := g.repoGuard(w)
	undone, met, err := rg.PutGitBack(ctx, w.Guard)
	if err != nil || met.None() {
		return err
	}
	found.moved = true
	if err := g.Facts.AddPutBack(ctx, met.Refs); err != nil {
		return err
	}
	altered := slices.DeleteFunc(met.UserAltered, func(path string) bool { // what a reader altered is undone later
		return !persona.Allows(personas.MayWrite) && !slices.Contains(g.Journal.State().LeftOut, path)
	})
	found.Findings = slices.Concat(found.Findings, undone, rg.RestoreUserFiles(ctx, w.Saved, met.UserDeleted, altered))
	return nil
}

// Accept takes what came after the agent of a killed run had ended for what it must leave as it is.
func (g Guard) Accept(ctx context.Context, w *Snapshot, persona personas.Persona) error {
	if w.ID == "" || g.KilledAt.IsZero() || !g.Repo.Stands() {
		return nil
	}
	control, err := g.control(persona)
	if err != nil {
		return err
	}
	unseen, err := workspace.Hidden(ctx, g.Repo)
	if err != nil {
		return nil //nolint:nilerr // what steers git is put back first, and then it is looked for again
	}
	if err := g.Facts.IgnoreMoves(ctx, &w.Guard, &w.Moves); err != nil {
		return err
	}
	rg := g.repoGuard(*w)
	w.Ended = g.KilledAt
	rg.Ended = w.Ended
	return rg.Accept(ctx, &w.RepoSnapshot, control, unseen)
}

// repoGuard is how what a dispatch did is put right.
func (g Guard) repoGuard(w Snapshot) workspace.RepoGuard {
	return workspace.RepoGuard{
		Repo: g.Repo, Home: filepath.Dir(g.Harness), Dispatch: w.ID, Kept: g.ref("undone/" + w.ID), Who: "the agent",
		Blame: func() (string, string) { return g.AtWork.blame(w.ID) }, Ended: w.Ended, Unclear: w.Unclear,
		Mask: g.Journal.Mask.Replace,
	}
}
