package cmd

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/spf13/cobra"

	"autopilot/autopilot"
	"autopilot/autopilot/git"
	"autopilot/autopilot/machine"
	"autopilot/sessions"
)

type planOptions struct {
	host *Host

	edit, draft, interactive bool
	file                     string
	run                      runOptions
}

func newPlan(h *Host) *cobra.Command {
	o := &planOptions{host: h, run: runOptions{host: h, nonInteractive: true}}
	c := &cobra.Command{
		Use: "plan SPEC.md", Short: "Make the plan of the current phase by hand",
		Long: "Makes the plan that a phase of high complexity waits for, or replaces one that waits for approval. It goes on with\n" +
			"nothing: the next run picks the plan up. Without a flag it says where the plan belongs.",
		Example: "  autopilot plan docs/spec.md --edit          a template in your editor ($VISUAL, $EDITOR)\n" +
			"  autopilot plan docs/spec.md --draft         the planner writes a first version, for you to edit\n" +
			"  autopilot plan docs/spec.md --interactive   with the agent program, in its own interactive mode\n" +
			"  autopilot plan docs/spec.md --file plan.md  take a plan that you have",
		Args: oneSpec,
		RunE: func(c *cobra.Command, args []string) error { return runPlan(c.Context(), o, args[0]) },
	}
	f := c.Flags()
	f.BoolVar(&o.edit, "edit", false, "open a template, the draft, or the plan in your editor")
	f.BoolVar(&o.draft, "draft", false, "have the planner write a first version, beside where the plan belongs")
	f.BoolVar(&o.interactive, "interactive", false, "make it together with the planner's program, in its own interactive mode")
	f.StringVar(&o.file, "file", "", "take the plan from this `FILE`")
	f.StringVar(&o.run.backend, "backend", "", "the backend that plays the planner (--draft)")
	f.StringVar(&o.run.model, "model", "", "the model that it uses (--draft)")
	f.StringVar(&o.run.replay, "replay", "", "play recorded turns from a `FILE` (--draft)")
	return c
}

// planning is a session that is held for making a plan.
type planning struct {
	*planOptions
	w      *workspace
	engine *autopilot.Engine
	place  string // relative to the working tree
	draft  string
}

func runPlan(ctx context.Context, o *planOptions, spec string) error {
	ways := 0
	for _, way := range []bool{o.edit, o.draft, o.interactive, o.file != ""} {
		if way {
			ways++
		}
	}
	if ways > 1 {
		return usageError("--edit, --draft, --interactive and --file exclude each other: choose one")
	}
	w, err := findWorkspace(ctx, o.host, spec, git.Find)
	if err != nil {
		return err
	}
	session, err := sessions.Open(w.session, w.sessionOptions(ctx))
	if err != nil {
		return w.missing(err)
	}
	defer session.Close()
	w.workTree = session.State().WorkTree
	if err := w.openTree(ctx, session.State().Branch); err != nil {
		return err
	}
	cfg, _, err := loadConfig(o.host, w.repo.Root(), "", nil)
	if err != nil {
		return err
	}
	p := &planning{planOptions: o, w: w}
	if p.engine, err = newEngine(&o.run, w, cfg, session); err != nil {
		return err
	}
	if err := p.engine.Planning(); err != nil {
		return err
	}
	if p.place, p.draft, err = p.engine.PlanPlace(ctx); err != nil {
		return err
	}
	switch {
	case o.file != "":
		return p.take()
	case o.edit:
		return p.inEditor(ctx)
	case o.draft:
		return p.fromPlanner(ctx)
	case o.interactive:
		return p.together(ctx)
	}
	return o.host.say("The plan belongs into\n  %s\nWrite it there, or have it made:\n  autopilot plan %s --edit\n  autopilot plan %s --draft\n  autopilot plan %s --file FILE", p.place, quoteArg(w.rel), quoteArg(w.rel), quoteArg(w.rel))
}

// path is a path of the working tree, absolute.
func (p *planning) path(rel string) string {
	return filepath.Join(p.w.work.Root(), filepath.FromSlash(rel))
}

// take puts an existing plan into its place.
func (p *planning) take() error {
	src, err := os.ReadFile(p.host.path(p.file))
	if err != nil {
		return usageError("cannot read the plan: %v", err)
	}
	plan, err := autopilot.CheckPlan(p.file, src)
	if err != nil {
		return err
	}
	old, err := os.ReadFile(p.path(p.place))
	if err == nil && !bytes.Equal(old, src) && p.host.path(p.file) != p.path(p.place) {
		return usageError("%s is there already and says something else. Edit it (autopilot plan %s --edit), or remove it first", p.place, quoteArg(p.w.rel))
	}
	if err := writeFile(p.path(p.place), src); err != nil {
		return err
	}
	return p.ready(len(plan.Tasks))
}

// inEditor opens the plan, else the draft, else a template. A file that comes back as it was is not kept.
func (p *planning) inEditor(ctx context.Context) error {
	before, err := os.ReadFile(p.path(p.place))
	fresh := errors.Is(err, os.ErrNotExist)
	if fresh {
		if before, err = os.ReadFile(p.path(p.draft)); errors.Is(err, os.ErrNotExist) {
			before, err = []byte(p.engine.PlanTemplate()), nil
		}
	}
	if err != nil {
		return err
	}
	if err := writeFile(p.path(p.place), before); err != nil {
		return err
	}
	if err := p.openEditor(ctx); err != nil {
		return err
	}
	after, err := os.ReadFile(p.path(p.place))
	if err != nil {
		return err
	}
	if fresh && bytes.Equal(before, after) {
		fmt.Fprintln(p.host.Out, "Nothing was changed, so no plan was kept.")
		err := os.Remove(p.path(p.place))
		_ = os.Remove(filepath.Dir(p.path(p.place))) // only when nothing else is in it
		return errors.Join(err, &codedError{code: 3})
	}
	plan, err := autopilot.CheckPlan(p.place, after)
	if err != nil {
		return err
	}
	if err := os.Remove(p.path(p.draft)); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	return p.ready(len(plan.Tasks))
}

// openEditor runs the person's editor on the plan.
func (p *planning) openEditor(ctx context.Context) error {
	editor := first(p.host.Getenv("VISUAL"), p.host.Getenv("EDITOR"), "vi")
	c := exec.CommandContext(ctx, "sh", "-c", editor+` "$1"`, "sh", p.path(p.place))
	c.Stdin, c.Stdout, c.Stderr, c.Env, c.Dir = p.host.In, p.host.Out, p.host.Err, p.host.Environ, p.w.work.Root()
	if err := c.Run(); err != nil {
		return usageError("the editor %s ended with %v. Set EDITOR to one that works here; the plan so far is %s", editor, err, p.place)
	}
	return nil
}

// fromPlanner has the planner write a first version beside the plan's place, where no run takes it for the plan.
func (p *planning) fromPlanner(ctx context.Context) error {
	if err := p.engine.Draft(ctx, p.draft); err != nil {
		return err
	}
	return p.host.say("A draft is in %s. Make it your plan: autopilot plan %s --edit", p.draft, quoteArg(p.w.rel))
}

func (p *planning) ready(tasks int) error {
	return p.host.say("The plan %s has %s. Go on with: autopilot %s", p.place, machine.Plural(tasks, "task", "tasks"), quoteArg(p.w.rel))
}
