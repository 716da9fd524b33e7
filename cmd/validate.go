package cmd

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"autopilot/autopilot/git"
	"autopilot/autopilot/halt"
	"autopilot/autopilot/validate"
	"autopilot/cmd/app"
	"autopilot/cmd/console"
)

type validateOptions struct {
	console.Output
	trust bool
}

func newValidate(h *console.Host) *cobra.Command {
	o := &validateOptions{Output: console.Output{Host: h}}
	c := o.WithJSON("one JSON object", &cobra.Command{
		Use: "validate", Short: "Run the project's validation commands on the working tree",
		Long:    "Runs the project's validation commands, as at the end of a phase. Exit code 0: passed, 1: failed or couldn't run, 2: there is\nno command to run, or you don't trust the repository yet.",
		Example: "  autopilot validate\n  autopilot validate --json", Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return runValidate(c.Context(), o) },
	})
	c.Flags().BoolVar(&o.trust, "trust", false, app.TrustFlag)
	return c
}

func runValidate(ctx context.Context, o *validateOptions) error {
	repo, err := app.RepoAt(ctx, o.Dir, git.Find)
	if err != nil {
		return err
	}
	cfg, _, err := app.LoadConfig(o.Host, repo.Root(), "", nil)
	if err != nil {
		return err
	}
	asking := app.RunFlags{Host: o.Host, Trust: o.trust, JSON: o.JSON}
	if _, err := asking.AskTrust(ctx, asking.Backends(repo.Root(), cfg, nil), repo, nil); err != nil {
		return err
	}
	wanted := app.Settings(cfg)
	found, err := validate.Find(repo.Root(), wanted.Validations...)
	if err != nil {
		return err
	}
	if wanted.ValidateNone {
		found = nil
	}
	if !o.JSON {
		defer o.Host.Tick(ctx)()
	}
	runner := validate.Runner{Now: o.Now, Env: o.Environ}
	all := []validate.Evidence{}
	take := func(e validate.Evidence) error {
		if e.Outcome == validate.Interrupted {
			return &console.CodedError{Code: console.ExitCode(ctx, &halt.InterruptedError{}), Err: errors.New("stopped during " + console.Clean(e.Command))}
		}
		all = append(all, e)
		o.show(e)
		return nil
	}
	for _, v := range found {
		if v.Timeout == 0 {
			v.Timeout = wanted.Validation
		}
		if !o.JSON {
			fmt.Fprintf(o.Err, "Running %s\n", console.Clean(v.Command))
		}
		if err := take(runner.Run(ctx, repo.Root(), v)); err != nil {
			return err
		}
	}
	position, err := repo.Position(ctx)
	if err == nil {
		for _, e := range runner.ValidateD(ctx, repo.Root(), position.Head) {
			if err := take(e); err != nil {
				return err
			}
		}
	}
	return o.verdict(all)
}

func (o *validateOptions) show(e validate.Evidence) {
	if o.JSON {
		return
	}
	fmt.Fprintf(o.Err, "%s: %s (%.1f s)\n", console.Clean(e.Command), strings.ReplaceAll(string(e.Outcome), "-", " "), e.Duration.Seconds())
	if len(e.FlakyTests) > 0 {
		fmt.Fprintln(o.Err, "  flaky: "+console.Clean(validate.Named(e.FlakyTests)))
	}
	if e.Outcome != validate.Passed && e.Outcome != validate.NothingToRun {
		fmt.Fprintln(o.Err, console.Clean(strings.TrimRight(e.Reason+"\n"+e.Output, "\n")))
	}
}

// couldNot is the verdict where nothing failed and something could not be run.
const couldNot = "could not be checked"

// verdict is the exit code of all that ran.
func (o *validateOptions) verdict(all []validate.Evidence) error {
	code, verdict := 2, "nothing to run"
	for _, e := range all {
		switch e.Outcome {
		case validate.Passed, validate.Warned:
			if code == 2 {
				code, verdict = 0, "passed"
			}
		case validate.NothingToRun:
		case validate.CouldNotCheck:
			if code != 1 {
				code, verdict = 1, couldNot
			}
		default:
			code, verdict = 1, "failed"
		}
	}
	if o.JSON {
		if err := o.Encode(map[string]any{"verdict": verdict, "exitCode": code, "checks": all}); err != nil {
			return err
		}
	} else {
		fmt.Fprintln(o.Out, "Validation: "+verdict+".")
		none := "No validation command was found. Name one"
		if len(all) > 0 {
			none = "The commands ran no tests. Add some, or name other commands"
		}
		if advice := map[string]string{
			couldNot:         "That says nothing about the work. Install what is missing, or name other commands",
			"nothing to run": none,
		}[verdict]; advice != "" {
			fmt.Fprintln(o.Err, console.Told(advice+" in autopilot.yaml:\n  validate: {commands: [make test]}", o.Columns()))
		}
	}
	return console.Exit(code)
}
