package cmd

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
	"autopilot/sessions/storage"
)

// stateName is the file that holds a session's state.
const stateName = "autopilot-state.json"

// sessionOptions of a workspace answer what a file of an older program leaves open.
func (w *workspace) sessionOptions(ctx context.Context) sessions.Options {
	opts := sessionOptions(w.host)
	opts.Spec = func(named string) (sessions.SpecText, error) {
		if named == "" {
			return specOf(w.repo.Root(), w.spec)
		}
		return specOf(w.repo.Root(), filepath.Join(w.repo.Root(), filepath.FromSlash(named)))
	}
	opts.StartingCommit = func() (string, error) { return leftDefault(ctx, w.repo) }
	return opts
}

// specOf is a spec as an import takes it.
func specOf(root, spec string) (sessions.SpecText, error) {
	rel, slug, err := autopilot.Slug(root, spec)
	if err != nil {
		return sessions.SpecText{}, err
	}
	text := sessions.SpecText{Path: rel, Slug: slug}
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
	standard, err := repo.DefaultBranch(ctx)
	if err != nil || standard == "" {
		return "", err
	}
	if !repo.Exists(ctx, standard) {
		standard = "origin/" + standard
	}
	return repo.MergeBase(ctx, "HEAD", standard)
}

// older is the session's folder, or the state of an older program that names this spec and lies elsewhere: version 1
// had one file for the whole repository, and folders were named otherwise.
func (w *workspace) older() string {
	if _, _, err := sessions.Read(w.session, sessionOptions(w.host)); !errors.Is(err, sessions.ErrNoSession) {
		return w.session
	}
	folders, err := storage.Below(storage.OSDisk{}, w.harness, "sessions", "*")
	if err != nil {
		return w.session
	}
	for _, found := range append(folders, filepath.Join(w.harness, stateName)) {
		if _, err := os.Lstat(filepath.Join(found, "events.jsonl")); err == nil {
			continue // a session of this program
		}
		v, err := sessions.Look(found, sessionOptions(w.host))
		if err == nil && len(v.Imported) > 0 && v.State.IsImported && path.Clean(v.State.SpecPath) == w.rel {
			return found
		}
	}
	return w.session
}

// withOlder lists the sessions of a repository, and with them the one state file of version 1, until its spec has a
// session of its own: its Dir is the file.
func withOlder(h *console.Host, root string) ([]sessions.Summary, error) {
	harness := filepath.Join(root, ".harness")
	all, err := sessions.List(harness, sessionOptions(h))
	if err != nil {
		return nil, err
	}
	file := filepath.Join(harness, stateName)
	if info, err := os.Lstat(file); err != nil || !info.Mode().IsRegular() {
		return all, nil //nolint:nilerr // there is none
	}
	v, err := sessions.Look(file, sessionOptions(h))
	for _, one := range all {
		if err == nil && one.Err == nil && one.State.SpecPath == path.Clean(v.State.SpecPath) {
			return all, nil
		}
	}
	return append(all, sessions.Summary{Slug: ".harness/" + stateName, Dir: file, State: v.State, Err: err}), nil
}

// ofOlder says of a listed session that an older program left it in one file.
func ofOlder(one sessions.Summary) string {
	if filepath.Base(one.Dir) != stateName {
		return ""
	}
	return " (from " + one.Slug + " of an older program)"
}

// read reads the session's state, or that of an older program which a run would go on with.
func (w *workspace) read(ctx context.Context) (machine.State, error) {
	if found := w.older(); found != w.session {
		v, err := sessions.Look(found, w.sessionOptions(ctx))
		return v.State, err
	}
	s, _, err := sessions.Read(w.session, w.sessionOptions(ctx))
	return s, err
}

// short is a path below the repository as a person would type it there.
func (w *workspace) short(file string) string {
	rel, err := filepath.Rel(w.repo.Root(), file)
	if err != nil {
		return file
	}
	return filepath.ToSlash(rel)
}
