package autopilot

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"autopilot/autopilot/branches"
	"autopilot/autopilot/facts"
	"autopilot/autopilot/git"
	"autopilot/autopilot/journal"
	"autopilot/autopilot/lazyregexp"
	"autopilot/autopilot/machine"
	"autopilot/autopilot/proof"
	"autopilot/autopilot/shell"
	"autopilot/autopilot/worktree"
)

const (
	// WorktreesDir is the folder of the program's own working trees, below .harness.
	WorktreesDir = "worktrees"
	// LanesSuffix ends the name of a folder there that holds the lanes of a session. No slug has a dot, so that no working
	// tree of a session has such a name.
	LanesSuffix = ".lanes"
)

// cleanPrefix begins the names of the temporary folders that clean working trees lie in.
const cleanPrefix = "autopilot-clean-"

// laneID is what the folder and the branch of a lane are called.
var laneID = lazyregexp.New(`^task-\d{3,}$`)

// Trees are a session's own working trees beside the one that it runs in: the lanes of tasks, and clean ones.
type Trees struct {
	journal *journal.Journal
	repo    *git.Repo
	facts   facts.Facts
	harness string
	cache   string
	front   *sync.Mutex
	used    *bool // there were lanes
}

func (ts Trees) cleanName() string {
	return branches.RefName(ts.journal.State().SessionSlug) + "-verify"
}

// proofDir is the folder of the clean working tree in which a lane's work is proved, or with "" that of the session itself. It is
// "" where there is no place for one.
func (ts Trees) proofDir(lane string) string {
	if ts.cache == "" {
		return ""
	}
	name := branches.RefName(ts.journal.State().SessionSlug)
	if lane != "" {
		name += "." + lane
	}
	return filepath.Join(ts.cache, name)
}

// exportDir is the folder in which a blind reading finds the code; "" where there is no place for one.
func (ts Trees) exportDir() string {
	if ts.cache == "" {
		return ""
	}
	return ts.proofDir("blind")
}

// removeProof removes the clean working tree of a lane, or with "" that of the session itself. There may be none.
func (ts Trees) removeProof(ctx context.Context, lane string) {
	if err := (proof.Tree{Repo: ts.repo, Dir: ts.proofDir(lane)}).Close(ctx); err != nil {
		ts.journal.Note("warning", "The clean working tree could not be removed: "+err.Error())
	}
}

// cleanTree makes a working tree of a commit outside of the repository: tools look upwards for settings and packages,
// and inside of it they would find those of the tree around, which git may not know. What an earlier run left is removed.
func (ts Trees) cleanTree(ctx context.Context, commit string) (string, error) {
	if err := ts.sweepClean(ctx); err != nil {
		return "", err
	}
	parent, err := os.MkdirTemp("", cleanPrefix)
	if err != nil {
		return "", err
	}
	dir := filepath.Join(parent, ts.cleanName())
	if err := ts.repo.Worktrees.Add(ctx, dir, commit); err != nil {
		return "", errors.Join(err, os.RemoveAll(parent))
	}
	return dir, nil
}

// removeClean removes a clean working tree. Where that fails it is said, and nothing else depends on it.
func (ts Trees) removeClean(ctx context.Context, dir string) {
	err := ts.repo.Worktrees.Remove(context.WithoutCancel(ctx), dir)
	if err == nil && IsClean(dir) {
		err = os.RemoveAll(filepath.Dir(dir))
	}
	if err != nil {
		ts.journal.Note("warning", "The clean worktree could not be removed: "+err.Error())
	}
}

// sweepClean removes the clean working trees that a killed run of the session left behind, wherever they lie.
func (ts Trees) sweepClean(ctx context.Context) error {
	trees, err := ts.repo.Worktrees.List()
	if err != nil {
		return err
	}
	for _, dir := range trees {
		ours := IsClean(dir) || filepath.Dir(dir) == filepath.Join(ts.harness, WorktreesDir)
		if ours && filepath.Base(dir) == ts.cleanName() {
			ts.removeClean(ctx, dir)
		}
	}
	return nil
}

// lanesDir is the folder of the session's lanes.
func (ts Trees) lanesDir() string {
	return filepath.Join(ts.harness, WorktreesDir, branches.RefName(ts.journal.State().SessionSlug)+LanesSuffix)
}

func (ts Trees) laneBranch(id string) string {
	return "autopilot/" + branches.RefName(ts.journal.State().SessionSlug) + "." + id
}

// laneOf is where a task's lane lies.
func (ts Trees) laneOf(id string) machine.Lane {
	dir, err := filepath.Rel(filepath.Dir(ts.harness), filepath.Join(ts.lanesDir(), id))
	if err != nil {
		dir = filepath.Join(ts.lanesDir(), id)
	}
	return machine.Lane{Dir: filepath.ToSlash(dir), Branch: ts.laneBranch(id)}
}

func (ts Trees) laneDir(l *machine.Lane) string {
	dir := filepath.FromSlash(l.Dir)
	if filepath.IsAbs(dir) {
		return dir
	}
	return filepath.Join(filepath.Dir(ts.harness), dir)
}

// keepLane keeps under a ref what is in a lane that is about to be removed.
func (ts Trees) keepLane(ctx context.Context, repo *git.Repo, id string) error {
	saved, err := repo.Files.Save(ctx, refOf(ts.journal.State(), "lane/"+id), "what was in the lane of "+id, nil)
	if err != nil {
		return fmt.Errorf("keeping what is in the lane of %s: %w", id, err)
	}
	for _, f := range saved.LeftOut {
		ts.journal.Note("warning", fmt.Sprintf("Too large to be kept, and removed with the lane of %s: %s", id, f.Path))
	}
	return nil
}

// TellLacks tells what the working trees of a session lack, each once in a run.
func (ts Trees) TellLacks(lacks []worktree.Lack) {
	for _, l := range lacks {
		if ts.journal.WarnOnce(l.Text) {
			ts.journal.Note("warning", l.Text)
		}
	}
}

// closeLane removes a lane's working tree and branch. Where that fails it is said, and nothing else depends on it.
func (ts Trees) closeLane(ctx context.Context, id string) {
	ts.front.Lock()
	defer ts.front.Unlock()
	ts.removeProof(ctx, id)
	dir := filepath.Join(ts.lanesDir(), id)
	err := ts.repo.Worktrees.RemoveBranch(ctx, dir, ts.laneBranch(id), refOf(ts.journal.State(), "lane/"+id+"/head"))
	if err == nil {
		err = ts.facts.AddBranch(ctx, ts.laneBranch(id), "")
	}
	if err != nil {
		ts.journal.Note("warning", fmt.Sprintf("The working tree of %s could not be removed: %v. It is not needed any more: rm -r %s", id, err, shell.Quote(dir)))
		return
	}
	_ = os.Remove(ts.lanesDir()) // only when it is empty
	_ = os.Remove(filepath.Dir(ts.lanesDir()))
}

// sweep removes the lanes that no task has any more: a stop came between, or a human sent the phase back. What is in
// them is kept under refs.
func (ts Trees) sweep(ctx context.Context) error {
	if err := errors.Join(ts.sweepClean(ctx), ts.facts.Drop(ctx)); err != nil {
		return err
	}
	names, err := foldersIn(ts.lanesDir())
	if err != nil {
		return err
	}
	branches, err := ts.repo.Refs.Branches(ctx, ts.laneBranch("task-"))
	if err != nil {
		return err
	}
	for _, branch := range branches {
		names = append(names, strings.TrimPrefix(branch, ts.laneBranch("")))
	}
	slices.Sort(names)
	for _, id := range slices.Compact(names) {
		if t, _ := ts.journal.State().Task(id); t.Lane != nil {
			*ts.used = true // of an earlier run: once EXECUTE is left, whatever the cause, they are to go
			continue
		}
		if !laneID.MatchString(id) {
			continue
		}
		repo, err := ts.repo.Worktrees.At(ctx, filepath.Join(ts.lanesDir(), id))
		if err == nil && repo != nil {
			err = ts.keepLane(ctx, repo, id)
		}
		if err != nil {
			return err
		}
		ts.closeLane(ctx, id)
	}
	return nil
}

// madeFor is the name under which is kept what commit a task's lane was made of.
func madeFor(id string) string { return "lane/" + id }

// IsClean says whether a working tree lies where clean ones are made.
func IsClean(dir string) bool {
	return strings.HasPrefix(filepath.Base(filepath.Dir(dir)), cleanPrefix)
}

// foldersIn lists the folders in a folder, which need not exist.
func foldersIn(dir string) ([]string, error) {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var names []string
	for _, entry := range entries {
		if entry.IsDir() {
			names = append(names, entry.Name())
		}
	}
	return names, err
}

// refOf is the name of a ref of a session's own: refs/autopilot/<slug>/<kind>.
func refOf(s machine.State, kind string) string {
	return "refs/autopilot/" + branches.RefName(s.SessionSlug) + "/" + kind
}
