package cmd

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"autopilot/autopilot/git"
	"autopilot/cmd/app"
	"autopilot/cmd/console"
)

func newList(h *console.Host) *cobra.Command {
	o := &console.Output{Host: h}
	return o.WithJSON("one JSON array", &cobra.Command{
		Use: "list", Short: "List the sessions of the repository, finished ones too", Example: "  autopilot list\n  autopilot list --json",
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return runListAll(c.Context(), o) },
	})
}

func runListAll(ctx context.Context, o *console.Output) error {
	repo, err := app.UserRepoAt(ctx, o.Dir, git.Find)
	if err != nil {
		return err
	}
	all, err := app.WithOlder(o.Host, repo.Root())
	if err != nil {
		return err
	}
	rows := make([]app.Listed, 0, len(all))
	for _, one := range all {
		rows = append(rows, app.RowOf(one))
	}
	if o.JSON {
		return o.Encode(rows)
	}
	if len(rows) == 0 {
		fmt.Fprintln(o.Out, "There are no sessions here. Start one: autopilot docs/spec.md")
	}
	for i, r := range rows {
		if r.Error != "" {
			fmt.Fprintf(o.Out, "%s: cannot be read: %s\n", console.Clean(r.Session), console.Clean(r.Error))
			continue
		}
		fmt.Fprintf(o.Out, "%s  %s  phase %d of %d  %s%s\n    %s\n", console.Clean(r.Spec), r.State, r.Phase, r.Phases, r.LastActive.Format("2006-01-02 15:04"), app.OfOlder(all[i]), console.Clean(r.Next))
	}
	return nil
}
