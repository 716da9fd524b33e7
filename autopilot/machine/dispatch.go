package machine

import (
	"fmt"
	"maps"
	"strings"
)

// maxInterruptions is how often an attempt may be cut off before the cuts spend it.
const maxInterruptions = 3

func (m *move) dispatched(next StepName) error {
	if m.e.Dispatch == nil || m.e.Dispatch.ID == "" {
		return m.illegal("it names no dispatch")
	}
	if (next == StepReply || next == StepDiagnosis) && m.e.Dispatch.Task != m.s.CurrentTask {
		return m.illegal("it is for another task than the current one")
	}
	d := *m.e.Dispatch
	d.At = m.e.Time
	m.s.InFlight = []InFlight{{Dispatch: &d}}
	m.s.Usage.Dispatches++
	m.s.Step = next
	m.unlimited()
	return nil
}

// finishDispatch takes the dispatch that ended out of flight; the end of another one is refused.
func (m *move) finishDispatch() (*Dispatch, error) {
	if m.lane != nil {
		d := m.lane.Lane.Flight
		m.lane.Lane.Flight = nil
		return d, nil
	}
	if m.e.Ended == nil || len(m.s.InFlight) == 0 || m.s.InFlight[0].Dispatch == nil || m.s.InFlight[0].Dispatch.ID != m.e.Ended.ID {
		return nil, m.illegal("the dispatch that ended is not the one in flight")
	}
	d := m.s.InFlight[0].Dispatch
	m.s.InFlight = nil
	return d, nil
}

// ended is the end of a dispatch that belongs to no task: again is the step that repeats it, replied takes a reply
// that is neither blocked nor the fault of the backend. Only what replied can use sets Tries back: a plan that does
// not come, or a review that fails, would be dispatched for ever otherwise.
func (m *move) ended(again StepName, replied func(*Reply) error) error {
	d, err := m.finishDispatch()
	if err != nil {
		return err
	}
	end, p := m.e.Ended, m.phase()
	switch end.Outcome {
	case OutcomeLimited, OutcomeAuth, OutcomeNotMade:
		m.s.Step = again
		m.limited(d)
		return nil
	case OutcomeWaiting:
		m.s.Step = again
		m.waits(fmt.Sprintf("The %s cannot go on: %s", d.Persona, end.Detail))
		return nil
	case OutcomeInterrupted:
		m.s.Step, p.Interruptions, p.Cuts = again, p.Interruptions+1, p.Cuts+1
		if p.Cuts < maxInterruptions {
			return nil
		}
		m.counted(d)
		return m.retryOrAsk(again, "it was cut off three times")
	}
	m.counted(d)
	m.s.Notes = nil
	if misdeeds := blocking(end.Findings, Standard); len(misdeeds) > 0 {
		return m.retryOrAsk(again, "it changed what it may not change: "+titles(misdeeds))
	}
	if end.Outcome != OutcomeReply || end.Reply == nil {
		return m.retryOrAsk(again, end.said())
	}
	if end.Reply.Status == "blocked" {
		m.s.Step = again
		m.ask(GateBlocked, blockedOptions(m.s.CurrentState),
			fmt.Sprintf("The %s cannot go on: %s", d.Persona, orElse(end.Reply.Blocker, end.Reply.Summary)))
		return nil
	}
	return replied(end.Reply)
}

// waits leaves to a person what a dispatch would have done: it is counted once it is made, as the same attempt.
func (m *move) waits(question string) {
	m.s.Usage.Dispatches--
	m.ask(GateBlocked, blockedOptions(m.s.CurrentState), question)
}

// counted counts a dispatch that spent its attempt: the next one of its persona is another. One that was limited or
// cut off is repeated as the same attempt, until the third cut.
func (m *move) counted(d *Dispatch) {
	m.phase().Cuts, m.phase().Outages = 0, 0
	if m.s.CurrentState == FinalReview && d.Task == "" {
		m.s.FinalReview.Dispatches++
		return
	}
	if t := m.task(d.Task); t != nil {
		t.Cuts, t.Outages = 0, 0
		n := &t.Diagnoses
		if d.Persona == "executor" {
			n = &t.Dispatches
		}
		*n++
		m.tally(d.Place(), *n)
		return
	}
	m.tally(d.Persona, m.phase().Dispatches[d.Persona]+1)
}

// tallies count the dispatches of the phase, or of the final review's fixes. Those of a task are among them, so that
// another task that has its id, after a redo or in a new plan, counts on.
func (m *move) tallies() *map[string]int {
	if m.s.CurrentState == FinalReview {
		return &m.s.FinalReview.Fixes
	}
	return &m.phase().Dispatches
}

func (m *move) tally(whose string, n int) {
	of := m.tallies()
	*of = counting(*of, whose, n)
}

// counting is a tally with one number changed. The tally itself belongs to earlier states, too, and stays as it is.
func counting(tally map[string]int, whose string, n int) map[string]int {
	changed := maps.Clone(tally)
	if changed == nil {
		changed = map[string]int{}
	}
	changed[whose] = n
	return changed
}

// countOn gives a task the dispatches that were made for its id.
func (m *move) countOn(t *Task) {
	of := *m.tallies()
	t.Dispatches = max(t.Dispatches, of[Dispatch{Task: t.ID}.Place()])
	t.Diagnoses = max(t.Diagnoses, of[Dispatch{Task: t.ID, Purpose: "diagnosis"}.Place()])
}

// retryOrAsk repeats a dispatch that produced nothing, once, telling it so; then a human is asked.
func (m *move) retryOrAsk(again StepName, why string) error {
	p := m.phase()
	p.Tries++
	p.Failure, p.Planning.Several, m.s.Step = why, false, again
	if p.Tries < 2 {
		return nil
	}
	m.ask(GateNoOutput, blockedOptions(m.s.CurrentState), fmt.Sprintf("Two dispatches in a row produced nothing usable (%s). What now?", strings.Join(strings.Fields(why), " ")), m.otherWays()...)
	return nil
}

// otherWays are what a human can do beside the answers of a gate.
func (m *move) otherWays() []string {
	if m.s.CurrentState != Plan {
		return nil
	}
	return []string{"Or bring the plan yourself: autopilot plan, with --file or --edit."}
}

func orElse(s, other string) string {
	if s == "" {
		return other
	}
	return s
}

// Place names the folder of a dispatch in attempts/<phase>: its task, its purpose where it has no task, or its persona.
func (d Dispatch) Place() string {
	switch {
	case d.Task != "" && d.Purpose == "diagnosis":
		return d.Task + "-diagnosis"
	case d.Task != "":
		return d.Task
	}
	return orElse(d.Purpose, d.Persona)
}
