// Package guard protects the repository while a persona of a session is at work: afterwards it restores what the persona may not
// change.
//
// A call goes: Guard.Capture before the dispatch returns a Snapshot, whose commit the event names that announces it;
// Guard.Restore afterwards compares, restores, and returns what it found. After a kill Guard.Last reads the snapshot, and
// Guard.Accept leaves to the user what came since. Guard.Misdeeds says beforehand what Restore would put back. AtWork knows
// which dispatches are at work at once, so that no single one is blamed for what all working trees share.
//
// What a working tree and git themselves need is package workspace's; which changes are whose, package changes'.
package guard

import (
	"os"
	"time"

	"autopilot/autopilot/branches"
	"autopilot/autopilot/changes"
	"autopilot/autopilot/facts"
	"autopilot/autopilot/git"
	"autopilot/autopilot/journal"
	"autopilot/autopilot/machine"
	"autopilot/autopilot/plans"
	"autopilot/autopilot/workspace"
)

// Guard is that of one working tree of a session.
type Guard struct {
	Repo     *git.Repo
	Home     *git.Repo // of the run's own working tree: Repo, but in a lane
	Lane     string    // the task whose working tree it is; "" is the run's own
	Journal  *journal.Journal
	Facts    facts.Facts
	Changes  changes.Changes
	Plans    plans.Plans
	AtWork   *AtWork
	Saved    *Saved
	Dir      string    // the session's folder
	Spec     string    // absolute path of the spec
	Harness  string    // absolute path of .harness
	KilledAt time.Time // when nothing of a run that was cut off was left; zero: not known
}

// PurposeDraft is what a dispatch is for that writes the draft of a plan: no plan that is there is its to change.
const PurposeDraft = "draft"

// Saved is what was saved before the last dispatch in a working tree.
type Saved struct {
	saved git.Saved
	dirty []string // all that was uncommitted then
}

// Found is what putting the repository right after a dispatch found.
type Found struct {
	Findings   []machine.Finding
	ByProducts []string
	Claimed    []string        // what the executor made or changed of what its task announces
	Failed     []machine.Check // by which an agent gave up
	Lost       bool            // the working tree of its lane is gone
	Seen       *git.Seen       // what was looked at since

	moved bool // the working tree is no longer as it was looked at
}

func (f *Found) add(severity, title, rationale, file string) {
	f.Findings = append(f.Findings, workspace.Integrity(severity, title, rationale, file))
}

// ref is the name of a ref of the session's own.
func (g Guard) ref(kind string) string {
	return "refs/autopilot/" + branches.RefName(g.Journal.State().SessionSlug) + "/" + kind
}

func (g Guard) exists(file string) bool {
	_, err := os.Stat(workspace.InTree(g.Repo.Root(), file))
	return err == nil
}
