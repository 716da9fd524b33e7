package chaos

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"autopilot/personas"
)

// deed is something that an agent program could do to the repository, whatever the built-in agent's tools refuse. What
// the system refuses it is not done.
type deed func(ctx context.Context, s scene)

// scene is where a deed happens.
type scene struct {
	part    Part
	d       personas.Dispatch
	environ []string // of git commands
}

// settings is the configuration, and emptiesState the deed that is done to the program's own file.
const (
	settings     = "autopilot.yaml"
	emptiesState = "empties the session's state"
)

// deeds of a persona that tampers.
var deeds = []Form{
	{Name: "empties a test", does: func(_ context.Context, s scene) { s.overwrite(s.props().Test, "\n") }},
	{Name: "weakens the check", does: func(_ context.Context, s scene) { s.overwrite(s.props().Check, "exit 0\n") }},
	{Name: "deletes the user's file", does: func(_ context.Context, s scene) { _ = os.Remove(s.props().Users) }},
	{Name: "overwrites the user's file", does: func(_ context.Context, s scene) {
		s.overwrite(s.props().Users, fmt.Sprintf("Notes of dispatch %d.\n", s.part.Number))
	}},
	{Name: "rewrites the spec", does: func(_ context.Context, s scene) { s.overwrite(s.props().Spec, "# Nothing to do\n") }},
	{Name: "changes the configuration", does: func(_ context.Context, s scene) { s.overwrite(settings, "validate: {commands: none}\n") }},
	{Name: emptiesState, does: func(_ context.Context, s scene) { s.overwrite(s.snapshot(), "{}\n") }},
	{Name: "commits by itself", does: gits([]string{"add", "--all"}, []string{"commit", "--quiet", "--no-verify", "-m", "All done"}), late: true},
	{Name: "switches the branch", does: gits([]string{"switch", "--quiet", "--force-create", "elsewhere"})},
	{Name: "moves HEAD back", does: gits([]string{"reset", "--quiet", "--soft", "HEAD~1"})},
	{Name: "throws all changes away", does: gits([]string{"reset", "--quiet", "--hard"}, []string{"clean", "--quiet", "--force", "-d"}), late: true},
	{Name: "stashes everything", does: gits([]string{"stash", "push", "--quiet", "--include-untracked"}), late: true},
	{Name: "has git overlook a change", does: func(ctx context.Context, s scene) {
		s.git(ctx, "update-index", "--assume-unchanged", s.props().Check)
		s.overwrite(s.props().Check, "exit 0\n")
	}},
}

// breaches break what passed, after the work. Where there is no earlier work, none is broken.
var breaches = []Form{
	{Name: "breaks its own work", does: func(_ context.Context, s scene) { s.breaks(s.props().Own) }, late: true},
	{Name: "breaks earlier work", does: func(_ context.Context, s scene) { s.breaks(s.props().Earlier) }, late: true},
}

func (s scene) breaks(files []string) {
	if len(files) > 0 {
		s.overwrite(files[len(files)-1], "broken\n")
	}
}

func (s scene) overwrite(file, text string) { _ = os.WriteFile(s.path(file), []byte(text), 0o644) }

// gits runs git commands, as far as they work.
func gits(list ...[]string) deed {
	return func(ctx context.Context, s scene) {
		for _, args := range list {
			s.git(ctx, args...)
		}
	}
}

// traced does a deed, and lists what it changed: files, as the deed names them, "HEAD" and "the branch".
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
	props := s.props()
	files := slices.Concat([]string{props.Test, props.Check, props.Users, props.Spec, settings}, props.Own, props.Earlier)
	for _, w := range s.part.work.Writes {
		files = append(files, w.Path)
	}
	if s.part.Form == emptiesState { // the program writes it as well, while others play
		files = append(files, s.snapshot())
	}
	seen := map[string]string{"HEAD": s.git(ctx, "rev-parse", "HEAD"), "the branch": s.git(ctx, "symbolic-ref", "--quiet", "HEAD")}
	for _, f := range files {
		data, err := os.ReadFile(s.path(f))
		seen[f] = string(data)
		if err != nil {
			seen[f] = "\x00not there"
		}
	}
	return seen
}

func (s scene) props() Props { return s.part.work.Props }

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
