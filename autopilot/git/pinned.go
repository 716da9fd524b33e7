package git

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"autopilot/autopilot/lazyregexp"
)

// pinned is git's configuration as it was when a run began. An agent can write to the user's home, and git would read that
// at the next commit.
type pinned struct {
	dir      string            // of the copies, in the git folder that all working trees share
	temp     string            // the folder of new ones, in the git folder of this working tree
	copies   map[string][]byte // by name: the configuration and the attributes that the user has for all repositories
	config   string            // the name of the configuration
	mu       sync.Mutex        // guards what follows
	files    []string          // that they come from
	identity []string          // variables with the name and the address of who commits
	recorded []setting         // the whole configuration
}

// signs are the settings that decide whether a commit is signed, how, and by which program.
var signs = lazyregexp.New(`^(commit\.gpgsign|user\.signingkey|gpg\..*)$`)

// signing are the arguments by which a commit is signed as it was when the configuration was recorded: the last one wins.
func (p *pinned) signing() []string {
	if p == nil {
		return nil
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	args := []string{"-c", "commit.gpgsign=false", "-c", "gpg.format=openpgp", "-c", "gpg.program=gpg", "-c", "gpg.ssh.program=ssh-keygen", "-c", "gpg.x509.program=gpgsm"}
	for _, s := range p.recorded {
		if signs.MatchString(s.key) {
			args = append(args, "-c", s.key+map[bool]string{true: "="}[s.set]+s.value)
		}
	}
	return args
}

func (p *pinned) take(identity []string, recorded []setting) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.identity, p.recorded = identity, recorded
}

// add takes a file among the copies. Equal ones have one name, so that runs beside each other do not disturb each other.
func (p *pinned) add(text []byte) string {
	sum := sha256.Sum256(text)
	name := hex.EncodeToString(sum[:8])
	p.copies[name] = text
	return name
}

// environment are the variables by which git reads the copies. Each call of git makes sure of them: an agent can write to
// the git folder as well.
func (p *pinned) environment() ([]string, error) {
	if p == nil {
		return nil, nil
	}
	for name, text := range p.copies {
		if err := p.ensure(filepath.Join(p.dir, name), text); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("keeping a copy of git's configuration: %w", err)
		}
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	return append([]string{"GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=" + filepath.Join(p.dir, p.config)}, p.identity...), nil
}

// UserFiles are the files that the user's own configuration of git was read from when it was pinned, included ones too.
func (r *Config) UserFiles() []string {
	if r.pinned == nil {
		return nil
	}
	return r.pinned.files
}

// Environment are the variables by which a git of somebody else's reads the same configuration.
func (r *runner) Environment() ([]string, error) { return r.pinned.environment() }

// ensure writes a copy, unless it is there. It may hold passwords.
func (p *pinned) ensure(path string, text []byte) error {
	if info, err := os.Lstat(path); err == nil && info.Mode().IsRegular() {
		if now, err := os.ReadFile(path); err == nil && bytes.Equal(now, text) {
			return nil
		}
	}
	if err := p.makeDir(); err != nil {
		return err
	}
	return replaceBy(p.temp, path, text, 0o600)
}

// makeDir makes the folder of the copies. Where the git folder is gone that is fs.ErrNotExist: nothing is put into an empty
// place.
func (p *pinned) makeDir() error {
	for _, dir := range []string{filepath.Dir(p.dir), p.temp} {
		if err := os.Mkdir(dir, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
			return err
		}
	}
	if err := os.Mkdir(p.dir, 0o700); !errors.Is(err, fs.ErrExist) {
		return err
	}
	return nil
}

// configHome is a file in git's folder of the user's configuration.
func configHome(name string) string {
	if dir := os.Getenv("XDG_CONFIG_HOME"); dir != "" {
		return filepath.Join(dir, "git", name)
	}
	return inHome(".config", "git", name)
}

// inHome is a path in the user's home; "" where there is none.
func inHome(path ...string) string {
	dir, err := os.UserHomeDir()
	if err != nil {
		return ""
	}
	return filepath.Join(dir, filepath.Join(path...))
}

// setting is one value of git's configuration.
type setting struct {
	scope string // system, global, local, worktree or command
	file  string // that it is set in; "" for none
	key   string // as git names it: section and name in lower case
	value string
	set   bool // false: the key alone, which is true
}

// isUsers says whether a setting is for all repositories.
func (s setting) isUsers() bool { return s.scope == "system" || s.scope == "global" }

// includes says whether a setting leads to another file. What that holds is listed as well.
func (s setting) includes() bool {
	return strings.HasPrefix(s.key, "include.") || strings.HasPrefix(s.key, "includeif.")
}
