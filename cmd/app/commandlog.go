package app

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"autopilot/autopilot/machine"
	"autopilot/autopilot/words"
	"autopilot/cmd/console"
	"autopilot/sessions"
)

// PrintCommands prints each command that autopilot ran to check a session, oldest first: when, how it ended, how long it took.
func (w *Workspace) PrintCommands(out io.Writer) error {
	var checks []machine.Check
	_, err := sessions.Replay(w.Session, SessionOptions(w.Host), func(_ machine.State, e machine.Event, _ machine.State) {
		checks = append(checks, checksOf(e)...)
	})
	if err != nil {
		return w.Missing(err)
	}
	if len(checks) == 0 {
		_, err = fmt.Fprintln(out, "No command was run yet.")
		return err
	}
	day := ""
	for _, c := range checks {
		at := c.StartedAt.Local()
		if today := at.Format(time.DateOnly); today != day {
			day = today
			if _, err := fmt.Fprintln(out, day); err != nil {
				return err
			}
		}
		line := fmt.Sprintf("%s  exit %-3d  %8s  %s", at.Format(time.TimeOnly), c.ExitCode, fmt.Sprintf("%.1f s", c.Seconds), console.Clean(words.OneLine(c.Name())))
		if c.Outcome != machine.CheckPassed && c.Outcome != machine.CheckFailed {
			line += "  (" + strings.ReplaceAll(c.Outcome, "_", " ") + ")"
		}
		if _, err := fmt.Fprintln(out, line); err != nil {
			return err
		}
	}
	return nil
}

// checksOf are the commands of an event; one whose failed tests were run again has each run.
func checksOf(e machine.Event) []machine.Check {
	all := slices.Clone(e.Checks)
	if e.Baseline != nil {
		all = append(all, e.Baseline.Checks...)
	}
	if e.Before != nil {
		all = append(all, *e.Before)
	}
	var ran []machine.Check
	for _, c := range all {
		if len(c.Runs) == 0 {
			ran = append(ran, c)
		}
		for _, r := range c.Runs {
			ran = append(ran, machine.Check{Command: cmp.Or(r.Command, c.Command), Dir: c.Dir, Outcome: r.Outcome, ExitCode: r.ExitCode, Seconds: r.Seconds, StartedAt: c.StartedAt})
		}
	}
	return ran
}
