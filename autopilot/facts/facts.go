// Package facts keeps what a resume has to compare with: as commits that events of the session name.
//
// A call goes: Facts.Keep writes facts as JSON into a commit, and journals its name; Facts.Get reads them, also in a later
// process. What is kept until something ended goes with that; the core says when (machine.Snapshots). Facts.AddMoves and its
// kin keep which refs the program itself moved, while agents are at work who could be blamed for it.
//
// It does not know what the facts mean.
package facts

import (
	"bytes"
	"context"
	"encoding/json"
	"path"
	"sync"

	"autopilot/autopilot/journal"
	"autopilot/autopilot/machine"
	"autopilot/autopilot/workspace"
)

// Names of facts that are kept for longer than a dispatch or a check.
const (
	TreeAtEnd  = "end"   // the working tree when the last run ended, or asked
	SavedUsers = "users" // the user's uncommitted files, while lanes are at work
	OwnMoves   = "moves" // how the program moved refs, while agents are at work
)

// Facts are those of a session.
type Facts struct {
	workspace.Snapshots // where all working trees reach them: that of a lane may be gone
	Journal             *journal.Journal
	NewID               func() string
	Known               *Known
	Alone               bool // nobody else moves refs in this clone while an agent is at work: other agents are on other machines
}

// Keep keeps facts under a name, and journals that. Names that differ from it behind the last slash only are dropped. Where
// the same facts are kept already, that commit serves again.
func (f Facts) Keep(ctx context.Context, name string, facts any) error {
	text, err := json.Marshal(facts)
	if err != nil {
		return err
	}
	known := f.Known
	commit, same := known.find(f.Journal.State().Snapshots, text)
	if !same {
		if commit, err = f.Snapshots.Write(ctx, f.NewID(), facts, nil); err != nil {
			return err
		}
		known.put(commit, text)
	}
	return f.Journal.ApplyWith(func(string) (machine.Event, error) {
		ev := machine.Event{Type: machine.SnapshotTaken, Snapshots: machine.Snapshots{{Of: name, Commit: commit}}}
		group := path.Dir(name)
		for _, other := range f.Journal.State().Snapshots {
			if other.Of != name && group != "." && path.Dir(other.Of) == group {
				ev.Snapshots = append(ev.Snapshots, machine.Snapshot{Of: other.Of})
			}
		}
		return ev, nil
	})
}

// Get reads facts that were kept under a name, and says whether there are some.
func (f Facts) Get(ctx context.Context, name string, facts any) (bool, error) {
	commit := f.Journal.State().Snapshots.Of(name)
	if commit == "" {
		return false, nil
	}
	if text, known := f.Known.get(commit); known {
		return true, json.Unmarshal(text, facts)
	}
	return true, f.Snapshots.Read(ctx, commit, facts, nil)
}

// Known are those that this process kept, as JSON by commit: git is not asked for them.
type Known struct {
	mu    sync.Mutex
	texts map[string][]byte
}

// find finds the same facts among snapshots, and forgets what is of none of them.
func (k *Known) find(all machine.Snapshots, text []byte) (commit string, same bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	kept := map[string][]byte{}
	for _, s := range all {
		if known, ok := k.texts[s.Commit]; ok {
			kept[s.Commit] = known
			if bytes.Equal(known, text) {
				commit, same = s.Commit, true
			}
		}
	}
	k.texts = kept
	return commit, same
}

func (k *Known) get(commit string) ([]byte, bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	text, known := k.texts[commit]
	return text, known
}

func (k *Known) put(commit string, text []byte) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.texts[commit] = text
}

// Drop deletes the refs of snapshots that nothing compares with any more.
func (f Facts) Drop(ctx context.Context) error {
	var kept []string
	for _, s := range f.Journal.State().Snapshots {
		kept = append(kept, s.Commit)
	}
	return f.Repo.Refs.Delete(ctx, f.Refs, kept...)
}
