package autopilot

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"autopilot/autopilot/changes"
	"autopilot/autopilot/facts"
	"autopilot/autopilot/git"
	"autopilot/autopilot/git/refs"
	"autopilot/autopilot/guard"
	"autopilot/autopilot/journal"
	"autopilot/autopilot/machine"
	"autopilot/autopilot/plainfile"
	"autopilot/autopilot/workspace"
)

// adoption takes over what older versions noted.
type adoption struct {
	journal *journal.Journal
	repo    *git.Repo
	facts   facts.Facts
	newID   func() string
	dir     string // of the session
	trees   Trees
}

// Until schema 6 what a resume compares with lay in files beside the journal. They are read once, into one event, and then
// moved to a folder old/ beside them.

// oldNotes are such files on their way.
type oldNotes struct {
	adoption
	snapshots machine.Snapshots
	files     []string // those that were read
	err       error    // the first
}

// adoptNotes takes over the notes of the run's own working tree and of the lanes.
func (ad adoption) adoptNotes(ctx context.Context) error {
	o := oldNotes{adoption: ad}
	o.take(ctx, ad.repo, "")
	for _, t := range ad.journal.State().Tasks {
		if t.Lane == nil {
			continue
		}
		if repo, err := ad.repo.Worktrees.At(ctx, ad.trees.laneDir(t.Lane)); repo != nil && err == nil { // else a new one is made
			o.take(ctx, repo, t.ID)
		}
	}
	if o.err == nil && len(o.snapshots) > 0 {
		o.err = ad.journal.Apply(machine.Event{Type: machine.SnapshotTaken, Snapshots: o.snapshots})
	}
	for _, file := range o.files {
		to := filepath.Join(filepath.Dir(file), "old", filepath.Base(file)) // beside it: on the same disk
		if o.err == nil {
			o.err = errors.Join(plainfile.MakeFolder(filepath.Dir(to)), os.Rename(file, to))
		}
	}
	if o.err != nil {
		return fmt.Errorf("taking over the notes of an older version of autopilot: %w", o.err)
	}
	return nil
}

// take takes over the notes of one working tree: the run's own, or a task's.
func (o *oldNotes) take(ctx context.Context, repo *git.Repo, task string) {
	dir := filepath.Join(repo.GitDir(), "autopilot")
	var before guard.Snapshot
	if o.read(filepath.Join(dir, "watch.json"), &before) && o.isInFlight(before.ID) {
		o.keep(ctx, before.ID, &before, &before.RepoSnapshot)
	}
	var traces struct {
		ID string `json:"id"`
		guard.Tracing
	}
	if o.read(filepath.Join(dir, "traces.json"), &traces) && o.isInFlight(traces.ID) {
		o.keep(ctx, guard.TracingOf(traces.ID), traces.Tracing, nil)
	}
	var check oldCheck
	if o.read(filepath.Join(dir, "checking.json"), &check) && check.atHand(o.journal.State(), task) {
		o.keep(ctx, changes.Changes{Journal: o.journal, Lane: task}.CheckAtHand(), check.Untracked, nil)
	}
	var users git.Saved
	if o.read(filepath.Join(dir, "users-files.json"), &users) {
		o.keep(ctx, facts.SavedUsers, users, nil)
	}
	var moves []refs.Moved
	if o.read(filepath.Join(dir, "moved-refs.json"), &moves) {
		o.keep(ctx, facts.OwnMoves, moves, nil)
	}
	madeOf := filepath.Join(dir, "made-of")
	if commit, err := os.ReadFile(madeOf); err == nil && task != "" {
		o.snapshots = append(o.snapshots, machine.Snapshot{Of: madeFor(task), Commit: string(commit)})
		o.files = append(o.files, madeOf)
	}
	var end changes.End
	if task == "" && o.read(filepath.Join(o.dir, "parked.json"), &end) {
		o.keep(ctx, facts.TreeAtEnd, end, nil)
	}
}

// read reads a note; one that a kill cut off is none.
func (o *oldNotes) read(file string, facts any) bool {
	data, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) || o.err != nil {
		return false
	}
	o.err = err
	o.files = append(o.files, file)
	return json.Unmarshal(data, facts) == nil
}

func (o *oldNotes) keep(ctx context.Context, name string, kept any, files *workspace.RepoSnapshot) {
	if o.err == nil {
		var commit string
		commit, o.err = o.facts.Write(ctx, o.newID(), kept, files)
		o.snapshots = append(o.snapshots, machine.Snapshot{Of: name, Commit: commit})
	}
}

func (ad adoption) isInFlight(id string) bool {
	s := ad.journal.State()
	return s.Aside != nil && s.Aside.Dispatch.ID == id || slices.ContainsFunc(s.Flights(), func(d *machine.Dispatch) bool { return d.ID == id })
}

// oldCheck is what was untracked before a check.
type oldCheck struct {
	Session   string     `json:"session"`
	Moment    int64      `json:"moment"` // the revision, runs aside; 0 in a lane
	Untracked []git.File `json:"untracked"`
}

// atHand says whether the check is the one that is to be done again.
func (o oldCheck) atHand(s machine.State, task string) bool {
	t, _ := s.Task(cmp.Or(task, s.CurrentTask))
	return strings.HasPrefix(o.Session, s.SessionID) && (o.Moment == s.Revision-int64(s.Runs) ||
		o.Moment == 0 && o.Session == fmt.Sprintf("%s %d %s %d %d %s", s.SessionID, s.CurrentPhase, t.ID, t.Dispatches, len(t.Attempts), t.Commit))
}
