package cmd

import (
	"errors"
	"fmt"

	"autopilot/autopilot"
	"autopilot/autopilot/budget"
	"autopilot/autopilot/halt"
	"autopilot/autopilot/journal"
	"autopilot/autopilot/machine"
	"autopilot/autopilot/shell"
	"autopilot/cmd/app"
	"autopilot/cmd/console"
	"autopilot/sessions/view"
)

// show prints how a run ended: with --json the final object, else a few lines for a person.
func (o *runOptions) show(e *autopilot.Engine, w *app.Workspace, err error) {
	s := e.Journal.State()
	if o.JSON {
		return
	}
	var waiting *halt.WaitingError
	switch {
	case err == nil:
		fmt.Fprint(o.Host.Out, doneText(s, o.Host.OutWidth()))
	case errors.As(err, &waiting) && waiting.Asked:
		fmt.Fprintln(o.Host.Err, console.Told("Saved. The question stays open; go on with: "+o.again(w.Rel), o.Host.Columns()))
	case errors.As(err, &waiting):
		fmt.Fprint(o.Host.Err, console.WaitingText(waiting.Gate, w.Rel, o.again(w.Rel)))
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
		remedy = "Look whether it runs, whether base_url is right, and whether this machine has a network.\n"
	}
	return fmt.Errorf("%w\n%sOnce it is over, go on with: %s\n--wait TIME waits for it, --backend NAME goes on with another at once", err, remedy, o.again(w.Rel))
}

// doneText sums up a finished session.
func doneText(s machine.State, width int) string {
	text := fmt.Sprintf("Done: %s\n", console.Clean(s.Spec.Title))
	for _, h := range s.History {
		line := fmt.Sprintf("  phase %-4s %-9s %s (%s, %s)", console.Clean(s.PhaseNumber(h.Phase)), h.Outcome, console.Clean(h.Name),
			machine.Plural(h.TasksCompleted, "task", "tasks"), machine.Plural(h.RetriesUsed, "retry", "retries"))
		text += console.Wrapped(line, width, 23) + "\n"
	}
	for _, line := range s.Register.Left().Lines() {
		text += console.Wrapped("  left: "+console.Clean(line), width, 4) + "\n"
	}
	for _, line := range s.Assumed() {
		text += console.Wrapped("  assumed: "+console.Clean(line), width, 4) + "\n"
	}
	for _, line := range machine.FlakeLines(s) {
		text += console.Wrapped("  flaky, and not blamed: "+console.Clean(line), width, 4) + "\n"
	}
	for _, line := range []string{"findings: " + journal.FindingsWords(s), "final review " + journal.FinalWords(s), journal.TotalsWords(s)} {
		text += console.Wrapped("  "+console.Clean(line), width, 4) + "\n"
	}
	if s.Branch != "" {
		text += "  branch " + console.Clean(s.Branch) + "\n"
	}
	text += fmt.Sprintf("A summary: %s/summary.md\n", console.Clean(s.SessionDir))
	if commits := view.ListCommits(s); commits != "" {
		text += console.Told("The commits: "+console.Clean(commits), width) + "\n"
	}
	return text
}
