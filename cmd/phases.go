package cmd

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"autopilot/autopilot/machine"
	"autopilot/autopilot/shell"
	"autopilot/cmd/app"
	"autopilot/cmd/console"
	"autopilot/sessions/view"
)

type phasesOptions struct {
	console.Output
	reason  string
	confirm bool
}

func newPhases(h *console.Host) *cobra.Command {
	o := &phasesOptions{Output: console.Output{Host: h}}
	c := o.WithJSON("one JSON array (list only)", &cobra.Command{
		Use: "phases [SPEC.md] [list | skip N | reorder N,M,… | redo N]", Short: "List, skip, reorder or redo the phases of a session",
		Long: "Lists the phases of a session, and changes them while the session is not running. N is the phase's number in the spec.\n" +
			"skip and reorder are for phases that haven't begun; give reorder all of them, in the order you want. redo runs a phase\n" +
			"again; it doesn't run later phases again.",
		Example: "  autopilot phases docs/spec.md\n  autopilot phases skip 3 --reason \"not in this release\"\n" +
			"  autopilot phases docs/spec.md reorder 4,3\n  autopilot phases docs/spec.md redo 1 --confirm",
		Args: cobra.MaximumNArgs(3),
		RunE: func(c *cobra.Command, args []string) error { return runPhases(c.Context(), o, args) },
	})
	c.Flags().BoolVar(&o.confirm, "confirm", false, "answer yes to the question that redo asks if the session is done")
	c.Flags().StringVar(&o.reason, "reason", "", "save this `TEXT` with the session's decisions: why")
	return c
}

func runPhases(ctx context.Context, o *phasesOptions, args []string) error {
	if len(args) > 0 && slices.Contains([]string{"list", "skip", "reorder", "redo"}, args[0]) {
		args = append([]string{""}, args...) // the only session is meant
	}
	if len(args) < 2 || (len(args) == 2 && args[1] == "list") {
		w, s, err := app.ReadSession(ctx, o.Host, console.First(args))
		if err != nil {
			return err
		}
		return o.list(w.View(ctx, s))
	}
	if len(args) != 3 {
		return console.UsageError("phases takes a spec, then list, skip N, reorder N,M,… or redo N. An example: autopilot phases docs/spec.md skip 3")
	}
	w, session, err := app.OpenSession(ctx, o.Host, args[0])
	if err != nil {
		return err
	}
	defer session.Close()
	ev, err := o.event(session.State(), args[1], args[2])
	if err != nil {
		return err
	}
	if done := session.State().CurrentState == machine.Done; done && ev.Type == machine.PhaseRedone && !o.confirm {
		yes, err := o.Agreed(ctx, "The session is done. Open it again, and redo phase "+args[2]+"?",
			"the session is done, and redo opens it again, with no way back. To take commits off the branch instead: autopilot undo")
		if err != nil || !yes {
			return err
		}
	}
	after, err := session.Apply(ev)
	if err != nil {
		return console.UsageError("%v", err)
	}
	if err := o.list(w.View(ctx, after)); err != nil {
		return err
	}
	if ev.Type == machine.PhaseRedone {
		o.after(after)
	}
	_, err = fmt.Fprintf(o.Err, "Continue with: autopilot %s\n", shell.QuotePath(w.Rel))
	return err
}

// event is what a verb stands for in the journal.
func (o *phasesOptions) event(s machine.State, verb, arg string) (machine.Event, error) {
	positions := map[string]int{}
	for i, p := range slices.Backward(s.Phases) {
		positions[strings.ToLower(p.Number)] = i + 1
	}
	var wanted []int
	for _, number := range strings.Split(arg, ",") {
		at, ok := positions[strings.ToLower(strings.TrimSpace(number))]
		if !ok {
			return machine.Event{}, console.UsageError("there is no phase %s; autopilot phases %s lists them", strconv.Quote(number), shell.QuotePath(s.SpecPath))
		}
		wanted = append(wanted, at)
	}
	if verb != "reorder" && len(wanted) != 1 {
		return machine.Event{}, console.UsageError("%s takes one phase. An example: autopilot phases docs/spec.md %s 3", verb, verb)
	}
	switch verb {
	case "skip":
		return machine.Event{Type: machine.PhaseLeftOut, Phase: wanted[0], Detail: o.reason, By: "human"}, nil
	case "redo":
		return machine.Event{Type: machine.PhaseRedone, Phase: wanted[0], Detail: o.reason, By: "human"}, nil
	case "reorder":
		return machine.Event{Type: machine.PhasesReordered, Order: wanted, Detail: o.reason, By: "human"}, nil
	}
	return machine.Event{}, console.UsageError("%q is none of list, skip, reorder, redo. An example: autopilot phases docs/spec.md skip 3", verb)
}

func (o *phasesOptions) list(v view.Session) error {
	if o.JSON {
		return o.Encode(v.Phases)
	}
	for _, p := range v.Phases {
		mark := " "
		if p.Position == v.Phase && v.Standing != view.Finished {
			mark = ">"
		}
		if _, err := fmt.Fprintln(o.Out, console.Wrapped(phaseLine(mark, p), o.OutWidth(), nameColumn)); err != nil {
			return err
		}
	}
	return nil
}

// nameColumn is where the name of a phase begins in its line.
const nameColumn = 32

func phaseLine(mark string, p view.Phase) string {
	return fmt.Sprintf("%s phase %-4s %-11s %-6s %s", mark, console.Clean(p.Number), p.Status, p.Complexity, console.Clean(p.Name))
}

// after names what stands after a phase that is done again, and stays as it is.
func (o *phasesOptions) after(s machine.State) {
	for _, p := range s.Phases[s.CurrentPhase+1:] {
		if p.Status == machine.PhaseDone {
			fmt.Fprintf(o.Err, "Phase %s (%s) was built on it and stays as it is.\n", console.Clean(p.Number), console.Clean(p.Name))
		}
	}
}
