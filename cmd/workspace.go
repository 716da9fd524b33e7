package cmd

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"autopilot/autopilot"
	"autopilot/autopilot/git"
	"autopilot/autopilot/machine"
	"autopilot/autopilot/shell"
	"autopilot/autopilot/worktree"
	"autopilot/cmd/console"
	"autopilot/sessions"
)

// workspace is a spec in its repository, with the places that belong to it.
type workspace struct {
	host    *console.Host
	repo    *git.Repo
	work    *git.Repo // where the session works: repo, or a working tree of its own
	spec    string    // absolute
	rel     string    // relative to the repository, as git has it
	slug    string
	harness string // absolute
	session string // absolute

	workTree string          // relative to the repository; "" when work is repo
	lacks    []worktree.Lack // of a working tree that was just made
}

// findWorkspace finds the repository that a spec lies in. The spec itself need not be readable: a session knows its
// phases.
func findWorkspace(ctx context.Context, h *console.Host, spec string, open opening) (*workspace, error) {
	path, err := filepath.EvalSymlinks(h.Path(spec))
	if err != nil {
		path = h.Path(spec)
	}
	repo, err := userRepoAt(ctx, nearestFolder(path), open)
	if err != nil {
		return nil, err
	}
	w := &workspace{host: h, repo: repo, work: repo, spec: path, harness: filepath.Join(repo.Root(), ".harness")}
	if w.rel, w.slug, err = autopilot.Slug(repo.Root(), path); err != nil {
		return nil, err
	}
	w.session = filepath.Join(w.harness, "sessions", w.slug)
	return w, nil
}

// readSession reads the state of a spec's session without its lock.
func readSession(ctx context.Context, h *console.Host, spec string) (*workspace, machine.State, error) {
	w, err := findWorkspace(ctx, h, spec, git.Find)
	if err != nil {
		return nil, machine.State{}, err
	}
	s, _, err := sessions.Read(w.session, w.sessionOptions(ctx))
	if err == nil {
		err = w.notAnothers(s)
	}
	return w, s, w.missing(err)
}

// sameSpec refuses a session that another spec made: two paths can share a slug (a.b.md and a/b.md).
func (w *workspace) sameSpec(s machine.State) error {
	if s.SpecPath == w.rel {
		return nil
	}
	return console.UsageError("the session %s belongs to %s, and %s would share its name. Rename one of the two specs", w.slug, s.SpecPath, w.rel)
}

// notAnothers refuses the session of another spec that is there as well: it would be looked at, or answered, by mistake.
func (w *workspace) notAnothers(s machine.State) error {
	if s.SpecPath == "" || w.isGone(s.SpecPath) || w.isSpec(s.SpecPath) {
		return nil
	}
	return w.sameSpec(s)
}

// isSpec says whether a path of the repository is the spec's own file, as one in another case is where the file system does
// not tell them apart.
func (w *workspace) isSpec(rel string) bool {
	one, err := os.Stat(w.spec)
	if err != nil {
		return false
	}
	other, err := os.Stat(filepath.Join(w.repo.Root(), filepath.FromSlash(rel)))
	return err == nil && os.SameFile(one, other)
}

// missing says in a person's words that there is no session.
func (w *workspace) missing(err error) error {
	if errors.Is(err, sessions.ErrNoSession) {
		if found := w.older(); found != w.session {
			return console.UsageError("there is no session for %s yet, but %s is of an older program and names it. Look at it: autopilot state show %s. Go on with it: autopilot %s. Begin anew: autopilot %s --restart",
				w.rel, w.short(found), shell.QuotePath(w.short(found)), shell.QuotePath(w.rel), shell.QuotePath(w.rel))
		}
		if err := w.notRenamed(); err != nil {
			return err
		}
		if _, err := os.Stat(w.spec); errors.Is(err, fs.ErrNotExist) {
			return console.UsageError("there is no session for %s yet, and no such file. The sessions that there are: autopilot list", w.rel)
		}
		return console.UsageError("there is no session for %s yet. Start one: autopilot %s", w.rel, shell.QuotePath(w.rel))
	}
	return err
}

// newID makes a random name.
func newID() string {
	b := make([]byte, 8)
	_, _ = rand.Read(b) // never fails: see crypto/rand
	return hex.EncodeToString(b)
}

// sessionOptions are those of every session on this host. A disk that tests put in counts operations, which needs their order.
func sessionOptions(h *console.Host) sessions.Options {
	return seeded(sessions.Options{Now: h.Now, Disk: h.Disk, Behind: h.Disk == nil})
}
