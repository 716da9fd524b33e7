package live

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"autopilot/autopilot/machine"
	"autopilot/cmd/app"
	"autopilot/cmd/console"
	"autopilot/sessions/view"
)

type logOptions struct {
	*console.Output

	follow   bool
	commands bool
	lines    int
}

// NewLog is the command log.
func NewLog(h *console.Host) *cobra.Command {
	o := &logOptions{Output: &console.Output{Host: h}}
	c := o.WithJSON("one JSON object per line of the log", &cobra.Command{
		Use: "log [SPEC.md]", Short: "Print what a session did",
		Long:    "Prints a line for each thing that the session did, oldest first, in local time: agent runs, checks, commits, questions and\nanswers. The complete log is the file .harness/sessions/<name>/progress.txt.",
		Example: "  autopilot log docs/spec.md\n  autopilot log docs/spec.md -f\n  autopilot log docs/spec.md --commands", Args: console.MaySpec,
		RunE: func(c *cobra.Command, args []string) error { return o.run(c.Context(), console.First(args)) },
	})
	c.Flags().BoolVarP(&o.follow, "follow", "f", false, "keep printing new lines until Ctrl-C")
	c.Flags().BoolVar(&o.commands, "commands", false, "print each command that autopilot ran to check the work, with its exit code and duration")
	c.Flags().IntVarP(&o.lines, "lines", "n", 200, "print the last `N` lines; 0 for all")
	return c
}

func (o *logOptions) run(ctx context.Context, spec string) error {
	if o.lines < 0 {
		return console.UsageError("-n needs a number of lines (0: all): autopilot log docs/spec.md -n 20")
	}
	w, s, err := app.ReadSession(ctx, o.Host, spec)
	if err != nil {
		return err
	}
	if o.commands {
		return w.PrintCommands(o.Host.Out)
	}
	cfg, _, err := app.LoadConfig(o.Host, w.Repo.Root(), "", nil)
	if err != nil {
		return err
	}
	var lines []view.Line
	f, err := Follow(ctx, w, s, func(s machine.State) view.Facts { return w.Facts(s, nil) }, func(added []view.Line) { lines = append(lines, added...) })
	if err != nil {
		return err
	}
	if o.lines > 0 {
		lines = lines[max(0, len(lines)-o.lines):]
	}
	t := &transcript{Look: NewLook(o.Host, "auto", app.MaskOf(o.Host, cfg).Replace), columns: o.OutWidth()}
	t.Color = t.Color && o.Host.OutTerminal
	if t.columns == 0 {
		t.columns, t.plain = plainColumns, true
	}
	for ctx.Err() == nil {
		if err := o.print(t, lines); err != nil || !o.follow {
			return err
		}
		_ = o.Host.Pause(ctx, time.Second)
		if _, lines, err = f.Look(); err != nil {
			return err
		}
	}
	return nil // Ctrl-C is how a person leaves
}

func (o *logOptions) print(t *transcript, lines []view.Line) error {
	for _, line := range lines {
		if o.JSON {
			if err := json.NewEncoder(o.Host.Out).Encode(line); err != nil {
				return err
			}
			continue
		}
		for _, r := range t.line(line) {
			if _, err := fmt.Fprintln(o.Host.Out, r.shown(t.Color)); err != nil {
				return err
			}
		}
	}
	return nil
}
