package cmd

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"autopilot/autopilot/halt"
	"autopilot/autopilot/machine"
	"autopilot/autopilot/shell"
	"autopilot/cmd/app"
	"autopilot/cmd/console"
	"autopilot/cmd/live"
	"autopilot/examples"
)

type demoOptions struct {
	host *console.Host

	keep    string
	verbose bool
}

func newDemo(h *console.Host) *cobra.Command {
	o := &demoOptions{host: h}
	c := &cobra.Command{
		Use: "demo", Short: "Run a small example from start to finish (needs no setup)",
		Long: "Runs a three-phase spec on a small Go project in a temporary git repository. The model's answers are recorded;\n" +
			"everything else is real: autopilot writes files, runs tests, retries a failed attempt, and commits.",
		Example: "  autopilot demo\n  autopilot demo --keep ./tally", Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return runDemo(c.Context(), o) },
	}
	c.Flags().StringVar(&o.keep, "keep", "", "keep the repository in `DIR`, which must be new or empty")
	c.Flags().BoolVar(&o.verbose, "verbose", false, "also print what the agent says and does")
	return c
}

// runDemo is the main job on the embedded example: run, pause at the phase of high complexity, go on from a plan.
func runDemo(ctx context.Context, o *demoOptions) error {
	if _, err := exec.LookPath("go"); err != nil {
		return console.UsageError("the demo needs Go on your PATH\nInstall Go, then try again")
	}
	dir, cleanUp, err := o.place()
	if err != nil {
		return err
	}
	defer cleanUp()
	d := &demo{host: *o.host, dir: dir, verbose: o.verbose}
	if shown, accessible := new(live.Flags).Live(o.host); shown && !accessible {
		d.progress = "live"
	}
	d.host.Dir, d.host.Terminal, d.host.NoUserConfig, d.host.Trusts = dir, false, true, true
	d.host.Environ = console.WithoutConfig(o.host.Environ)
	began := o.host.Now()
	for _, act := range []func(context.Context) error{d.prepare, d.run(machine.GatePlanWanted), d.plan, d.run("")} {
		if err := act(ctx); err != nil {
			return err
		}
	}
	d.closing(o, o.host.Now().Sub(began))
	return nil
}

// place is the folder of the demo's repository, and what removes it.
func (o *demoOptions) place() (string, func(), error) {
	if o.keep == "" {
		dir, err := os.MkdirTemp("", "autopilot-demo-")
		return dir, func() { _ = os.RemoveAll(dir) }, err
	}
	dir := o.host.Path(o.keep)
	entries, err := os.ReadDir(dir)
	if err == nil && len(entries) > 0 {
		return "", nil, console.UsageError("%s is not empty: name a folder that is new or empty", o.keep)
	}
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return "", nil, console.UsageError("%v: name a folder that is new or empty", err)
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", nil, console.UsageError("%v: name a folder in a place where you may write", err)
	}
	return dir, func() {}, nil
}

// demo plays a person who types commands.
type demo struct {
	host    console.Host
	dir     string
	verbose bool

	progress string // as --progress says: at a terminal the demo is shown live
}

const demoSpec = "docs/spec.md"

func (d *demo) say(format string, args ...any) {
	fmt.Fprintf(d.host.Out, "\n"+format+"\n", args...)
}

// prepare makes the repository, with an identity of its own.
func (d *demo) prepare(ctx context.Context) error {
	d.say("A small Go project with a spec in three phases, in %s", d.dir)
	for name, data := range examples.Tally() {
		if name == examples.Plan {
			continue
		}
		if name == examples.Replay {
			name = ".harness/" + name
		}
		if err := app.WriteFile(filepath.Join(d.dir, filepath.FromSlash(name)), data); err != nil {
			return err
		}
	}
	for _, args := range [][]string{
		{"init", "--quiet", "--initial-branch=main"},
		{"config", "user.name", "Autopilot Demo"},
		{"config", "user.email", "demo@example.com"},
		{"config", "commit.gpgsign", "false"},
		{"config", "core.hooksPath", ".git/hooks"},
		{"add", "--all", "--", ".", ":!.harness"},
		{"commit", "--quiet", "--no-verify", "-m", "A package that counts words, and a spec"},
	} {
		if _, err := app.Git(ctx, d.dir, d.host.Environ, args...); err != nil {
			return err
		}
	}
	return nil
}

// run types `autopilot docs/spec.md`; it has to stop at the gate, or with "" be done.
func (d *demo) run(stopsAt machine.GateKind) func(context.Context) error {
	return func(ctx context.Context) error {
		d.say("$ autopilot %s", demoSpec)
		o := newRunOptions(&d.host)
		o.flags(&cobra.Command{})
		o.shown.Progress = d.progress
		o.yes, o.Verbose, o.Replay = true, d.verbose, filepath.Join(d.dir, ".harness", examples.Replay)
		err := runRun(ctx, o, []string{demoSpec})
		var waiting *halt.WaitingError
		switch {
		case stopsAt == "" || !errors.As(err, &waiting):
			return err
		case waiting.Gate.Kind != stopsAt:
			return fmt.Errorf("the demo expected to stop at %s, not at %s", stopsAt, waiting.Gate.Kind)
		}
		return nil
	}
}

// plan is the human's part of the phase of high complexity.
func (d *demo) plan(context.Context) error {
	d.say("Phase 2 is of high complexity, so the plan is a person's. The run paused, exit code 3. A person writes\n%s, and types the same command again.", examples.Plan)
	return app.WriteFile(filepath.Join(d.dir, filepath.FromSlash(examples.Plan)), examples.Tally()[examples.Plan])
}

// closing says what was real and what to look at.
func (d *demo) closing(o *demoOptions, took time.Duration) {
	d.say("The demo took %s. The model's turns were recorded; files, tests, the failed attempt and the commits were real.", took.Round(100*time.Millisecond))
	if o.keep == "" {
		fmt.Fprintln(d.host.Out, "Next: autopilot demo --keep ./tally leaves the repository, to look at.")
	} else {
		at := shell.QuotePath(o.keep)
		fmt.Fprintf(d.host.Out, "Next, look at what it left:\n  git -C %s log --oneline\n  cd %s && autopilot report --open\n  cat %s/.harness/sessions/spec/summary.md\n", at, at, at)
	}
	fmt.Fprintln(d.host.Out, "Then a spec of your own: autopilot docs/spec.md (README: a first real run).")
}
