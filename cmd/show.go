package cmd

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"autopilot/autopilot"
	"autopilot/autopilot/machine"
)

// show prints how a run ended: with --json the final object, else a few lines for a person.
func (o *runOptions) show(e *autopilot.Engine, w *workspace, err error) {
	s := e.Store.State()
	if o.json {
		return
	}
	var waiting *autopilot.WaitingError
	switch {
	case err == nil:
		fmt.Fprint(o.host.Out, doneText(s, o.host.outWidth()))
	case errors.As(err, &waiting) && waiting.Asked:
		fmt.Fprintln(o.host.Err, told("Saved. The question stays open; go on with: autopilot "+quoteArg(w.rel), o.host.width()))
	case errors.As(err, &waiting):
		fmt.Fprint(o.host.Err, waitingText(waiting.Gate, w.rel))
	}
}

// doneText sums up a finished session.
func doneText(s machine.State, width int) string {
	text := fmt.Sprintf("Done: %s\n", clean(s.Spec.Title))
	for _, h := range s.History {
		line := fmt.Sprintf("  phase %-4s %-9s %s (%s, %s)", clean(s.Phases[h.Phase].Number), h.Outcome, clean(h.Name),
			machine.Plural(h.TasksCompleted, "task", "tasks"), machine.Plural(h.RetriesUsed, "retry", "retries"))
		text += wrapped(line, width, 23) + "\n"
	}
	for _, line := range autopilot.FlakeLines(s) {
		text += wrapped("  flaky, and not blamed: "+clean(line), width, 4) + "\n"
	}
	text += fmt.Sprintf("  final review %s\n  ", s.FinalReview.Status)
	if s.Branch != "" {
		text += "branch " + clean(s.Branch) + ", "
	}
	text += fmt.Sprintf("%s, %d tokens", machine.Plural(s.Usage.Dispatches, "dispatch", "dispatches"), s.Usage.InputTokens+s.Usage.OutputTokens)
	if s.Usage.CostUSD > 0 {
		text += fmt.Sprintf(", %.2f USD", s.Usage.CostUSD)
	}
	text += fmt.Sprintf("\nA summary: %s/summary.md\n", clean(s.SessionDir))
	if commits := theCommits(s); commits != "" {
		text += told("The commits: "+clean(commits), width) + "\n"
	}
	return text
}

// finalObject is the last line of a run with --json.
func finalObject(s *machine.State, code int, err error) map[string]any {
	object := map[string]any{"event": "final", "exitCode": code, "session": nil, "state": nil, "gate": nil, "usage": nil}
	if s != nil {
		object["session"], object["state"], object["usage"] = s.SessionSlug, s.CurrentState, s.Usage
		if s.Gate != nil {
			object["gate"] = shownGate(*s.Gate, s.SpecPath)
		}
	}
	var waiting *autopilot.WaitingError
	if err != nil && !errors.As(err, &waiting) {
		object["error"] = err.Error()
	}
	return object
}

// endsInJSON promises the final object of a run with --json before the arguments are read: they may be what is wrong.
func (h *Host) endsInJSON(root *cobra.Command, args []string) {
	c, rest, _ := root.Find(args)
	if (c == root || c.Name() == "run") && slices.Contains(rest, "--json") {
		h.final = func(code int, err error) { _ = json.NewEncoder(h.Out).Encode(finalObject(nil, code, err)) }
	}
}

// gateView is a gate as --json shows it: with the commands that answer it.
type gateView struct {
	machine.Gate
	Commands map[string]string `json:"commands"`
}

func shownGate(g machine.Gate, spec string) *gateView {
	return &gateView{Gate: g, Commands: gateCommands(g, spec)}
}
