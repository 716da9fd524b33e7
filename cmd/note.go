package cmd

import (
	"context"
	"errors"
	"strings"

	"github.com/spf13/cobra"

	"autopilot/autopilot/machine"
	"autopilot/autopilot/shell"
	"autopilot/autopilot/words"
	"autopilot/cmd/app"
	"autopilot/cmd/console"
	"autopilot/sessions"
	"autopilot/sessions/storage"
)

func newNote(h *console.Host) *cobra.Command {
	return &cobra.Command{
		Use: "note SPEC.md TEXT", Short: "Send a note to the next agent run",
		Long:    "Adds your note to the prompt of the next agent run. It works during a run too: the agent at work now doesn't see it, the\nnext one does.",
		Example: "  autopilot note docs/spec.md \"keep the old flag\"",
		Args: func(c *cobra.Command, args []string) error {
			if len(args) != 2 || strings.TrimSpace(args[1]) == "" {
				return console.UsageError("note takes a spec and a text: %s", words.FirstLine(c.Example))
			}
			if n := len(args[1]); n > sessions.MaxNote {
				return console.UsageError("the note has %d bytes, and %d fit: put the text into a file of the repository, and name that in the note", n, sessions.MaxNote)
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error { return runNote(c.Context(), h, args[0], args[1]) },
	}
}

func runNote(ctx context.Context, h *console.Host, spec, text string) error {
	w, session, err := app.OpenSession(ctx, h, spec)
	if _, ok := errors.AsType[*storage.LockedError](err); ok {
		if err := sessions.PostNote(w.Session, sessions.Note{Text: text}, h.Now()); err != nil {
			return err
		}
		return h.Say("Saved. The running session gives it to its next agent run.")
	}
	if err != nil {
		return err
	}
	defer session.Close()
	if session.State().CurrentState == machine.Done {
		return console.UsageError("the session of %s is done, so no agent would read the note\nAdd a phase to the spec and run it, or redo one: autopilot phases %s redo N",
			w.Rel, shell.QuotePath(w.Rel))
	}
	if _, err := session.Apply(machine.Event{Type: machine.Noted, Detail: text}); err != nil {
		return err
	}
	return h.Say("Saved. The next agent run gets this note. Continue with: autopilot %s", shell.QuotePath(w.Rel))
}
