package app

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
	"autopilot/autopilot/plainfile"
	"autopilot/autopilot/shell"
	"autopilot/autopilot/worktree"
	"autopilot/cmd/console"
	"autopilot/sessions"
	"autopilot/sessions/storage"
)

// Workspace is a spec in its repository, with the places that belong to it.
type Workspace struct {
	Host    *console.Host
	Repo    *git.Repo
	Work    *git.Repo // where the session works: repo, or a working tree of its own
	Spec    string    // absolute
	Rel     string    // relative to the repository, as git has it
	Slug    string
	Harness string // absolute
	Session string // absolute

	WorkTree string          // relative to the repository; "" when work is repo
	Lacks    []worktree.Lack // of a working tree that was just made
}

// FindWorkspace finds the repository that a spec lies in. The spec itself need not be readable: a session knows its
// phases.
func FindWorkspace(ctx context.Context, h *console.Host, spec string, open opening) (*Workspace, error) {
	path, err := filepath.EvalSymlinks(h.Path(spec))
	if err != nil {
		path = h.Path(spec)
	}
	repo, err := UserRepoAt(ctx, NearestFolder(path), open)
	if err != nil {
		return nil, outside(ctx, h, path, err)
	}
	w := &Workspace{Host: h, Repo: repo, Work: repo, Spec: path, Harness: filepath.Join(repo.Root(), ".harness")}
	if w.Rel, w.Slug, err = autopilot.Slug(repo.Root(), path); err != nil {
		return nil, err
	}
	w.Session = filepath.Join(w.Harness, "sessions", w.Slug)
	return w, nil
}

// outside says that a spec is in no repository, where the person is in one.
func outside(ctx context.Context, h *console.Host, path string, err error) error {
	if none, is := errors.AsType[*git.NoRepositoryError](err); !is || none.There != "" {
		return err
	}
	here, none := git.Find(ctx, h.Dir)
	if none != nil {
		return err
	}
	return console.UsageError("%s is outside of this repository, %s\nMove the spec into the repository", path, here.Root())
}

// FindSession finds the place of a session that a person names, as Named takes it.
func FindSession(ctx context.Context, h *console.Host, name string) (*Workspace, error) {
	return findNamed(ctx, h, name, git.Find)
}

// FindToRun finds the place of a spec, or of the session that a person names, for a run.
func FindToRun(ctx context.Context, h *console.Host, name string) (*Workspace, error) {
	return findNamed(ctx, h, name, git.Open)
}

func findNamed(ctx context.Context, h *console.Host, name string, open opening) (*Workspace, error) {
	spec, err := Named(ctx, h, name)
	if err != nil {
		return nil, err
	}
	return FindWorkspace(ctx, h, spec, open)
}

// ReadSession reads the state of a session, which a person names, without its lock.
func ReadSession(ctx context.Context, h *console.Host, name string) (*Workspace, machine.State, error) {
	w, err := FindSession(ctx, h, name)
	if err != nil {
		return nil, machine.State{}, err
	}
	s, _, err := sessions.Read(w.Session, w.SessionOptions(ctx))
	if err == nil {
		err = w.NotAnothers(s)
	}
	return w, s, w.Missing(err)
}

// OpenSession opens a session, which a person names, to change it. Where a run is at work it is a *storage.LockedError, and
// the workspace is given all the same.
func OpenSession(ctx context.Context, h *console.Host, name string) (*Workspace, *sessions.Session, error) {
	w, err := FindSession(ctx, h, name)
	if err != nil {
		return nil, nil, err
	}
	session, err := sessions.Open(w.Session, w.SessionOptions(ctx))
	if err != nil {
		return w, nil, w.Missing(w.Busy(err))
	}
	if err := w.NotAnothers(session.State()); err != nil {
		return nil, nil, errors.Join(err, session.Close())
	}
	return w, session, nil
}

// Busy names the spec in an error that says that another run holds its session.
func (w *Workspace) Busy(err error) error {
	if locked, is := errors.AsType[*storage.LockedError](err); is {
		locked.Spec = shell.QuotePath(w.Rel)
	}
	return err
}

// SameSpec refuses a session that another spec made: two paths can share a slug (a.b.md and a/b.md).
func (w *Workspace) SameSpec(s machine.State) error {
	if s.SpecPath == w.Rel {
		return nil
	}
	return console.UsageError("the session %s belongs to %s, and %s would share its name. Rename one of the two specs", w.Slug, s.SpecPath, w.Rel)
}

// NotAnothers refuses the session of another spec that is there as well: it would be looked at, or answered, by mistake.
func (w *Workspace) NotAnothers(s machine.State) error {
	if s.SpecPath == "" || w.isGone(s.SpecPath) || w.isSpec(s.SpecPath) {
		return nil
	}
	return w.SameSpec(s)
}

// isSpec says whether a path of the repository is the spec's own file, as one in another case is where the file system does
// not tell them apart.
func (w *Workspace) isSpec(rel string) bool {
	one, err := os.Stat(w.Spec)
	if err != nil {
		return false
	}
	other, err := os.Stat(filepath.Join(w.Repo.Root(), filepath.FromSlash(rel)))
	return err == nil && os.SameFile(one, other)
}

// Missing says in a person's words that there is no session.
func (w *Workspace) Missing(err error) error {
	if errors.Is(err, sessions.ErrNoSession) {
		if found := w.Older(); found != w.Session {
			short := plainfile.Rel(w.Repo.Root(), found)
			return console.UsageError("no session for %s yet, but an older autopilot left %s\n  Inspect it: autopilot state show %s\n  Continue it: autopilot %s\n  Start over: autopilot %s --restart",
				w.Rel, short, shell.QuotePath(short), shell.QuotePath(w.Rel), shell.QuotePath(w.Rel))
		}
		if err := w.NotRenamed(); err != nil {
			return err
		}
		if _, err := os.Stat(w.Spec); errors.Is(err, fs.ErrNotExist) {
			return console.UsageError("no session for %s, and no such file\nList the sessions: autopilot list", w.Rel)
		}
		return console.UsageError("no session for %s yet\nStart one: autopilot %s", w.Rel, shell.QuotePath(w.Rel))
	}
	return err
}

// NewID makes a random name.
func NewID() string {
	b := make([]byte, 8)
	_, _ = rand.Read(b) // never fails: see crypto/rand
	return hex.EncodeToString(b)
}

// SessionOptions are those of every session on this host. A disk that tests put in counts operations, which needs their order.
func SessionOptions(h *console.Host) sessions.Options {
	return seeded(sessions.Options{Now: h.Now, Disk: h.Disk})
}
