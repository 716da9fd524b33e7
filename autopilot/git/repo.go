// Package git is the repository: where it stands, what changed in it, what an agent did to it behind the program's
// back, and the few ways in which the program itself writes to it.
//
// Everything is done by the git program. Paths go to it and come from it NUL-terminated and literal, relative to the
// repository's root with slashes, as the bytes they are: they may hold newlines, quotes, a leading dash, or be no
// valid UTF-8. Run data (see IsRunData) and submodules are never seen, committed or reset.
package git

import (
	"bytes"
	"context"
	"crypto/sha1"
	"crypto/sha256"
	"errors"
	"hash"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"autopilot/autopilot/lazyregexp"
)

// Repo is one working tree of a repository. Its methods may be called from several goroutines as long as only one
// of them writes.
type Repo struct {
	root, gitDir, commonDir string
	found                   bool          // root is a working tree, and git need not look further up
	begun                   bool          // HEAD was a commit when the repository was found
	configured              sync.Mutex    // guards settings
	settings                *settings     // nil until they are asked for: commands that only look at files do without
	looked                  sync.Once     // for git
	git                     string        // the program
	longIDs                 bool          // the repository names its objects by SHA-256
	lockWait                time.Duration // how long a write waits for somebody else's index.lock
	patience                time.Duration // how long git may take to answer; 0 is for ever
	limits                  limits
	pinned                  *pinned   // git's configuration as it was when the run began; nil: as it is
	exact                   sync.Once // for exactCase
	exactCase               bool      // the file system tells upper and lower case apart
	copies                  sync.Map  // what Watch keeps, by SHA-256: an agent can delete the files
}

// settings are the values of the user's git configuration that decide something here.
type settings struct {
	fileMode      bool   // core.fileMode: false where the file system knows no executable bit
	defaultBranch string // init.defaultBranch, "" when unset
	name, email   string // user.name and user.email
	others        bool   // there is an author or a committer beside the user
}

// identity is the name and the e-mail address that git finds for who (GIT_AUTHOR, GIT_COMMITTER), where that is certain,
// which spares a call; else git is to be asked.
func (s settings) identity(who string) (name, email string, certain bool) {
	name, named := os.LookupEnv(who + "_NAME")
	email, addressed := os.LookupEnv(who + "_EMAIL")
	if s.others && !(named && addressed) {
		return "", "", false
	}
	if !named {
		name = s.name
	}
	if !addressed {
		email = s.email
	}
	return name, email, plainWord.MatchString(name) && plainWord.MatchString(email)
}

// plainWord is a text of which git leaves something over.
var plainWord = lazyregexp.New(`^[A-Za-z0-9]`)

// Open finds the repository that dir lies in and makes sure that commits can be made there. Its errors are
// those of Find, NoCommitError and NoIdentityError, each ending in the commands that mend it.
func Open(ctx context.Context, dir string) (*Repo, error) {
	r, err := Find(ctx, dir)
	if err != nil {
		return nil, err
	}
	if !r.begun {
		return nil, r.withoutCommit(ctx)
	}
	set, err := r.readSettings(ctx)
	if err != nil {
		return nil, err
	}
	for _, who := range []string{"GIT_AUTHOR_IDENT", "GIT_COMMITTER_IDENT"} {
		if _, _, certain := set.identity(strings.TrimSuffix(who, "_IDENT")); certain {
			continue
		}
		if _, err := r.read(ctx, "var", who); err != nil {
			return nil, identityError(err)
		}
	}
	return r, nil
}

// withoutCommit says why HEAD names no commit: there is none yet, or the branch is there and git cannot read it.
func (r *Repo) withoutCommit(ctx context.Context) error {
	_, err := r.Log(ctx, 1)
	if failed, ok := errors.AsType[*CommandError](err); err == nil || ok && strings.Contains(failed.Stderr, "does not have any commits yet") {
		return &NoCommitError{Root: r.root}
	}
	return noRepository(r.root, err)
}

// Find is Open for commands that only look: the repository may be without a commit and without an identity. Its
// errors are NoRepositoryError, LineBreakError, NotPlainError and WorktreeElsewhereError.
func Find(ctx context.Context, dir string) (*Repo, error) {
	r := &Repo{root: dir, lockWait: time.Second, patience: patience, limits: limits{file: MaxSavedFile, all: MaxSavedTotal}}
	if err := passable(dir); err != nil {
		return nil, err
	}
	if err := r.askWhere(ctx); err != nil {
		return nil, err
	}
	return r, nil
}

// askWhere has git say where the repository of the folder root is.
func (r *Repo) askWhere(ctx context.Context) error {
	out, err := r.read(ctx, "rev-parse", "--show-toplevel", "--absolute-git-dir",
		"--path-format=absolute", "--git-common-dir", "--show-object-format", "--verify", "--quiet", "HEAD")
	if r.begun = err == nil; err != nil && exitCode(err) != 1 { // 1: HEAD is no commit, and all else was told
		return noRepository(r.root, err)
	}
	from, lines := r.root, split(out, '\n')
	if len(lines) != 4 && !r.begun || len(lines) != 5 && r.begun {
		return &LineBreakError{Dir: r.root}
	}
	r.root = filepath.FromSlash(lines[0])
	r.gitDir = filepath.FromSlash(lines[1])
	r.commonDir = filepath.FromSlash(lines[2])
	r.longIDs, r.found = lines[3] == "sha256", true
	if r.leadsElsewhere(from) {
		return &WorktreeElsewhereError{GitDir: r.gitDir, Root: r.root}
	}
	return nil
}

func noRepository(dir string, err error) error {
	var failed *CommandError
	if !errors.As(err, &failed) {
		return err
	}
	refused := &NoRepositoryError{Dir: dir, Reason: failed.Stderr}
	if there := nearestGit(dir); there != "" && lookedAt(there, failed.Stderr) {
		refused.There, refused.Gone = there, deadEnd(there)
	}
	return refused
}

// deadEnd is where the file .git of a working tree leads, if nothing is there.
func deadEnd(link string) string {
	if filepath.Base(link) != ".git" {
		return ""
	}
	to := linkOf(filepath.Dir(link))
	if _, err := os.Stat(to); to == "" || !errors.Is(err, fs.ErrNotExist) {
		return ""
	}
	return to
}

func identityError(err error) error {
	if _, ok := errors.AsType[*CommandError](err); !ok {
		return err
	}
	return &NoIdentityError{}
}

// readSettings asks git once.
func (r *Repo) readSettings(ctx context.Context) (settings, error) {
	r.configured.Lock()
	defer r.configured.Unlock()
	if r.settings != nil {
		return *r.settings, nil
	}
	s, err := r.askSettings(ctx)
	if err == nil {
		r.settings = &s
	}
	return s, err
}

func (r *Repo) askSettings(ctx context.Context) (settings, error) {
	list, err := r.listSettings(ctx)
	return settingsOf(list), err
}

func settingsOf(list []setting) settings {
	s := settings{fileMode: true}
	for _, one := range list {
		switch value := one.value; one.key {
		case "core.filemode":
			s.fileMode = value != "false" && value != "no" && value != "off" && value != "0"
		case "init.defaultbranch":
			s.defaultBranch = value
		case "user.name":
			s.name = value
		case "user.email":
			s.email = value
		case "author.name", "author.email", "committer.name", "committer.email":
			s.others = true
		}
	}
	return s
}

// Root is the absolute path of the working tree's top folder.
func (r *Repo) Root() string { return r.root }

// GitDir is the absolute path of this working tree's own git folder.
func (r *Repo) GitDir() string { return r.gitDir }

// CommonDir is the absolute path of the git folder that all working trees of the repository share.
func (r *Repo) CommonDir() string { return r.commonDir }

func (r *Repo) newHash() hash.Hash {
	if r.longIDs {
		return sha256.New()
	}
	return sha1.New()
}

// zeroID is what git writes where there is no object.
func (r *Repo) zeroID() string { return strings.Repeat("0", 2*r.newHash().Size()) }

// tempFile makes an empty file in the repository's own git folder, which nothing else reads.
func (r *Repo) tempFile(pattern string) (string, error) {
	dir := filepath.Join(r.gitDir, "autopilot")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", err
	}
	f, err := os.CreateTemp(dir, pattern)
	if err != nil {
		return "", err
	}
	return f.Name(), f.Close()
}

// split cuts git's output at a separator; an empty output has no parts.
func split(out []byte, separator byte) []string {
	out = bytes.TrimSuffix(out, []byte{separator})
	if len(out) == 0 {
		return nil
	}
	return strings.Split(string(out), string(rune(separator)))
}
