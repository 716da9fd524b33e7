package autopilot

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"autopilot/autopilot/git"
	"autopilot/autopilot/machine"
	"autopilot/personas"
)

// watch is the repository and the files that a persona has no business with, as they were before a dispatch. It lies
// in the git folder, so that a resumed process can still compare.
type watch struct {
	ID       string               `json:"id"`
	Phase    int                  `json:"phase"` // 1-based; 0 in the final review
	Task     string               `json:"task"`  // the task, or the purpose of a dispatch without one
	Base     string               `json:"base"`  // HEAD
	Saved    git.Saved            `json:"saved"`
	Guard    git.Guard            `json:"guard"`
	Control  map[string][]byte    `json:"control"`
	Hidden   map[string]*git.Held `json:"hidden"` // files that git ignores and tests are steered by
	Steering git.Steering         `json:"steering"`
	Moves    int                  `json:"moves,omitempty"`  // how often the program had moved refs
	Dirty    []string             `json:"dirty"`            // every path that differed from HEAD
	Nested   []string             `json:"nested,omitempty"` // repositories inside this one
}

// settled is what putting the repository right after a dispatch found.
type settled struct {
	findings   []machine.Finding
	byProducts []string
	claimed    []string // what the executor made or changed of what its task announces
}

func (s *settled) add(severity, title, rationale, file string) {
	s.findings = append(s.findings, machine.Finding{Severity: severity, Title: title, Rationale: rationale, File: file, Source: "integrity"})
}

func (e *Engine) watchFile() string {
	return filepath.Join(e.Repo.GitDir(), "autopilot", "watch.json")
}

// watch saves what is uncommitted, the user's files among it, and remembers where everything stands.
func (e *Engine) watch(ctx context.Context, d personas.Dispatch, persona personas.Persona) (watch, error) {
	s := e.state()
	w := watch{ID: d.ID, Phase: d.Key.Phase, Task: d.Key.Task}
	dirt, err := e.Repo.Dirt(ctx)
	if err != nil {
		return w, err
	}
	w.Dirty = git.Paths(dirt)
	if w.Nested, err = e.Repo.Nested(ctx); err != nil {
		return w, err
	}
	if w.Saved, err = e.save(ctx, d.ID, w.Dirty); err != nil {
		return w, err
	}
	for _, f := range w.Saved.LeftOut {
		e.note("info", fmt.Sprintf("Too large to be saved before the dispatch: %s", f.Path))
	}
	var mine []git.File
	for _, f := range w.Saved.All() {
		if slices.Contains(s.LeftOut, f.Path) || persona.ReadOnly() && !e.isByProduct(f.Path, s.Tasks) {
			mine = append(mine, f)
		}
	}
	if w.Guard, err = e.Repo.Watch(ctx, mine); err != nil {
		return w, err
	}
	w.Base = w.Guard.Head
	if w.Moves, err = e.countMoves(); err != nil {
		return w, err
	}
	if w.Control, err = e.control(persona); err != nil {
		return w, err
	}
	if w.Steering, err = e.steering(); err != nil {
		return w, err
	}
	if w.Hidden, err = e.hidden(ctx); err != nil {
		return w, err
	}
	data, err := json.Marshal(w)
	if err != nil {
		return w, err
	}
	if err := os.MkdirAll(filepath.Dir(e.watchFile()), 0o755); err != nil {
		return w, err
	}
	return w, os.WriteFile(e.watchFile(), data, 0o600)
}

// save saves what is uncommitted under a ref of its own. Where it is as it was before the last dispatch, that save
// serves again: somebody's folder of untracked data is not copied for each dispatch.
func (e *Engine) save(ctx context.Context, id string, dirty []string) (git.Saved, error) {
	var last watch
	kept := e.ref("user/")
	if readJSON(e.watchFile(), &last) == nil && strings.HasPrefix(last.Saved.Ref, kept) && slices.Equal(last.Dirty, dirty) && e.Repo.Exists(ctx, last.Saved.Ref) {
		deleted, altered, err := e.Repo.Altered(last.Saved.All())
		if err == nil && len(deleted)+len(altered) == 0 {
			return last.Saved, nil
		}
	}
	return e.Repo.SaveTree(ctx, fmt.Sprintf("%s%d", kept, e.state().Usage.Dispatches+1), "before dispatch "+id, dirty)
}

// lastWatch reads what was remembered before a dispatch that was cut off. One that was cut off before anything was
// remembered had not begun.
func (e *Engine) lastWatch(id string) (watch, error) {
	var w watch
	err := readJSON(e.watchFile(), &w)
	if os.IsNotExist(err) || (err == nil && w.ID != id) {
		return watch{}, nil
	}
	return w, err
}

// settle compares the repository with what it was and puts right what a persona may not do: branch, HEAD, index and
// refs, the user's files, control files, plans, and for a read-only persona the working tree.
func (e *Engine) settle(ctx context.Context, w watch, persona personas.Persona) (settled, error) {
	var found settled
	if w.ID == "" {
		return found, nil
	}
	unseen, broken := e.hidden(ctx) // before git is made to see them again
	if err := errors.Join(e.settleSteering(ctx, w, &found), e.settleControl(w, persona, &found)); err != nil {
		return found, err
	}
	if broken != nil {
		var err error
		if unseen, err = e.hidden(ctx); err != nil {
			return found, err
		}
	}
	if err := e.settleHidden(ctx, w, unseen, &found); err != nil {
		return found, err
	}
	if err := e.settleGit(ctx, w, persona, &found); err != nil {
		return found, err
	}
	if err := e.undo(ctx, w, persona, &found); err != nil || !persona.Allows(personas.MayWrite) {
		return found, err
	}
	var err error
	found.claimed, err = e.claimed(ctx, w)
	return found, err
}

// settleGit puts branch, HEAD, index and refs back, and the user's deleted files.
func (e *Engine) settleGit(ctx context.Context, w watch, persona personas.Persona, found *settled) error {
	if err := e.excuse(&w); err != nil {
		return err
	}
	deviation, err := e.Repo.Compare(ctx, w.Guard)
	if err != nil || deviation.None() {
		return err
	}
	kept := e.ref("undone/" + w.ID)
	if deviation.HeadAhead || deviation.IndexChanged || !deviation.Mild() {
		if err := e.Repo.PutBack(ctx, w.Guard, deviation, kept); err != nil {
			return err
		}
		if err := e.addPutBack(deviation.Refs); err != nil {
			return err
		}
	}
	if deviation.HeadAhead {
		found.add(machine.Suggestion, "the agent made commits of its own", "they were taken back, the files stay; they are kept under "+kept, "")
	}
	if deviation.IndexChanged && !deviation.HeadAhead {
		found.add(machine.Suggestion, "the agent staged or unstaged files", "the index was put back as it was", "")
	}
	for _, what := range deviation.Other {
		severity, who := machine.Critical, "the agent "
		if slices.Contains(deviation.Shared, what) {
			severity, who = e.blame(w.ID)
		}
		found.add(severity, who+what, "it was put back; what was there is kept under "+kept, "")
	}
	for _, path := range deviation.UserDeleted {
		if err := e.Repo.RestorePaths(ctx, w.Saved.Ref, []string{path}); err != nil {
			e.note("warning", fmt.Sprintf("%s is gone and could not be restored: %v", path, err))
			continue
		}
		found.add(machine.Important, "the agent deleted a file of yours; it was restored", "", path)
	}
	for _, path := range deviation.UserAltered {
		if !persona.Allows(personas.MayWrite) && !slices.Contains(e.state().LeftOut, path) {
			continue // undone below
		}
		found.add(machine.Important, "a file with your uncommitted changes was altered; it is kept out of the commits",
			fmt.Sprintf("the version from before: git restore --source=%s --worktree -- %s", w.Saved.Ref, quote(path)), path)
	}
	return nil
}

// quote quotes a path for a shell.
func quote(path string) string { return "'" + strings.ReplaceAll(path, "'", `'\''`) + "'" }
