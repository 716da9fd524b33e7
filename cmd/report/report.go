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
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/spf13/cobra"

	"autopilot/autopilot/git"
	"autopilot/autopilot/plainfile"
	"autopilot/autopilot/shell"
	"autopilot/cmd/app"
	"autopilot/cmd/console"
	"autopilot/sessions"
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
		Use: "report [SPEC.md]", Short: "Write what a session built, what to look at and what it cost",
		Long: `Writes one HTML file that needs no script and loads nothing: criteria with their evidence, a timeline, each phase with its
plan, attempts and checks, findings and what became of them, decisions, cost. It works while a run is alive, too.`,
		Example: "  autopilot report\n  autopilot report docs/spec.md -o report.html --open\n  autopilot report docs/spec.md --md", Args: cobra.MaximumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error { return runReport(c.Context(), o, args) },
	}
	c.Flags().StringVarP(&o.out, "output", "o", "", "write to this `FILE`; - is standard output (default SPEC-report.html here, Markdown to standard output)")
	c.Flags().BoolVar(&o.markdown, "md", false, "write Markdown")
	c.Flags().BoolVar(&o.pr, "pr", false, "write the body of a pull request")
	c.Flags().BoolVar(&o.at, "open", false, "open the file in a browser")
	return c
}

func runReport(ctx context.Context, o *options, args []string) error {
	if o.at && (o.markdown || o.pr || o.out == "-") {
		return console.UsageError("--open shows an HTML file: leave --md, --pr and -o - out")
	}
	w, err := o.find(ctx, args)
	if err != nil {
		return err
	}
	cfg, _, err := app.LoadConfig(o.host, w.Repo.Root(), "", nil)
	if err != nil {
		return err
	}
	f, err := Gather(ctx, w, cfg)
	if err != nil {
		return err
	}
	switch {
	case o.pr:
		return o.write([]byte(report.PullRequest(f, "")), "-")
	case o.markdown:
		return o.write([]byte(report.Markdown(f)), "-")
	}
	files(ctx, w, cfg, &f)
	page, err := report.Page(f)
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
	return o.open(ctx, o.host.Path(name))
}

// find finds the session that is meant: the spec's, or the only one.
func (o *options) find(ctx context.Context, args []string) (*app.Workspace, error) {
	if len(args) > 0 {
		return app.FindWorkspace(ctx, o.host, args[0], git.Find)
	}
	repo, err := app.UserRepoAt(ctx, o.host.Dir, git.Find)
	if err != nil {
		return nil, err
	}
	all, err := sessions.List(filepath.Join(repo.Root(), ".harness"), app.SessionOptions(o.host))
	if err != nil {
		return nil, err
	}
	var specs []string
	for _, s := range all {
		if s.Err == nil {
			specs = append(specs, s.State.SpecPath)
		}
	}
	switch len(specs) {
	case 0:
		return nil, console.UsageError("there are no sessions here\nStart one:\n  autopilot docs/spec.md")
	case 1:
		return app.FindWorkspace(ctx, o.host, filepath.Join(repo.Root(), filepath.FromSlash(specs[0])), git.Find)
	}
	lines := ""
	for _, spec := range specs {
		lines += "\n  autopilot report " + shell.QuotePath(spec)
	}
	return nil, console.UsageError("there are several sessions here\nName one:%s", lines)
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

// open shows a file in the user's browser.
func (o *options) open(ctx context.Context, file string) error {
	command := map[string][]string{"darwin": {"open"}, "windows": {"rundll32", "url.dll,FileProtocolHandler"}}[runtime.GOOS]
	if command == nil {
		command = []string{"xdg-open"}
	}
	if err := exec.CommandContext(ctx, command[0], append(command[1:], file)...).Run(); err != nil { //nolint:gosec // a program of ours, with a file that was just written
		return fmt.Errorf("can't open a browser: %w\n  open it yourself: %s", err, file)
	}
	return nil
}
