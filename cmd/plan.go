package cmd

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"autopilot/autopilot"
	"autopilot/autopilot/machine"
	"autopilot/autopilot/plainfile"
	"autopilot/autopilot/plans"
	"autopilot/autopilot/shell"
	"autopilot/cmd/app"
	"autopilot/cmd/console"
	"autopilot/sessions/storage"
	"autopilot/spec/plan"
)

type planOptions struct {
	host *console.Host

	edit, draft, interactive bool
	file, phase              string
	run                      *runOptions
}

func newPlan(h *console.Host) *cobra.Command {
	o := &planOptions{host: h, run: newRunOptions(h)}
	o.run.NonInteractive = true
	c := &cobra.Command{
		Use: "plan [SPEC.md]", Short: "Write the plan of a phase yourself",
		Long: "Lets you write the plan of a phase instead of the planner, with --edit, --draft, --interactive or --file. The phase is the\n" +
			"current one, or a later one (--phase). A plan that waits for your approval is replaced. This command starts no\n" +
			"run; the next run uses the plan. Without one of these flags, it prints where to save the plan, and the session waits for\n" +
			"that file when it reaches the phase.",
		Example: "  autopilot plan docs/spec.md --edit          a template in your editor ($VISUAL, $EDITOR)\n" +
			"  autopilot plan docs/spec.md --draft         the planner writes a first version, for you to edit\n" +
			"  autopilot plan docs/spec.md --interactive   together with the agent program, in its interactive mode\n" +
			"  autopilot plan docs/spec.md --file plan.md  use a plan that you have\n" +
			"  autopilot plan docs/spec.md --edit --phase 3",
		Args: console.MaySpec,
		RunE: func(c *cobra.Command, args []string) error { return runPlan(c.Context(), o, console.First(args)) },
	}
	f := c.Flags()
	f.BoolVar(&o.edit, "edit", false, "open the plan, the draft or a template in your editor ($VISUAL, $EDITOR)")
	f.BoolVar(&o.draft, "draft", false, "have the planner write a first version for you to edit")
	f.BoolVar(&o.interactive, "interactive", false, "write it together with the agent program, in its interactive mode")
	f.StringVar(&o.file, "file", "", "use the plan in `FILE`")
	f.StringVar(&o.phase, "phase", "", "the phase's `NUMBER` in the spec (default: the next phase to plan)")
	o.run.BackendFlags(f, "for the planner (--draft, --interactive)")
	f.Int("max-dispatches", 0, "start no agent if the session has had `N` agent runs (--draft, --interactive; default 200)")
	return c
}

// planning is a session that is held for making a plan.
type planning struct {
	*planOptions
	w      *app.Workspace
	engine *autopilot.Engine
	at     int    // the phase
	place  string // relative to the working tree
	draft  string
	own    bool // all of the plan is a person's: they wrote it from a template, or had it elsewhere
}

func runPlan(ctx context.Context, o *planOptions, spec string) error {
	ways := 0
	for _, way := range []bool{o.edit, o.draft, o.interactive, o.file != ""} {
		if way {
			ways++
		}
	}
	if ways > 1 {
		return console.UsageError("--edit, --draft, --interactive and --file exclude each other: choose one")
	}
	w, session, err := app.OpenSession(ctx, o.host, spec)
	if _, ok := errors.AsType[*storage.LockedError](err); ok {
		return fmt.Errorf("%w\n  or stop it first: autopilot stop %s", err, shell.QuotePath(w.Rel))
	}
	if err != nil {
		return err
	}
	defer session.Close()
	if err := w.OpenTree(ctx, session.State()); err != nil {
		return err
	}
	cfg, _, err := o.run.configure(w)
	if err != nil {
		return err
	}
	p := &planning{planOptions: o, w: w}
	if p.engine, err = newEngine(ctx, o.run, w, cfg, session); err != nil {
		return err
	}
	if err := p.engine.Asides().EndAside(ctx); err != nil {
		return err
	}
	if p.at, err = p.engine.Plans().Planning(o.phase); err != nil {
		return err
	}
	if p.place, p.draft, err = p.engine.Plans().Place(p.at); err != nil {
		return err
	}
	if o.draft || o.interactive {
		if err := p.askTrust(ctx); err != nil {
			return err
		}
	}
	return p.make(ctx)
}

// askTrust asks about what the repository's own files run and reach. Unlike a gate, that question is asked at the terminal
// here too.
func (p *planning) askTrust(ctx context.Context) error {
	asking := app.RunFlags{Host: p.host, Trust: p.run.Trust}
	remarks, err := asking.AskTrust(ctx, p.engine.Backends.(*app.Backends), p.w.Work, p.w.Granted(p.engine.Journal.State()))
	for _, line := range remarks {
		fmt.Fprintln(p.host.Err, console.Told(line, p.host.Columns()))
	}
	return err
}

// make goes the way that was chosen.
func (p *planning) make(ctx context.Context) error {
	switch {
	case p.file != "":
		return p.take()
	case p.edit:
		return p.inEditor(ctx)
	case p.planOptions.draft:
		return p.fromPlanner(ctx)
	case p.interactive:
		return p.together(ctx)
	}
	if err := p.mine(); err != nil {
		return err
	}
	spec := shell.QuotePath(p.w.Rel)
	return p.host.Say("Save the plan as\n  %s\nOr have it made:\n  autopilot plan %s --edit\n  autopilot plan %s --draft\n  autopilot plan %s --file FILE", p.shown(p.place), spec, spec, spec)
}

// path is a path of the working tree, absolute.
func (p *planning) path(rel string) string {
	return filepath.Join(p.w.Work.Root(), filepath.FromSlash(rel))
}

// shown is such a path relative to where the command runs: a session may have a working tree of its own.
func (p *planning) shown(rel string) string {
	return plainfile.RelTo(p.path(rel), p.host.Dir, p.w.Work.Root())
}

// mine has the run that comes to the phase wait for the person's plan.
func (p *planning) mine() error {
	if p.engine.Plans().HumansPlan(p.at) || p.engine.Plans().Approving(p.at) {
		return nil
	}
	return p.engine.Plans().Bring(p.at, "", "human", "")
}

// take takes an existing plan. One that lies where plans lie stays there; any other is put into its place.
func (p *planning) take() error {
	src, err := plainfile.Read(p.host.Path(p.file))
	if err != nil {
		return console.UsageError("cannot read the plan: %v\nName the file that has it, or begin one: autopilot plan %s --edit", err, shell.QuotePath(p.w.Rel))
	}
	plan, err := plans.Check(p.file, src)
	if err != nil {
		return err
	}
	if there := p.engine.Plans().InPlans(p.host.Path(p.file)); there != "" && !p.engine.Plans().Approving(p.at) {
		p.place = there
		return p.ready(plan)
	}
	if err := p.makeRoom(src); err != nil {
		return err
	}
	if err := app.WriteFile(p.path(p.place), src); err != nil {
		return err
	}
	p.own = p.engine.Plans().Inside(p.host.Path(p.file)) == ""
	return p.ready(plan)
}

// makeRoom keeps the plan that is in the place, where it says something else, as a draft. One that a person made, and
// that does not wait for approval, is not replaced unasked.
func (p *planning) makeRoom(src []byte) error {
	old, err := os.ReadFile(p.path(p.place))
	if errors.Is(err, os.ErrNotExist) || err == nil && bytes.Equal(old, src) {
		return nil
	}
	if err != nil {
		return err
	}
	if p.engine.Plans().HumansPlan(p.at) && !p.engine.Plans().Approving(p.at) {
		return console.UsageError("%s is there already and says something else. Edit it (autopilot plan %s --edit), or remove it first", p.shown(p.place), shell.QuotePath(p.w.Rel))
	}
	const ext = ".draft.md"
	kept, err := storage.FreeName(p.host.Storage(), strings.TrimSuffix(p.path(p.draft), ext), ext)
	if err != nil {
		return err
	}
	if err := app.WriteFile(kept, old); err != nil {
		return err
	}
	return p.host.Say("The plan that was there is kept as %s.", plainfile.RelTo(kept, p.host.Dir, p.w.Work.Root()))
}

// fromPlanner has the planner write a first version beside the plan's place, where no run takes it for the plan.
func (p *planning) fromPlanner(ctx context.Context) error {
	if there, err := os.ReadFile(p.path(p.draft)); err == nil && string(there) != p.engine.Asides().PlanTemplate(p.at) {
		return console.UsageError("%s is there already, and would be lost. Go on with it, or remove it first: autopilot plan %s --edit", p.shown(p.draft), shell.QuotePath(p.w.Rel))
	}
	if err := p.engine.Asides().Draft(ctx, p.at, p.draft); err != nil {
		return err
	}
	if err := p.mine(); err != nil {
		return err
	}
	if _, err := os.Stat(p.path(p.place)); err == nil {
		return p.host.Say("A draft is in %s. The plan %s stays as it is; take over what you like: autopilot plan %s --edit", p.shown(p.draft), p.shown(p.place), shell.QuotePath(p.w.Rel))
	}
	return p.host.Say("A draft is in %s. Make it your plan, changed or as it is: autopilot plan %s --edit", p.shown(p.draft), shell.QuotePath(p.w.Rel))
}

// ready has the next run take the plan: it is the phase's by the person's word, whatever else lies beside it. One that
// waits for approval is found to be edited, and weighed again.
func (p *planning) ready(plan *plan.Plan) error {
	own := ""
	if p.own {
		own = plan.SHA256
	}
	if !p.engine.Plans().Approving(p.at) {
		if err := p.engine.Plans().Bring(p.at, p.place, "human", own); err != nil {
			return err
		}
	}
	return p.host.Say("The plan %s has %s. Continue with: autopilot %s", p.shown(p.place), machine.Plural(len(plan.Tasks), "task", "tasks"), shell.QuotePath(p.w.Rel))
}
