// Package undo is the command undo: it takes a phase's commits off the session's branch, sets the session back to where the phase
// began, and takes that back.
//
// What may go and what is done is package autopilot/undo; here it is shown and asked about. A pull request is looked for with
// whatever forge the root command has.
//
//	root.AddCommand(undo.New(host, forge))
package undo

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"autopilot/autopilot/machine"
	"autopilot/autopilot/pullrequest"
	"autopilot/autopilot/shell"
	core "autopilot/autopilot/undo"
	"autopilot/autopilot/words"
	"autopilot/cmd/app"
	"autopilot/cmd/console"
	"autopilot/sessions"
)

// Forge finds the pull requests of a session's working tree.
type Forge func(*app.Workspace) pullrequest.Forge

type options struct {
	*console.Host
	forge                 Forge
	phase                 string
	dryRun, confirm, back bool
}

// New is the command undo.
func New(h *console.Host, forge Forge) *cobra.Command {
	o := &options{Host: h, forge: forge}
	c := &cobra.Command{
		Use: "undo SPEC.md", Short: "Remove a phase's commits and everything after them, and return to where the phase began",
		Long: "Shows which commits, files and decisions would be removed, and asks. You can then run the phase and the later ones again.\n" +
			"The commits stay in the repository; --back restores them, as long as the session hasn't run since. Tokens and cost stay\n" +
			"counted. Commits that are pushed, or that other branches build on, are never removed.",
		Example: "  autopilot undo docs/spec.md --dry-run\n  autopilot undo docs/spec.md\n  autopilot undo docs/spec.md --phase 2 --confirm\n  autopilot undo docs/spec.md --back",
		Args:    console.OneSpec,
		RunE:    func(c *cobra.Command, args []string) error { return o.run(c.Context(), args[0]) },
	}
	f := c.Flags()
	f.StringVar(&o.phase, "phase", "", "undo the phase with this `NUMBER` in the spec, and everything after it (default: the last phase with a commit)")
	f.BoolVar(&o.dryRun, "dry-run", false, "show what would be removed; change nothing")
	f.BoolVar(&o.confirm, "confirm", false, "answer yes to the question that undo asks")
	f.BoolVar(&o.back, "back", false, "take back the last undo")
	return c
}

func (o *options) run(ctx context.Context, spec string) error {
	w, session, err := app.OpenSession(ctx, o.Host, spec)
	if err != nil {
		return err
	}
	defer session.Close()
	if err := w.OpenTree(ctx, session.State()); err != nil {
		return err
	}
	tree, err := app.LockTree(w.Work, o.Host)
	if err != nil {
		return err
	}
	defer tree.Close()
	u := core.Undo{Repo: w.Work, Store: session, Past: &core.Past{}, Others: w.Claims, PullRequest: o.pullRequest(w)}
	if session.State().Undoing != nil {
		return o.finish(ctx, u)
	}
	if _, err := sessions.Replay(w.Session, w.SessionOptions(ctx), u.Past.Take); err != nil {
		return err
	}
	plan, err := o.plan(ctx, u)
	if err != nil {
		return err
	}
	o.show(session.State(), plan)
	if yes, err := o.agreed(ctx, plan); err != nil || !yes {
		return err
	}
	done, err := u.Do(ctx, plan)
	if err != nil {
		return err
	}
	return o.tell(session.State(), done)
}

// finish finishes an undo that was cut off; it was agreed to then.
func (o *options) finish(ctx context.Context, u core.Undo) error {
	if o.dryRun {
		return o.Say("The undo of phase %s was cut off. Finish it:\n  autopilot undo %s", u.Store.State().Undoing.Phase, shell.QuotePath(u.Store.State().SpecPath))
	}
	done, _, err := u.Finish(ctx)
	if err != nil {
		return err
	}
	return o.tell(u.Store.State(), done)
}

func (o *options) plan(ctx context.Context, u core.Undo) (core.Plan, error) {
	s := u.Store.State()
	switch {
	case o.back && o.phase != "":
		return core.Plan{}, console.UsageError("--back takes back the last undo, whatever its phase: leave --phase out")
	case o.back:
		return u.Back(ctx)
	}
	for _, p := range s.Phases {
		if strings.EqualFold(p.Number, o.phase) {
			o.phase = p.Number
			return u.Plan(ctx, o.phase)
		}
	}
	if o.phase != "" {
		return core.Plan{}, console.UsageError("there is no phase %q\n  autopilot phases %s", o.phase, shell.QuotePath(s.SpecPath))
	}
	return u.Plan(ctx, "")
}

// pullRequest asks the forge for an open pull request. Where it can't be asked that is said, and the remote's branches decide.
func (o *options) pullRequest(w *app.Workspace) func(context.Context, string) (string, error) {
	return func(ctx context.Context, branch string) (string, error) {
		if w.Work.Config.RemoteURL(ctx, "origin") == "" {
			return "", nil
		}
		url, err := o.forge(w).Open(ctx, branch)
		if err != nil && ctx.Err() == nil && !errors.Is(err, pullrequest.ErrNoForge) {
			fmt.Fprintln(o.Err, console.Told("Couldn't look for a pull request: "+console.Clean(err.Error()), o.Columns()))
			err = nil
		}
		if errors.Is(err, pullrequest.ErrNoForge) {
			err = nil
		}
		return url, err
	}
}

// most is how many lines of a list are shown.
const most = 20

// show says what goes, or comes back.
func (o *options) show(s machine.State, p core.Plan) {
	if p.Back {
		return
	}
	fmt.Fprintf(o.Out, "Undo phase %s (%s): branch %s goes back to %s.\n", console.Clean(p.Phase), console.Clean(p.Name), s.Branch, words.Commit(p.To))
	var commits, decisions []string
	for _, c := range p.Commits {
		commits = append(commits, words.Commit(c.SHA)+" "+words.FirstLine(c.Message))
	}
	for _, d := range p.Decisions {
		decisions = append(decisions, fmt.Sprintf("%s (phase %s, by %s)", strings.ReplaceAll(d.Decision, "_", " "), s.PhaseNumber(d.Phase), d.By))
	}
	for _, part := range []struct {
		one, many string
		lines     []string
	}{{"commit", "commits", commits}, {"file", "files", p.Files}, {"decision", "decisions", decisions}} {
		if len(part.lines) == 0 {
			continue
		}
		fmt.Fprintf(o.Out, "\n%s\n", machine.Plural(len(part.lines), part.one, part.many))
		for _, line := range words.FirstFew(part.lines, most) {
			fmt.Fprintln(o.Out, console.Wrapped("  "+console.OneLine(console.Clean(line)), o.OutWidth(), 4))
		}
	}
}

// agreed asks. Taking an undo back loses nothing, and needs no word.
func (o *options) agreed(ctx context.Context, p core.Plan) (bool, error) {
	switch {
	case o.dryRun:
		return false, nil
	case p.Back:
		return true, nil
	case o.confirm:
		_, err := fmt.Fprintln(o.Out)
		return true, err
	}
	return o.Agreed(ctx, "Undo phase "+p.Phase+"?", "nothing is undone without your word")
}

// tell says what was done, how to go on, and last how to take it back.
func (o *options) tell(s machine.State, done core.Done) error {
	spec := shell.QuotePath(s.SpecPath)
	text := done.String() + "\nGo on:\n  autopilot " + spec
	if done.Back {
		return o.Say("%s", text+"\nUndo it again:\n  autopilot undo "+spec+" --phase "+shell.QuoteWord(done.Phase))
	}
	return o.Say("%s", text+"\nTake it back:\n  autopilot undo "+spec+" --back")
}
