// Package report is the command report: it shows what a session built, what to look at, and what it cost, as one HTML file, as
// Markdown, or as the body of a pull request.
//
// It only reads: the journal, the files beside it, and git. It takes no lock, so that it works while a run is alive. Gather
// reads what the short forms are made of, for the end of a run and for summary.md as well.
//
//	root.AddCommand(report.New(host)) // writes docs/spec-report.html unless told otherwise
package report

import (
	"context"
	"os"
	"path"
	"strings"

	"github.com/spf13/cobra"

	"autopilot/autopilot/plainfile"
	"autopilot/cmd/app"
	"autopilot/cmd/console"
	"autopilot/sessions/report"
)

type options struct {
	host *console.Host

	out              string
	markdown, pr, at bool
}

// New is the command report.
func New(h *console.Host) *cobra.Command {
	o := &options{host: h}
	c := &cobra.Command{
		Use: "report [SPEC.md]", Short: "Write a report: what a session built, what to review, what it cost",
		Long: `Writes one HTML file, without scripts or external resources: the success criteria with their evidence, a timeline, each
phase with its plan, attempts and checks, the findings, the decisions, and the cost. You can write it during a run too.`,
		Example: "  autopilot report\n  autopilot report docs/spec.md -o report.html --open\n  autopilot report docs/spec.md --md", Args: cobra.MaximumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error { return runReport(c.Context(), o, args) },
	}
	c.Flags().StringVarP(&o.out, "output", "o", "", "write to `FILE`, or - for standard output (default: limits-report.html for limits.md, in this folder; with --md or --pr, standard output)")
	c.Flags().BoolVar(&o.markdown, "md", false, "write Markdown")
	c.Flags().BoolVar(&o.pr, "pr", false, "write a pull request description (opens nothing)")
	c.Flags().BoolVar(&o.at, "open", false, "open the file in a browser")
	return c
}

func runReport(ctx context.Context, o *options, args []string) error {
	if o.at && (o.markdown || o.pr || o.out == "-") {
		return console.UsageError("--open shows an HTML file: leave --md, --pr and -o - out")
	}
	w, err := app.FindSession(ctx, o.host, console.First(args))
	if err != nil {
		return err
	}
	if o.pr || o.markdown {
		return o.short(ctx, w)
	}
	page, err := Page(ctx, w)
	if err != nil {
		return err
	}
	name := strings.TrimSuffix(path.Base(w.Rel), path.Ext(w.Rel)) + "-report.html"
	if err := o.write(page, name); err != nil || !o.at {
		return err
	}
	if o.out != "" {
		name = o.out
	}
	return console.Browse(ctx, o.host.Path(name))
}

// short writes one of the short forms.
func (o *options) short(ctx context.Context, w *app.Workspace) error {
	cfg, _, err := app.LoadConfig(o.host, w.Repo.Root(), "", nil)
	if err != nil {
		return err
	}
	f, err := Gather(ctx, w, cfg)
	if err != nil {
		return err
	}
	if o.pr {
		return o.write([]byte(report.PullRequest(f, "")), "-")
	}
	return o.write([]byte(report.Markdown(f)), "-")
}

// Page is the report of a session as one HTML file.
func Page(ctx context.Context, w *app.Workspace) ([]byte, error) {
	cfg, _, err := app.LoadConfig(w.Host, w.Repo.Root(), "", nil)
	if err != nil {
		return nil, err
	}
	f, err := Gather(ctx, w, cfg)
	if err != nil {
		return nil, err
	}
	files(ctx, w, cfg, &f)
	return report.Page(f)
}

// write writes to the file that the user named, or to that of the default; "-" is standard output.
func (o *options) write(data []byte, otherwise string) error {
	name := otherwise
	if o.out != "" {
		name = o.out
	}
	if name == "-" {
		_, err := o.host.Out.Write(data)
		return err
	}
	if err := os.WriteFile(o.host.Path(name), data, plainfile.PrivateFile); err != nil {
		return console.UsageError("can't write %s: %v", name, err)
	}
	return o.host.Say("Report: %s", name)
}
