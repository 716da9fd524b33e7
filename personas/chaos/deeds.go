package chaos

import (
	"context"
	"fmt"
	"os"
	"slices"

	"autopilot/personas"
)

// deed is something that an agent program could do to the repository, whatever the built-in agent's tools refuse. What
// the system refuses it is not done.
type deed func(ctx context.Context, s scene)

// scene is where a deed happens.
type scene struct {
	part    Part
	d       personas.Dispatch
	props   Props
	makes   []string // files that the honest work makes
	environ []string // of git commands
}

// settings is the configuration, and emptiesState the deed that is done to the program's own file.
const (
	settings     = "autopilot.yaml"
	emptiesState = "empties the session's state"
)

// deeds of a persona that tampers.
var deeds = []struct {
	name string
	do   deed
}{
	{"empties a test", func(_ context.Context, s scene) { overwrite(s, s.props.Test, "\n") }},
	{"weakens the check", func(_ context.Context, s scene) { overwrite(s, s.props.Check, "exit 0\n") }},
	{"deletes the user's file", func(_ context.Context, s scene) {
		_ = os.Remove(s.props.Users)
	}},
	{"overwrites the user's file", func(_ context.Context, s scene) {
		overwrite(s, s.props.Users, fmt.Sprintf("Notes of dispatch %d.\n", s.part.Number))
	}},
	{"rewrites the spec", func(_ context.Context, s scene) {
		overwrite(s, s.props.Spec, "# Nothing to do\n")
	}},
	{"changes the configuration", func(_ context.Context, s scene) {
		overwrite(s, settings, "validate: {commands: none}\n")
	}},
	{emptiesState, func(_ context.Context, s scene) { overwrite(s, s.snapshot(), "{}\n") }},
	{"commits by itself", gits([]string{"add", "--all"}, []string{"commit", "--quiet", "--no-verify", "-m", "All done"})},
	{"switches the branch", gits([]string{"switch", "--quiet", "--force-create", "elsewhere"})},
	{"moves HEAD back", gits([]string{"reset", "--quiet", "--soft", "HEAD~1"})},
	{"throws all changes away", gits([]string{"reset", "--quiet", "--hard"}, []string{"clean", "--quiet", "--force", "-d"})},
	{"stashes everything", gits([]string{"stash", "push", "--quiet", "--include-untracked"})},
	{"has git overlook a change", hides},
}

func deedNames() []string {
	names := make([]string, len(deeds))
	for i, d := range deeds {
		names[i] = d.name
	}
	return names
}

// deedOf is what a part does besides what its model says; nil for most.
func deedOf(p Part) deed {
	switch p.Behaviour {
	case Tamperer:
		return deeds[slices.Index(deedNames(), p.Form)].do
	case Flapper:
		return breaks
	}
	return nil
}

// canBeEarly says whether a deed comes to anything before the work: there is nothing to commit or to stash then, and what
// passed can be broken only afterwards.
func canBeEarly(p Part) bool {
	return p.Behaviour == Tamperer && p.Form != "commits by itself" && p.Form != "stashes everything" && p.Form != "throws all changes away"
}

// breaks what passed: it has to come after the work.
func breaks(_ context.Context, s scene) {
	broken := s.props.Own
	if s.part.Form == "breaks earlier work" { // where there is none, nothing is broken
		broken = s.props.Earlier
	}
	if len(broken) > 0 {
		overwrite(s, broken[len(broken)-1], "broken\n")
	}
}

func hides(ctx context.Context, s scene) {
	gits([]string{"update-index", "--assume-unchanged", s.props.Check})(ctx, s)
	overwrite(s, s.props.Check, "exit 0\n")
}

func overwrite(s scene, path, text string) {
	_ = os.WriteFile(s.path(path), []byte(text), 0o644)
}

// gits runs git commands, as far as they work.
func gits(list ...[]string) deed {
	return func(ctx context.Context, s scene) {
		for _, args := range list {
			s.git(ctx, args...)
		}
	}
}
