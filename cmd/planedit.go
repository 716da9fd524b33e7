package cmd

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"autopilot/autopilot/plans"
	"autopilot/autopilot/shell"
	"autopilot/cmd/app"
	"autopilot/cmd/console"
)

// inEditor opens the plan, else the draft, else a template. What is no plan yet lies where no run takes it for one, so
// that an editor that fails, or is killed, leaves none behind. A template that comes back as it was is not kept.
func (p *planning) inEditor(ctx context.Context) error {
	file, err := p.toEdit()
	if err != nil {
		return err
	}
	failed := p.openEditor(ctx, file)
	after, err := os.ReadFile(p.path(file))
	if err != nil {
		return errors.Join(failed, err)
	}
	if string(after) == p.engine.Asides().PlanTemplate(p.at) {
		return p.dropTemplate(file, failed)
	}
	plan, err := plans.Check(p.shown(file), after)
	switch {
	case failed != nil:
		return errors.Join(console.UsageError("%v. What you wrote is in %s", failed, p.shown(file)), p.begun(file))
	case err != nil:
		return errors.Join(console.UsageError("%v\nIt stays as it is. Continue with it: autopilot plan %s --edit", err, shell.QuotePath(p.w.Rel)), p.begun(file))
	}
	if file == p.draft {
		if err := os.Rename(p.path(p.draft), p.path(p.place)); err != nil {
			return err
		}
	}
	return p.ready(plan)
}

// begun has the run wait for a plan that a person began and did not finish.
func (p *planning) begun(file string) error {
	if file != p.draft {
		return nil
	}
	return p.mine()
}

// toEdit is the file to open: the plan, where there is one, else the draft; where there is none either it begins as
// the template.
func (p *planning) toEdit() (string, error) {
	for _, file := range []string{p.place, p.draft} {
		if _, err := os.Stat(p.path(file)); !errors.Is(err, os.ErrNotExist) {
			return file, err
		}
	}
	p.own = true
	return p.draft, app.WriteFile(p.path(p.draft), []byte(p.engine.Asides().PlanTemplate(p.at)))
}

// dropTemplate removes a template that nothing was written into.
func (p *planning) dropTemplate(file string, failed error) error {
	err := os.Remove(p.path(file))
	_ = os.Remove(filepath.Dir(p.path(file))) // only when nothing else is in it
	if failed != nil {
		return errors.Join(failed, err)
	}
	fmt.Fprintln(p.host.Out, "Nothing was changed, so no plan was kept.")
	return errors.Join(err, &console.CodedError{Code: 3})
}

// openEditor runs the person's editor on a file.
func (p *planning) openEditor(ctx context.Context, file string) error {
	editor := cmp.Or(p.host.Getenv("VISUAL"), p.host.Getenv("EDITOR"), "vi")
	if editor == "vi" && !p.host.Terminal {
		return console.UsageError("there is no terminal for an editor\nWrite the plan yourself: autopilot plan %s --file PLAN.md", shell.QuotePath(p.w.Rel))
	}
	c := exec.CommandContext(ctx, "sh", "-c", editor+` "$1"`, "sh", p.path(file))
	c.Stdin, c.Stdout, c.Stderr, c.Env, c.Dir = p.host.In, console.Unguarded(p.host.Out), console.Unguarded(p.host.Err), p.host.Environ, p.w.Work.Root()
	if err := c.Run(); err != nil {
		return console.UsageError("the editor %s ended with %v. Set EDITOR to one that works here", editor, err)
	}
	return nil
}
