package cmd

import (
	"context"
	"errors"
	"fmt"

	"autopilot/autopilot/budget"
	"autopilot/autopilot/halt"
	"autopilot/autopilot/machine"
	"autopilot/autopilot/shell"
	"autopilot/cmd/app"
	"autopilot/cmd/console"
	"autopilot/cmd/look"
	"autopilot/cmd/report"
	"autopilot/config"
)

// show prints how a run ended: with --json the final object, else a few lines for a person.
func (o *runOptions) show(ctx context.Context, w *app.Workspace, cfg *config.Config, s machine.State, err error) {
	if o.JSON {
		return
	}
	var waiting *halt.WaitingError
	var stopped *halt.StoppedError
	switch {
	case err == nil:
		text, err := report.Texts{Workspace: w, Config: cfg}.Block(context.WithoutCancel(ctx), o.Host.OutWidth(), o.pr)
		if err != nil {
			text = "Done. The report can't be written: " + err.Error() + "\n"
		}
		fmt.Fprint(o.Host.Out, console.Clean(text))
	case errors.As(err, &stopped):
		fmt.Fprintf(o.Host.Err, "Stopped during %s. Everything is saved.\n  Resume: %s\n", console.Clean(stopped.Where), o.again(w.Rel))
	case errors.As(err, &waiting) && o.wish != "": // the plan is made now
	case errors.As(err, &waiting) && waiting.Asked:
		fmt.Fprintln(o.Host.Err, console.Told("Saved. The question stays open; continue with: "+o.again(w.Rel), o.Host.Columns()))
	case errors.As(err, &waiting):
		fmt.Fprint(o.Host.Err, "\n"+look.Waiting(o.Host, w.View(context.WithoutCancel(ctx), s), o.again(w.Rel), o.Host.Columns()))
	}
}

// again is the command that goes on with this run. No session keeps who plays the personas, nor that they are recorded, so
// flags that say it are repeated.
func (o *runOptions) again(spec string) string {
	line := "autopilot " + shell.QuotePath(spec)
	for _, flag := range [][2]string{{"config", o.ConfigFile}, {"backend", o.Backend}, {"model", o.Model}, {"replay", o.Replay}, {"record", o.Record}} {
		if flag[1] != "" {
			line += " --" + flag[0] + " " + shell.QuoteWord(flag[1])
		}
	}
	return line
}

// afterLimit adds to a backend's limit how the run goes on. A budget says itself what raises it, and a quota that is used up
// for an unknown time what a person does.
func (o *runOptions) afterLimit(w *app.Workspace, err error) error {
	limit, ok := errors.AsType[*budget.LimitError](err)
	if !ok || limit.Backend == "" {
		return err
	}
	remedy := ""
	if limit.Gone {
		remedy = "Check whether it runs, whether base_url is right, and whether this machine has a network.\n"
	}
	return fmt.Errorf("%w\n%sOnce it is over, continue with: %s\n--wait TIME waits for it, --backend NAME goes on with another at once", err, remedy, o.again(w.Rel))
}
