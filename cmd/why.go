package cmd

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"autopilot/autopilot/machine"
	"autopilot/cmd/app"
	"autopilot/cmd/console"
	"autopilot/sessions"
)

func newWhy(h *console.Host) *cobra.Command {
	o := &console.Output{Host: h}
	return o.WithJSON("one JSON object", &cobra.Command{
		Use: "why SPEC.md", Short: "Say what a session does, why it stopped, what a resume will do",
		Example: "  autopilot why docs/spec.md", Args: console.OneSpec,
		RunE: func(c *cobra.Command, args []string) error { return runWhy(c.Context(), o, args[0]) },
	})
}

// reasons are the five lines of why.
type reasons struct {
	Running bool `json:"running"` // a run is at work on it now

	Where  string `json:"where"`
	Doing  string `json:"doing"`
	Last   string `json:"last"`
	Resume string `json:"resume"`
	Next   string `json:"next"`

	Gate     *console.GateView `json:"gate"`     // the open question, if there is one
	Findings machine.Register  `json:"findings"` // the open ones
}

func runWhy(ctx context.Context, o *console.Output, spec string) error {
	w, s, err := app.ReadSession(ctx, o.Host, spec)
	if err != nil {
		return err
	}
	r := reasonsOf(s)
	if sessions.Held(w.Session) {
		r.alive(s, o.Now())
	} else {
		stopped(w, s, &r)
	}
	if o.JSON {
		return o.Encode(r)
	}
	for _, line := range [][2]string{{"Where", r.Where}, {"Doing", r.Doing}, {"Last", r.Last}, {"Resume", r.Resume}, {"Next", r.Next}} {
		fmt.Fprintln(o.Out, console.Wrapped(fmt.Sprintf("%-7s %s", line[0]+":", console.OneLine(console.Clean(line[1]))), o.OutWidth(), 8))
	}
	if r.Gate != nil { // which says what is open of what it is about
		_, err = fmt.Fprint(o.Out, "\n"+console.GateText(r.Gate.Gate, o.OutWidth()))
		return err
	}
	for _, finding := range s.Register.Open().Lines() {
		fmt.Fprintln(o.Out, console.Wrapped("Open:   "+console.OneLine(console.Clean(finding)), o.OutWidth(), 8))
	}
	return nil
}

// stopped says why the last run stopped, where no question does, and whether the next would get any further.
func stopped(w *app.Workspace, s machine.State, r *reasons) {
	if s.Gate != nil || s.CurrentState == machine.Done {
		return
	}
	end, ok := lastEnd(w)
	if said := answeredSince(s, end.Time); said != "" && ok {
		r.Doing = said
	} else if ok {
		r.Doing = fmt.Sprintf("stopped, exit code %d: %s", end.ExitCode, console.Shorten(end.Reason, 200))
	}
	limit, waits := overBudget(w, s)
	if limit == nil {
		return
	}
	whose, instead := "", ""
	if limit.Backend != "" { // a budget has none
		whose, instead = " for backend "+limit.Backend, "; another one, with --backend, goes on at once"
	}
	if waits {
		r.Resume = "it waits until " + limit.Until.Format(time.RFC3339) + whose + ", then " + strings.TrimPrefix(r.Resume, "it ") + instead
	} else {
		r.Resume = "it stops again: " + limit.Error() + instead
	}
}

func reasonsOf(s machine.State) reasons {
	p := s.Phases[s.CurrentPhase]
	r := reasons{
		Where:  fmt.Sprintf("%s, phase %s of %d (%s)", s.CurrentState, p.Number, len(s.Phases), p.Name),
		Doing:  doing(s),
		Last:   lastEvent(s),
		Resume: resume(s),
		Next:   app.NextCommand(s),

		Findings: append(machine.Register{}, s.Register.Open()...),
	}
	if s.Gate != nil {
		r.Gate = console.ShownGate(*s.Gate, s.SpecPath)
	}
	if s.CurrentState == machine.Done || s.CurrentState == machine.FinalReview {
		r.Where = string(s.CurrentState)
	}
	return r
}

// doing says what the session waits for, or is about.
func doing(s machine.State) string {
	t, hasTask := s.Task(s.CurrentTask)
	switch {
	case s.Gate != nil && s.Gate.YourTurn != nil:
		return s.Gate.Question
	case s.Gate != nil:
		return "waiting for an answer: " + s.Gate.Question
	case limited(s) != "":
		return "stopped by " + limited(s)
	case s.CurrentState == machine.Done && s.Step == machine.StepClosed:
		return "nothing: the session is done"
	case s.LanesBusy():
		return "at work beside each other, or were when the program ended: " + strings.Join(atWork(s), ", ")
	case len(s.InFlight) > 0 && s.InFlight[0].Dispatch != nil:
		d := s.InFlight[0].Dispatch
		return fmt.Sprintf("the %s is at work (%sattempt %d), or was when the program ended", d.Persona, about(d.Task, d.Purpose), d.Attempt)
	case len(s.InFlight) > 0:
		return "a commit was begun: " + s.InFlight[0].Effect.Kind
	case hasTask:
		return fmt.Sprintf("%s: %s (%s)", stepText(s.Step), t.ID, t.Title)
	}
	return stepText(s.Step)
}

// limited is the limit that the last dispatch met; "" is none.
func limited(s machine.State) string {
	whose := "the backend"
	if s.LimitedBackend != "" {
		whose = "backend " + s.LimitedBackend
	}
	what := "a limit of " + whose
	known, ok := s.LimitOf(s.LimitedBackend)
	down := ok && known.Outage
	if s.QuotaUsedUp {
		what = "a quota or balance of " + whose + " that is used up"
	}
	switch {
	case down && s.LimitedUntil != nil:
		return "an outage of " + whose + ", to be looked at again at " + s.LimitedUntil.Format(time.RFC3339)
	case s.LimitedUntil != nil:
		return what + ", until " + s.LimitedUntil.Format(time.RFC3339)
	case s.QuotaUsedUp:
		return what + "; raise it at its provider, or name another with --backend"
	}
	return ""
}

// atWork lists the lanes that are at work.
func atWork(s machine.State) []string {
	var list []string
	for _, t := range s.Tasks {
		if t.Lane.Busy() {
			list = append(list, fmt.Sprintf("%s (%s)", t.ID, stepText(t.Lane.Step)))
		}
	}
	return list
}

// about names what a dispatch is about, where it is about one thing.
func about(task, purpose string) string {
	if what := strings.TrimSpace(task + " " + purpose); what != "" {
		return what + ", "
	}
	return ""
}

// lastEvent is the last thing worth knowing: a failure, else a decision.
func lastEvent(s machine.State) string {
	if t, ok := s.Task(s.CurrentTask); ok && len(t.Failures()) > 0 {
		failed := t.Failures()
		return fmt.Sprintf("attempt %d of %s failed: %s", len(failed), t.ID, console.Shorten(failed[len(failed)-1].Error, 160))
	}
	if f := s.Phases[s.CurrentPhase].Failure; f != "" {
		return "a dispatch produced nothing: " + console.Shorten(f, 160)
	}
	if n := len(s.Decisions); n > 0 {
		d := s.Decisions[n-1]
		who := d.By
		if d.Reason != "" {
			who += ": " + d.Reason
		}
		return "decided " + strings.ReplaceAll(d.Decision, "_", " ") + " (by " + who + ")"
	}
	return "nothing yet"
}

// resume says what the same command will do.
func resume(s machine.State) string {
	if s.Gate != nil && (s.Gate.Kind == machine.GatePlanWanted || s.Phases[s.Gate.Phase].Planning.Several) {
		return "it looks for the plan; where it is there the run goes on, else it asks again"
	}
	if s.Gate != nil && s.Gate.YourTurn != nil {
		return "it takes your reply where that is there, else it asks again"
	}
	if s.Gate != nil {
		return "it asks the question again; answered beforehand, it goes on from there"
	}
	if s.LanesBusy() {
		return "the tasks that were at work go on in their own trees; no attempt is spent"
	}
	step := machine.Next(s)
	is, flying := step.Dispatching()
	switch {
	case step.Name == machine.StepEnd:
		return "it prints the summary; phases added to the spec would be run"
	case is && flying:
		return "it repeats the dispatch that was cut off, in the tree as it is; no attempt is spent"
	case is:
		return "it dispatches the " + step.Persona
	case step.Closing != "":
		return "it finishes the closing steps"
	}
	return "it goes on: " + stepText(step.Name)
}
