package simulate

import (
	"fmt"
	"slices"
	"strings"

	"autopilot/autopilot/journal"
	"autopilot/autopilot/lazyregexp"
	"autopilot/autopilot/machine"
	"autopilot/cmd/console"
	"autopilot/personas/chaos"
)

// witness stands between the engine and the session's store, and sees by what the program notices that a persona
// misbehaves.
type witness struct {
	journal.Store
	cast *chaos.Cast

	suspects []*suspect // every dispatch
	done     []piece    // of phases that were recorded as verified

	unguessed int  // the most dispatches at work when the first call of a run ended: before that nobody knows what a call takes
	called    bool // such a call ended in the run at hand
}

// Apply hands the event on, and looks at what came of it.
func (w *witness) Apply(ev machine.Event) (machine.State, error) {
	before := w.State()
	after, err := w.Store.Apply(ev)
	if err == nil {
		w.look(before, after, ev)
	}
	return after, err
}

func (w *witness) look(before, after machine.State, ev machine.Event) {
	switch ev.Type {
	case machine.RunStarted:
		w.called = false
	case machine.Used:
		if !w.called {
			w.called, w.unguessed = true, max(w.unguessed, len(before.Flights()))
		}
	case machine.Dispatched:
		w.suspects = append(w.suspects, &suspect{id: ev.Dispatch.ID, task: ev.Dispatch.Task})
	case machine.DispatchEnded:
		w.ended(*ev.Ended)
	case machine.PlanMissing:
		w.catch("no plan: "+ev.Detail, func(s *suspect) bool { return s.part.Key.Persona == "planner" })
	case machine.Validated:
		eachTrouble(ev, func(says, about string) {
			w.catch("the task's check: "+says, func(s *suspect) bool { return s.failed(ev.Task, about) })
		})
	case machine.Checked:
		eachTrouble(ev, func(says, about string) {
			w.catch("the phase's checks: "+says, func(s *suspect) bool { return s.left(about) })
		})
	case machine.PhaseRecorded:
		w.recorded(before, after)
	}
	if g := after.Gate; g != nil && (before.Gate == nil || before.Gate.ID != g.ID) {
		w.catch("question "+string(g.Kind), func(s *suspect) bool { return s.asked(g.Kind) })
	}
}

// ended looks at how a dispatch ended, once its part is known. One that was cut off in its middle had no time to be noticed.
func (w *witness) ended(end machine.Ended) {
	at := slices.IndexFunc(w.suspects, func(s *suspect) bool { return s.id == end.ID })
	part := w.cast.Part(end.ID)
	if at < 0 || !part.Shown() || end.Outcome == machine.OutcomeInterrupted {
		return
	}
	w.suspects[at].part = part
	if by := givenAwayBy(end, part); by != "" {
		w.catch(by, func(s *suspect) bool { return s.id == end.ID })
	}
}

// givenAwayBy says what of a dispatch's own end gives it away.
func givenAwayBy(end machine.Ended, p chaos.Part) string {
	serious := max(0, slices.IndexFunc(end.Findings, func(f machine.Finding) bool { return f.Severity != machine.Suggestion }))
	switch {
	case len(end.Findings) > 0:
		return "finding: " + end.Findings[serious].Title
	case end.Reply == nil && end.Outcome == machine.OutcomeLimited:
		return "limit: " + end.Detail
	case end.Reply == nil:
		return fmt.Sprintf("%s: %s", end.Outcome, end.Detail)
	case p.Told != "":
		return "sent back to the agent: " + p.Told
	}
	return ""
}

// catch notes that what misbehaved, fits and was not noticed so far was noticed.
func (w *witness) catch(by string, fits func(*suspect) bool) {
	for i, s := range w.suspects {
		if s.part.Behaviour != chaos.Honest && s.by == "" && fits(s) { // one that is still at work has no part yet
			s.by, s.after = inShort(by), len(w.suspects)-i
		}
	}
}

// passing is what differs from run to run: how long a prompt was, commits, dates. Other numbers say something.
var passing = lazyregexp.New(`\b(about )\d+( tokens)\b|\b(?:[0-9a-f]{7,40}|\d{4}-\d\d-\d\d)\b`)

// inShort is the first sentence of what was said, the same for the same seed.
func inShort(text string) string {
	text, _, _ = strings.Cut(passing.ReplaceAllString(console.Clean(text), "${1}…${2}"), ". ")
	return console.Shorten(strings.TrimSuffix(text, "."), 120)
}

// recorded remembers the tasks of a phase that ended as verified.
func (w *witness) recorded(before, after machine.State) {
	last := after.History[len(after.History)-1]
	if last.Outcome != "complete" || last.VerificationPassed == nil || !*last.VerificationPassed {
		return
	}
	for _, t := range before.Tasks {
		if t.Kind == machine.KindPlan && t.Status == machine.TaskCompleted && !t.ByHuman && !t.FilesNone && !t.ValidationNone {
			w.done = append(w.done, pieceOf(last.Phase+1, t))
		}
	}
}
