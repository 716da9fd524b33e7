package cmd

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"autopilot/autopilot/plans"
	"autopilot/autopilot/shell"
	"autopilot/cmd/app"
	"autopilot/cmd/console"
	"autopilot/personas"
)

// together starts the planner's program in its interactive mode, at the person's terminal. What plan it leaves is
// read as the next run would read it.
func (p *planning) together(ctx context.Context) error {
	name, argv, err := p.interactiveMode()
	if err != nil {
		return err
	}
	left, err := p.engine.Asides().Together(ctx, p.at, p.place, func(d personas.Dispatch) error {
		prompt := filepath.Join(d.AttemptDir, "prompt.md")
		args := make([]string, len(argv))
		for i, arg := range argv {
			args[i] = strings.ReplaceAll(arg, "{prompt_file}", prompt)
		}
		c := exec.CommandContext(ctx, args[0], args[1:]...)
		c.Stdin, c.Stdout, c.Stderr, c.Dir = p.host.In, console.Unguarded(p.host.Out), console.Unguarded(p.host.Err), d.Dir
		c.Env = append([]string{}, p.host.Environ...)
		for key, value := range d.Env {
			c.Env = append(c.Env, key+"="+value)
		}
		if err := c.Run(); err != nil {
			return console.UsageError("the interactive mode of backend %s ended with %v. Correct backends.%s.interactive, or make the plan with --edit", name, err, name)
		}
		return nil
	})
	if err != nil {
		return err
	}
	switch { // the program may have chosen a name of its own
	case len(left) > 1 && !slices.Contains(left, p.place), len(left) == 1 && left[0] != p.place && p.engine.Plans().Approving(p.at):
		return console.UsageError("there is another plan now: %s. To take it: autopilot plan %s --file %s", strings.Join(left, ", "), shell.QuotePath(p.w.Rel), shell.QuotePath(left[0]))
	case len(left) == 1:
		p.place = left[0]
	}
	src, err := os.ReadFile(p.path(p.place))
	if errors.Is(err, os.ErrNotExist) {
		fmt.Fprintf(p.host.Out, "No plan was left at %s.\n", p.shown(p.place))
		return &console.CodedError{Code: 3}
	}
	if err != nil {
		return err
	}
	plan, err := plans.Check(p.place, src)
	if err != nil {
		return err
	}
	return p.ready(plan)
}

// interactiveMode finds the program of the planner's backend that talks to a person.
func (p *planning) interactiveMode() (name string, argv []string, err error) {
	b := p.engine.Backends.(*app.Backends)
	_, name, err = b.For(p.engine.Personas.For(personas.Planner, personas.Work))
	if err != nil {
		return "", nil, err
	}
	argv = b.Cfg.Backends[name].Interactive
	if len(argv) == 0 {
		return "", nil, console.UsageError("backend %s has no interactive mode. Name its program in autopilot.yaml: backends: {%s: {interactive: [program, \"{prompt_file}\"]}}, or make the plan with --edit", name, name)
	}
	return name, argv, nil
}
