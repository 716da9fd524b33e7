package cmd

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"autopilot/autopilot/machine"
	"autopilot/autopilot/shell"
	"autopilot/cmd/app"
	"autopilot/cmd/console"
	"autopilot/sessions"
	"autopilot/sessions/storage"
	"autopilot/sessions/view"
)

type findingsOptions struct {
	console.Output
	reason string
}

func newFindings(h *console.Host) *cobra.Command {
	o := &findingsOptions{Output: console.Output{Host: h}}
	c := o.WithJSON("one JSON array (list only)", &cobra.Command{
		Use: "findings [SPEC.md] [dismiss ID]", Short: "List the findings of a session, or dismiss one",
		Long: "Lists what the reviewer, the verifier and autopilot's own checks found. A finding is critical, important or a suggestion, and\n" +
			"its status is open, fixed, dismissed (it's wrong), waived (you continued despite it) or gone (its file was deleted). A\n" +
			"finding that you dismiss stays on record but no longer blocks. You can dismiss one during a run too.",
		Example: "  autopilot findings docs/spec.md\n  autopilot findings docs/spec.md dismiss F3 --reason \"the list is never empty\"",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) < 2 || len(args) == 3 && args[1] == "dismiss" {
				return nil
			}
			return console.UsageError("findings takes a spec, or a spec, dismiss and an id: autopilot findings docs/spec.md dismiss F3 --reason \"…\"")
		},
		RunE: func(c *cobra.Command, args []string) error { return runFindings(c.Context(), o, args) },
	})
	c.Flags().StringVar(&o.reason, "reason", "", "record this `TEXT`: why the finding doesn't apply (needed to dismiss)")
	return c
}

func runFindings(ctx context.Context, o *findingsOptions, args []string) error {
	if len(args) == 3 {
		return o.dismiss(ctx, args[0], strings.ToUpper(args[2]))
	}
	w, s, err := app.ReadSession(ctx, o.Host, console.First(args))
	if err != nil {
		return err
	}
	v := w.View(ctx, s)
	if o.JSON {
		return o.Encode(v.Findings)
	}
	if len(v.Findings) == 0 {
		return o.Say("Nothing was found yet.")
	}
	for _, e := range v.Findings {
		line := fmt.Sprintf("%-4s %-9s %s (%s)", e.ID, e.Fate, console.Clean(e.Finding.String()), console.Clean(foundBy(v, e)))
		if _, err := fmt.Fprintln(o.Out, console.Wrapped(line, o.OutWidth(), 15)); err != nil {
			return err
		}
	}
	return nil
}

// foundBy says of a finding who found it, in which phase, and what became of it.
func foundBy(v view.Session, e machine.Entry) string {
	where := "final review"
	if e.Phase > len(v.Phases) {
		where = "a phase that is gone"
	} else if e.Phase > 0 {
		where = "phase " + v.Phases[e.Phase-1].Number
	}
	became := strings.TrimPrefix(strings.TrimPrefix(e.Became(), string(e.Fate)), " ") // the column before has it
	return strings.Join(slices.DeleteFunc([]string{where, e.Source, became}, func(p string) bool { return p == "" }), ", ")
}

// dismiss closes a finding as a person's word; where a live run holds the session, through its inbox.
func (o *findingsOptions) dismiss(ctx context.Context, spec, id string) error {
	if strings.TrimSpace(o.reason) == "" {
		return console.UsageError("dismiss needs a reason: autopilot findings %s dismiss %s --reason \"…\"", shell.QuotePath(spec), id)
	}
	if n := len(o.reason); n > sessions.MaxNote {
		return console.UsageError("the reason is too long: %d bytes, the limit is %d", n, sessions.MaxNote)
	}
	by := cmp.Or(o.By, "human")
	w, session, err := app.OpenSession(ctx, o.Host, spec)
	if _, ok := errors.AsType[*storage.LockedError](err); ok {
		return o.leave(w, sessions.Note{Text: o.reason, Finding: id, By: by})
	}
	if err != nil {
		return err
	}
	defer session.Close()
	if err := dismissable(session.State(), id); err != nil {
		return err
	}
	if _, err := session.Apply(machine.Event{Type: machine.FindingDismissed, Finding: id, Detail: o.reason, By: by}); err != nil {
		return err
	}
	return o.Say("Dismissed %s.", id)
}

// leave puts the wish to dismiss a finding into the inbox of a live run.
func (o *findingsOptions) leave(w *app.Workspace, note sessions.Note) error {
	s, _, err := sessions.Read(w.Session, app.SessionOptions(o.Host))
	if err != nil {
		return err
	}
	if err := dismissable(s, note.Finding); err != nil {
		return err
	}
	if err := sessions.PostNote(w.Session, note, o.Now()); err != nil {
		return err
	}
	return o.Say("Saved. The running session takes it before its next agent run.")
}

// dismissable says why a finding cannot be dismissed.
func dismissable(s machine.State, id string) error {
	at := slices.IndexFunc(s.Register, func(e machine.Entry) bool { return e.ID == id })
	switch {
	case at < 0:
		return console.UsageError("there is no finding %s; autopilot findings %s lists them", console.Clean(id), shell.QuotePath(s.SpecPath))
	case s.Register[at].Fate != machine.FateOpen:
		return console.UsageError("%s is %s already", id, s.Register[at].Fate)
	}
	return nil
}
