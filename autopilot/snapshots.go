package autopilot

import (
	"bytes"
	"context"
	"encoding/json"
	"path"
	"sync"

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

// keepFacts keeps facts under a name, and journals that. Names that differ from it behind the last slash only are dropped. Where
// the same facts are kept already, that commit serves again.
func (e *Engine) keepFacts(ctx context.Context, name string, facts any) error {
	text, err := json.Marshal(facts)
	if err != nil {
		return err
	}
	known := e.knownFacts()
	commit, same := known.find(e.Journal.State().Snapshots, text)
	if !same {
		if commit, err = e.snapshots().Write(ctx, e.NewID(), facts, nil); err != nil {
			return err
		}
		known.put(commit, text)
	}
	return e.Journal.ApplyWith(func(string) (machine.Event, error) {
		ev := machine.Event{Type: machine.SnapshotTaken, Snapshots: machine.Snapshots{{Of: name, Commit: commit}}}
		group := path.Dir(name)
		for _, other := range e.Journal.State().Snapshots {
			if other.Of != name && group != "." && path.Dir(other.Of) == group {
				ev.Snapshots = append(ev.Snapshots, machine.Snapshot{Of: other.Of})
			}
		}
		return ev, nil
	})
}

// readFacts reads facts that were kept under a name, and says whether there are some.
func (e *Engine) readFacts(ctx context.Context, name string, facts any) (bool, error) {
	commit := e.Journal.State().Snapshots.Of(name)
	if commit == "" {
		return false, nil
	}
	if text, known := e.knownFacts().get(commit); known {
		return true, json.Unmarshal(text, facts)
	}
	return true, e.snapshots().Read(ctx, commit, facts, nil)
}

// knownFacts are those that this process kept, as JSON by commit: git is not asked for them.
type knownFacts struct {
	mu    sync.Mutex
	texts map[string][]byte
}

func (e *Engine) knownFacts() *knownFacts {
	if e.main != nil {
		return e.main.knownFacts()
	}
	return &e.known
}

// find finds the same facts among snapshots, and forgets what is of none of them.
func (k *knownFacts) find(all machine.Snapshots, text []byte) (commit string, same bool) {
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

func (k *knownFacts) get(commit string) ([]byte, bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	text, known := k.texts[commit]
	return text, known
}

func (k *knownFacts) put(commit string, text []byte) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.texts[commit] = text
}

// dropSnapshots deletes the refs of snapshots that nothing compares with any more.
func (e *Engine) dropSnapshots(ctx context.Context) error {
	var kept []string
	for _, s := range e.Journal.State().Snapshots {
		kept = append(kept, s.Commit)
	}
	return e.Repo.DropBlobs(ctx, e.ref("snap/"), kept)
}
