package workspace

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"

	"autopilot/autopilot/git"
	"autopilot/autopilot/plainfile"
)

// factsName is the file of a snapshot that holds its facts as JSON.
const factsName = "facts.json"

// Snapshots keeps what a working tree was at certain moments, each as a commit under a ref of its own. Such a commit counts
// once an event of the journal names it: a resume reads it by its id, whatever became of the ref. Where there is no journal,
// the ref is the record: Find.
type Snapshots struct {
	Repo *git.Repo
	Refs string // what their names begin with, with a slash at the end: refs/autopilot/csv/snap/
}

// Write keeps facts under an id, in place of those that were there, and returns the commit. Files are the RepoSnapshot among the facts, if there is one: the
// contents that it holds are kept as blobs, so that a file that stays the same takes no more room.
func (s Snapshots) Write(ctx context.Context, id string, facts any, files *RepoSnapshot) (commit string, err error) {
	blobs := map[string][]byte{}
	if files != nil {
		whole := *files
		defer func() { *files = whole }()
		*files = whole.withContents(func(data []byte) []byte {
			sum := sha256.Sum256(data)
			name := hex.EncodeToString(sum[:])
			blobs[name] = data
			return []byte(name)
		})
	}
	if blobs[factsName], err = json.Marshal(facts); err != nil {
		return "", err
	}
	return s.Repo.Blobs.Save(ctx, s.Refs+id, "snapshot "+id, blobs)
}

// Read reads the facts of a snapshot by its commit, and the contents of files into the RepoSnapshot among them.
func (s Snapshots) Read(ctx context.Context, commit string, facts any, files *RepoSnapshot) error {
	blobs, err := s.Repo.Blobs.Read(ctx, commit)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(blobs[factsName], facts); err != nil {
		return fmt.Errorf("reading snapshot %s: %w: %w", commit, errNoFacts, err)
	}
	if files != nil {
		*files = files.withContents(func(name []byte) []byte { return blobs[string(name)] })
	}
	return nil
}

// errNoFacts marks a commit that is no snapshot, or has facts of another shape.
var errNoFacts = errors.New("it holds no facts that can be read")

// Find reads the snapshot under an id. It returns false if there is none, or if the ref names something else.
func (s Snapshots) Find(ctx context.Context, id string, facts any, files *RepoSnapshot) (bool, error) {
	refs, err := s.Repo.Refs.List(ctx, s.Refs+id)
	if err != nil || len(refs) == 0 || refs[0].Name != s.Refs+id {
		return false, err
	}
	if _, err := s.Repo.History.Resolve(ctx, refs[0].Object); err != nil {
		_, silent := errors.AsType[*git.SilentError](err)
		if silent || ctx.Err() != nil {
			return false, err
		}
		return false, nil // it is no commit, or is lost
	}
	if err = s.Read(ctx, refs[0].Object, facts, files); errors.Is(err, errNoFacts) {
		return false, nil
	}
	return err == nil, err
}

// withContents is a snapshot whose files have other contents; a control file that was missing stays so.
func (w RepoSnapshot) withContents(of func([]byte) []byte) RepoSnapshot {
	w.Control = mapped(w.Control, func(text []byte) []byte {
		if text == nil {
			return nil
		}
		return of(text)
	})
	held := func(h *plainfile.Held) *plainfile.Held {
		if h == nil {
			return nil
		}
		changed := *h
		changed.Text = of(h.Text)
		return &changed
	}
	w.Hidden, w.Steering.Shared, w.Steering.Own = mapped(w.Hidden, held), mapped(w.Steering.Shared, held), mapped(w.Steering.Own, held)
	return w
}

// mapped is a map with other values; nil stays nil.
func mapped[V any](all map[string]V, change func(V) V) map[string]V {
	if all == nil {
		return nil
	}
	changed := make(map[string]V, len(all))
	for name, value := range all {
		changed[name] = change(value)
	}
	return changed
}
