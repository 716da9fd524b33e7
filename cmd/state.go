package cmd

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"autopilot/autopilot/git"
	"autopilot/cmd/app"
	"autopilot/cmd/console"
	"autopilot/cmd/look"
	"autopilot/sessions"
	"autopilot/sessions/legacy"
	"autopilot/sessions/view"
	"autopilot/spec"
)

type stateOptions struct{ console.Output }

func newState(h *console.Host) *cobra.Command {
	o := &stateOptions{console.Output{Host: h}}
	c := &cobra.Command{
		Use: "state", Short: "Show a session's saved state, for scripts and bug reports", Example: "  autopilot state show docs/spec.md",
	}
	c.AddCommand(o.WithJSON("the whole state as one JSON object, with what would be repaired under imported", &cobra.Command{
		Use: "show FILE|SPEC.md", Short: "Show a session's saved state, as this version reads it (writes nothing)",
		Long:    "Shows a session's saved state, or an old state file, as this version would read it, and what would be repaired. For scripts\nand bug reports; for daily use see autopilot status.",
		Example: "  autopilot state show docs/spec.md\n  autopilot state show .harness/autopilot-state.json --json", Args: console.OneSpec,
		RunE: func(c *cobra.Command, args []string) error { return runStateShow(c.Context(), o, args[0]) },
	}))
	return c
}

func runStateShow(ctx context.Context, o *stateOptions, arg string) error {
	v, err := o.look(ctx, arg)
	if err != nil {
		return err
	}
	if o.JSON {
		_, err = o.Out.Write(v.Document)
		return err
	}
	if err := look.Print(o.Host, view.Of(view.Facts{State: v.State, At: o.Now()})); err != nil {
		return err
	}
	fmt.Fprintf(o.Out, "State: %s, step %s\n", v.State.CurrentState, v.State.Step)
	for _, line := range v.Imported {
		fmt.Fprintf(o.Out, "Imported: %s\n", console.Clean(line))
	}
	return nil
}

// look reads the session of a spec, or a file by itself. A file needs no repository.
func (o *stateOptions) look(ctx context.Context, arg string) (sessions.View, error) {
	if strings.HasSuffix(arg, ".md") {
		return o.lookAtSpec(ctx, arg)
	}
	file := o.Path(arg)
	if err := app.PlainAbove(file); err != nil {
		return sessions.View{}, err
	}
	v, err := sessions.Look(file, o.fileOptions(ctx, file))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return v, console.UsageError("there is no file %s. Name a state file or a spec: autopilot state show docs/spec.md", arg)
	case errors.Is(err, sessions.ErrNoSession):
		return v, console.UsageError("%s holds no session. Name a state file or a spec: autopilot state show docs/spec.md", arg)
	}
	return v, err
}

func (o *stateOptions) lookAtSpec(ctx context.Context, arg string) (sessions.View, error) {
	w, err := app.FindSession(ctx, o.Host, arg)
	if err != nil {
		return sessions.View{}, err
	}
	v, err := sessions.Look(w.Older(), w.SessionOptions(ctx))
	if errors.Is(err, fs.ErrNotExist) {
		err = sessions.ErrNoSession
	}
	return v, w.Missing(err)
}

// fileOptions ask the repository whose .harness the file lies in; of any other file the session's name is all that can
// be told.
func (o *stateOptions) fileOptions(ctx context.Context, file string) sessions.Options {
	opts := app.SessionOptions(o.Host)
	if repo, err := git.Find(ctx, app.NearestFolder(file)); err == nil {
		if real, err := filepath.EvalSymlinks(file); err == nil && strings.HasPrefix(real, filepath.Join(repo.Root(), ".harness")+string(os.PathSeparator)) {
			w := &app.Workspace{Host: o.Host, Repo: repo}
			return w.SessionOptions(ctx)
		}
	}
	opts.Spec = func(named string) (legacy.SpecText, error) {
		slug, err := spec.SessionSlug(filepath.ToSlash(named))
		if err == nil {
			err = errors.New("the file lies in no repository's .harness")
		}
		return legacy.SpecText{Slug: slug}, err
	}
	return opts
}
