// Package config is the commands about a repository's configuration: config shows each value and where it comes from, init
// writes autopilot.yaml, the profile of the project and the script that installs its dependencies.
//
// The keys and what they mean are those of autopilot/config. What is there already is never overwritten.
//
//	root.AddCommand(config.New(host), config.NewInit(host))
package config

import (
	"context"
	"fmt"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"autopilot/autopilot/git"
	"autopilot/cmd/app"
	"autopilot/cmd/console"
)

type configOptions struct {
	console.Output
	file string
}

// New is the command config.
func New(h *console.Host) *cobra.Command {
	o := &configOptions{Output: console.Output{Host: h}}
	c := o.WithJSON("one JSON array", &cobra.Command{
		Use: "config", Short: "Show each configuration value and where it was set",
		Example: "  autopilot config\n  autopilot config --json",
		Args:    cobra.NoArgs,
		RunE:    func(c *cobra.Command, _ []string) error { return runConfig(c.Context(), o) },
	})
	c.Flags().StringVar(&o.file, "config", "", "read `FILE` instead of autopilot.yaml")
	return c
}

// runConfig works outside a repository too: then there is no project's file.
func runConfig(ctx context.Context, o *configOptions) error {
	root := ""
	if repo, err := git.Find(ctx, o.Dir); err == nil {
		root = repo.Root()
	}
	_, report, err := app.LoadConfig(o.Host, root, o.file, nil)
	for _, w := range report.Warnings {
		fmt.Fprintln(o.Err, console.Clean(w))
	}
	if err != nil {
		return err
	}
	if o.JSON {
		return o.Encode(report.Values)
	}
	table := tabwriter.NewWriter(o.Out, 0, 4, 2, ' ', 0)
	for _, v := range report.Values {
		fmt.Fprintf(table, "%s\t%s\t%s\n", console.Clean(v.Key), console.Clean(fmt.Sprint(v.Value)), console.Clean(v.Source))
	}
	return table.Flush()
}
