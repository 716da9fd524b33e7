package proof

import (
	"context"
	"os"
	"slices"
	"strings"

	"autopilot/autopilot/lazyregexp"
	"autopilot/autopilot/validate"
)

// run runs a command in the tree, in a way in which test programs name the tests that pass, where a variable tells them to.
// None writes snapshots under CI=1. Python's bytecode goes by size and time alone, which two versions of a file may share here.
func (t Tree) run(ctx context.Context, v validate.Validation) validate.Evidence {
	runner := t.Runner
	runner.Env = t.Environment("PYTHONDONTWRITEBYTECODE=1", "CI=1")
	runner.Env = with(runner.Env, "PYTEST_ADDOPTS", "-v", func() string { return "" })
	runner.Env = with(runner.Env, "GOFLAGS", "-v", func() string { // what `go env -w` set would be lost
		set := runner.Run(ctx, t.Dir, validate.Validation{Command: "go env GOFLAGS", ByCode: true})
		if set.Outcome != validate.Passed {
			return ""
		}
		return strings.TrimSpace(set.Output)
	})
	e := runner.Run(ctx, t.Dir, v)
	e.Output = passing.ReplaceAllString(e.Output, "")
	return e
}

// RunAsIs runs a command in the tree without making it print the names of tests.
func (t Tree) RunAsIs(ctx context.Context, v validate.Validation) validate.Evidence {
	runner := t.Runner
	runner.Env = t.Environment("PYTHONDONTWRITEBYTECODE=1")
	return runner.Run(ctx, t.Dir, v)
}

// Environment is that of commands in the tree, with more variables.
func (t Tree) Environment(more ...string) []string {
	env := t.Runner.Env
	if env == nil {
		env = os.Environ()
	}
	return t.here(append(slices.Clone(env), more...))
}

// with adds a flag to a variable of an environment; otherwise gives what its value is where it is not set.
func with(env []string, name, flag string, otherwise func() string) []string {
	for i, entry := range env {
		if value, is := strings.CutPrefix(entry, name+"="); is {
			env[i] = name + "=" + strings.TrimSpace(value+" "+flag)
			return env
		}
	}
	return append(env, name+"="+strings.TrimSpace(otherwise()+" "+flag))
}

// passing are the lines that only name a test that passes or begins.
var passing = lazyregexp.New(`(?m)^(?:=== (?:RUN|PAUSE|CONT|NAME) .*|\s*--- PASS: .*|.* PASSED +\[ *\d+%\])\n`)
