package chaos

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// commits and branch stand among the traces for what a deed does to git itself.
const (
	commits = "HEAD"
	branch  = "the branch"
)

// traced does a deed, and lists what it changed: files, as the deed names them, and what of git.
func (s scene) traced(ctx context.Context, do deed) []string {
	before := s.look(ctx)
	do(ctx, s)
	after := s.look(ctx)
	var changed []string
	for what, was := range before {
		if after[what] != was {
			changed = append(changed, what)
		}
	}
	slices.Sort(changed)
	return changed
}

// look takes down whatever a deed could change.
func (s scene) look(ctx context.Context) map[string]string {
	files := slices.Concat([]string{s.props.Test, s.props.Check, s.props.Users, s.props.Spec, settings}, s.props.Own, s.props.Earlier, s.makes)
	if s.part.Form == emptiesState { // the program writes it as well, while others play
		files = append(files, s.snapshot())
	}
	seen := map[string]string{commits: s.git(ctx, "rev-parse", "HEAD"), branch: s.git(ctx, "symbolic-ref", "--quiet", "HEAD")}
	for _, f := range files {
		data, err := os.ReadFile(s.path(f))
		seen[f] = string(data)
		if err != nil {
			seen[f] = "\x00not there"
		}
	}
	return seen
}

// path is where a file of the scene lies.
func (s scene) path(file string) string {
	if filepath.IsAbs(file) {
		return file
	}
	return filepath.Join(s.d.Dir, filepath.FromSlash(file))
}

func (s scene) snapshot() string { return filepath.Join(s.d.SessionDir, "autopilot-state.json") }

// git is what a git command says; a command that fails says nothing.
func (s scene) git(ctx context.Context, args ...string) string {
	git := exec.CommandContext(ctx, "git", args...)
	git.Dir, git.Env = s.d.Dir, s.environ
	out, _ := git.Output()
	return strings.TrimSpace(string(out))
}
