package app

import (
	"context"
	"errors"
	"os"
	"path"
	"path/filepath"

	"autopilot/autopilot"
	"autopilot/autopilot/git"
	"autopilot/autopilot/machine"
	"autopilot/cmd/console"
	"autopilot/sessions"
	"autopilot/sessions/legacy"
	"autopilot/sessions/storage"
)

// stateName is the file that holds a session's state.
const stateName = "autopilot-state.json"

// SessionOptions of a workspace answer what a file of an older program leaves open.
func (w *Workspace) SessionOptions(ctx context.Context) sessions.Options {
	opts := SessionOptions(w.Host)
	opts.Spec = func(named string) (legacy.SpecText, error) {
		if named == "" {
			return specOf(w.Repo.Root(), w.Spec)
		}
		return specOf(w.Repo.Root(), filepath.Join(w.Repo.Root(), filepath.FromSlash(named)))
	}
	opts.StartingCommit = func() (string, error) { return leftDefault(ctx, w.Repo) }
	return opts
}

// specOf is a spec as an import takes it.
func specOf(root, spec string) (legacy.SpecText, error) {
	rel, slug, err := autopilot.Slug(root, spec)
	if err != nil {
		return legacy.SpecText{}, err
	}
	text := legacy.SpecText{Path: rel, Slug: slug}
	parsed, _, _, err := autopilot.ReadSpec(root, spec)
	if err != nil {
		return text, err
	}
	text.Spec.SHA256, text.Spec.Title, text.Spec.Criteria = parsed.SHA256, parsed.Title, parsed.Criteria
	text.Phases = autopilot.PhaseTexts(parsed)
	return text, nil
}

// leftDefault is the commit at which HEAD left the default branch; "" where nobody can tell.
func leftDefault(ctx context.Context, repo *git.Repo) (string, error) {
	standard, err := repo.Refs.DefaultBranch(ctx)
	if err != nil || standard == "" {
		return "", err
	}
	if !repo.History.Exists(ctx, standard) {
		standard = "origin/" + standard
	}
	return repo.History.MergeBase(ctx, "HEAD", standard)
}

// Older is the session's folder, or the state of an older program that names this spec and lies elsewhere: version 1
// had one file for the whole repository, and folders were named otherwise.
func (w *Workspace) Older() string {
	if _, _, err := sessions.Read(w.Session, SessionOptions(w.Host)); !errors.Is(err, sessions.ErrNoSession) {
		return w.Session
	}
	folders, err := storage.Below(storage.OSDisk{}, w.Harness, "sessions", "*")
	if err != nil {
		return w.Session
	}
	for _, found := range append(folders, filepath.Join(w.Harness, stateName)) {
		if _, err := os.Lstat(filepath.Join(found, "events.jsonl")); err == nil {
			continue // a session of this program
		}
		v, err := sessions.Look(found, SessionOptions(w.Host))
		if err == nil && len(v.Imported) > 0 && v.State.IsImported && path.Clean(v.State.SpecPath) == w.Rel {
			return found
		}
	}
	return w.Session
}

// WithOlder lists the sessions of a repository, and with them the one state file of version 1, until its spec has a
// session of its own: its Dir is the file.
func WithOlder(h *console.Host, root string) ([]sessions.Summary, error) {
	harness := filepath.Join(root, ".harness")
	all, err := sessions.List(harness, SessionOptions(h))
	if err != nil {
		return nil, err
	}
	file := filepath.Join(harness, stateName)
	if info, err := os.Lstat(file); err != nil || !info.Mode().IsRegular() {
		return all, nil //nolint:nilerr // there is none
	}
	v, err := sessions.Look(file, SessionOptions(h))
	for _, one := range all {
		if err == nil && one.Err == nil && one.State.SpecPath == path.Clean(v.State.SpecPath) {
			return all, nil
		}
	}
	return append(all, sessions.Summary{Slug: ".harness/" + stateName, Dir: file, State: v.State, Err: err}), nil
}

// OfOlder says of a listed session that an older program left it in one file.
func OfOlder(one sessions.Summary) string {
	if filepath.Base(one.Dir) != stateName {
		return ""
	}
	return " (from " + one.Slug + " of an older program)"
}

// Read reads the session's state, or that of an older program which a run would go on with.
func (w *Workspace) Read(ctx context.Context) (machine.State, error) {
	if found := w.Older(); found != w.Session {
		v, err := sessions.Look(found, w.SessionOptions(ctx))
		return v.State, err
	}
	s, _, err := sessions.Read(w.Session, w.SessionOptions(ctx))
	return s, err
}
