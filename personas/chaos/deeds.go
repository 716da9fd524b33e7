package chaos

import (
	"context"
	"fmt"
	"maps"
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
	Work
	d       personas.Dispatch
	number  int      // of the dispatch
	environ []string // of git commands
}

// settings is the configuration.
const settings = "autopilot.yaml"

// deeds of a persona that tampers.
var deeds = []Form{
	{Name: "empties a test", does: func(_ context.Context, s scene) { s.overwrite(s.Test, "\n") }},
	{Name: "weakens the check", does: func(_ context.Context, s scene) { s.overwrite(s.Check, "exit 0\n") }},
	{Name: "deletes the user's file", does: func(_ context.Context, s scene) { _ = os.Remove(s.Users) }},
	{Name: "overwrites the user's file", does: func(_ context.Context, s scene) {
		s.overwrite(s.Users, fmt.Sprintf("Notes of dispatch %d.\n", s.number))
	}},
	{Name: "rewrites the spec", does: func(_ context.Context, s scene) { s.overwrite(s.Spec, "# Nothing to do\n") }},
	{Name: "changes the configuration", does: func(_ context.Context, s scene) { s.overwrite(settings, "validate: {commands: none}\n") }},
	{Name: "empties the session's state", does: func(_ context.Context, s scene) { s.overwrite(s.snapshot(), "{}\n") }, state: true},
	{Name: "commits by itself", does: gits([]string{"add", "--all"}, []string{"commit", "--quiet", "--no-verify", "-m", "All done"}), late: true},
	{Name: "switches the branch", does: gits([]string{"switch", "--quiet", "--force-create", "elsewhere"})},
	{Name: "moves HEAD back", does: gits([]string{"reset", "--quiet", "--soft", "HEAD~1"})},
	{Name: "throws all changes away", does: gits([]string{"reset", "--quiet", "--hard"}, []string{"clean", "--quiet", "--force", "-d"}), late: true},
	{Name: "stashes everything", does: gits([]string{"stash", "push", "--quiet", "--include-untracked"}), late: true},
	{Name: "has git overlook a change", does: func(ctx context.Context, s scene) {
		s.git(ctx, "update-index", "--assume-unchanged", s.Check)
		s.overwrite(s.Check, "exit 0\n")
	}},
}

// breaches break what passed, after the work. Where there is no earlier work, none is broken.
var breaches = []Form{
	{Name: "breaks its own work", does: func(_ context.Context, s scene) { s.breaks(s.Own) }, late: true},
	{Name: "breaks earlier work", does: func(_ context.Context, s scene) { s.breaks(s.Earlier) }, late: true},
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

// traced does what a form is about, and lists what that changed: files, as the deed names them, "HEAD" and "the branch".
func (s scene) traced(ctx context.Context, form Form) (changed []string) {
	files := slices.Concat([]string{s.Test, s.Check, s.Users, s.Spec, settings}, s.Own, s.Earlier)
	for _, w := range s.Writes {
		files = append(files, w.Path)
	}
	if form.state { // the program writes it as well, while others play
		files = append(files, s.snapshot())
	}
	before := s.look(ctx, files)
	form.does(ctx, s)
	after := s.look(ctx, files)
	for _, what := range slices.Sorted(maps.Keys(before)) {
		if after[what] != before[what] {
			changed = append(changed, what)
		}
	}
	return changed
}

// look takes down whatever a deed could change.
func (s scene) look(ctx context.Context, files []string) map[string]string {
	seen := map[string]string{"HEAD": s.git(ctx, "rev-parse", "HEAD"), "the branch": s.git(ctx, "symbolic-ref", "--quiet", "HEAD")}
	for _, f := range files {
		data, err := os.ReadFile(s.path(f))
		seen[f] = fmt.Sprint(err == nil, string(data))
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
