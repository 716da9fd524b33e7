package transition

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"autopilot/autopilot/machine"
)

// maxInterruptions is how often an attempt may be cut off before the cuts spend it.
const maxInterruptions = 3

// dispatched begins a dispatch, of the run or in a lane; next is the step that waits for its end.
func (m dispatching) dispatched(next machine.StepName) error {
	if m.e.Dispatch == nil || m.e.Dispatch.ID == "" {
		return m.illegal("it names no dispatch")
	}
	d := *m.e.Dispatch
	d.At = m.e.Time
	switch {
	case m.lane != nil:
		m.lane.Lane.Flight = &d
	case (next == machine.StepReply || next == machine.StepDiagnosis) && d.Task != m.s.CurrentTask:
		return m.illegal("it is for another task than the current one")
	default:
		m.s.InFlight = []machine.InFlight{{Dispatch: &d}}
	}
	m.s.Usage.Dispatches++
	*m.at() = next
	unlimited(m.s)
	return nil
}

// finishDispatch takes the dispatch that ended out of flight; the end of another one is refused.
func (m dispatching) finishDispatch() (*machine.Dispatch, error) {
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

// spent takes the dispatch that ended out of flight, and returns it if it spent its attempt. One that met a limit, waits for
// a person's reply, or was cut off, though not for the third time, is made again at the step again, as the same attempt.
func (m dispatching) spent(again machine.StepName) (*machine.Dispatch, error) {
	d, err := m.finishDispatch()
	if err != nil {
		return nil, err
	}
	switch end := m.e.Ended; {
	case slices.Contains([]machine.DispatchOutcome{machine.OutcomeLimited, machine.OutcomeAuth, machine.OutcomeNotMade}, end.Outcome):
		if end.Outcome != machine.OutcomeLimited && m.s.Edition >= 6 {
			m.s.Usage.Dispatches-- // no agent was at work
		}
		m.limited(d)
	case end.Outcome == machine.OutcomeWaiting && d.Purpose != "diagnosis":
		m.s.Usage.Dispatches-- // it counts once it is made
		m.askPerson(d)
	case end.Outcome == machine.OutcomeInterrupted && m.cut(d) < maxInterruptions:
	default:
		m.counted(d)
		return d, nil
	}
	*m.at() = again
	return nil, nil
}

// cut counts that the dispatch was cut off, and says how often its attempt was.
func (m dispatching) cut(d *machine.Dispatch) int {
	if t := machine.FindTask(m.s.Tasks, d.Task); t != nil {
		t.Interruptions, t.Cuts = t.Interruptions+1, t.Cuts+1
		return t.Cuts
	}
	p := phase(m.s)
	p.Interruptions, p.Cuts = p.Interruptions+1, p.Cuts+1
	return p.Cuts
}

// askBlocked asks about a dispatch that cannot go on.
func (m dispatching) askBlocked(d *machine.Dispatch, why string) {
	question := fmt.Sprintf("The %s cannot go on: %s", d.Persona, why)
	if t := machine.FindTask(m.s.Tasks, d.Task); t != nil {
		question = fmt.Sprintf("Task %s is blocked: %s", t.Title, why)
	}
	m.ask(machine.GateBlocked, question)
}

// ended is the end of a dispatch that belongs to no task: again is the step that repeats it, replied takes a reply
// that is neither blocked nor the fault of the backend. Only what replied can use sets Tries back: a plan that does
// not come, or a review that fails, would be dispatched for ever otherwise.
func (m dispatching) ended(again machine.StepName, replied func(*machine.Reply) error) error {
	d, err := m.spent(again)
	if d == nil {
		return err
	}
	end := m.e.Ended
	if end.Outcome == machine.OutcomeInterrupted {
		return m.retryOrAsk(again, "it was cut off three times")
	}
	m.s.Notes = nil
	if misdeeds := machine.Blocking(end.Findings, machine.Standard); len(misdeeds) > 0 {
		return m.retryOrAsk(again, "it changed what it may not change: "+machine.Titles(misdeeds))
	}
	if end.Outcome != machine.OutcomeReply || end.Reply == nil {
		return m.retryOrAsk(again, said(end))
	}
	if end.Reply.Status == "blocked" {
		m.s.Step = again
		m.askBlocked(d, why(end.Reply))
		return nil
	}
	if end.Commit != "" && end.Reply.Status == "done" {
		m.judged(d)
	}
	return replied(end.Reply)
}

// judged notes who judged the work, at which commit.
func (m dispatching) judged(d *machine.Dispatch) {
	j := machine.Judged{Attempt: d.Attempt, Commit: m.e.Ended.Commit}
	if m.s.CurrentState == machine.FinalReview {
		m.s.FinalReview.Judged = &j
		return
	}
	of := maps.Clone(phase(m.s).Judged) // that of the state before stays as it is
	if of == nil {
		of = map[string]machine.Judged{}
	}
	of[d.Persona] = j
	phase(m.s).Judged = of
}

// counted counts a dispatch that spent its attempt: the next one of its persona is another. One that was limited or
// cut off is repeated as the same attempt, until the third cut.
func (m dispatching) counted(d *machine.Dispatch) {
	phase(m.s).Cuts, phase(m.s).Outages = 0, 0
	if m.s.CurrentState == machine.FinalReview && d.Task == "" {
		m.s.FinalReview.Dispatches++
		return
	}
	if t := machine.FindTask(m.s.Tasks, d.Task); t != nil {
		t.Cuts, t.Outages = 0, 0
		n := &t.Diagnoses
		if d.Persona == "executor" {
			n = &t.Dispatches
		}
		*n++
		tally(m.s, d.Place(), *n)
		return
	}
	whose := d.Persona
	if d.Purpose == machine.BlindPurpose { // it does not see what the verifier's others left
		whose = d.Purpose
	}
	tally(m.s, whose, phase(m.s).Dispatches[whose]+1)
}

// tallies count the dispatches of the phase, or of the final review's fixes. Those of a task are among them, so that
// another task that has its id, after a redo or in a new plan, counts on.
func tallies(s *machine.State) *map[string]int {
	if s.CurrentState == machine.FinalReview {
		return &s.FinalReview.Fixes
	}
	return &phase(s).Dispatches
}

func tally(s *machine.State, whose string, n int) {
	of := tallies(s)
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
func countOn(s *machine.State, t *machine.Task) {
	of := *tallies(s)
	t.Dispatches = max(t.Dispatches, of[machine.Dispatch{Task: t.ID}.Place()])
	t.Diagnoses = max(t.Diagnoses, of[machine.Dispatch{Task: t.ID, Purpose: "diagnosis"}.Place()])
}

// retryOrAsk repeats a dispatch that produced nothing, once, telling it so; then a human is asked.
func (m dispatching) retryOrAsk(again machine.StepName, why string) error {
	p := phase(m.s)
	p.Tries++
	p.Failure, p.Planning.Several, m.s.Step = why, false, again
	if p.Tries < 2 {
		return nil
	}
	m.ask(machine.GateNoOutput, fmt.Sprintf("Two dispatches in a row produced nothing usable (%s). What now?", strings.Join(strings.Fields(why), " ")), otherWays(m.s.CurrentState)...)
	return nil
}

// otherWays are what a human can do beside the answers of a gate.
func otherWays(state machine.Name) []string {
	if state != machine.Plan {
		return nil
	}
	return []string{"Or bring the plan yourself: autopilot plan, with --file or --edit."}
}

// said is how a dispatch without a reply ended, in words for people: "no reply: …".
func said(e *machine.Ended) string {
	return strings.TrimSuffix(strings.ReplaceAll(string(e.Outcome), "_", " ")+": "+e.Detail, ": ")
}

// why is what a reply says of its own not being done.
func why(r *machine.Reply) string { return cmp.Or(r.Blocker, r.Summary) }

// limited notes the limit that a dispatch ended with, if it is one, and what the session waits for: nothing where another
// backend is free to take over, else the limit that is over first.
func (m dispatching) limited(d *machine.Dispatch) {
	end := m.e.Ended
	m.heard(d)
	m.remember()
	m.s.LimitedUntil, m.s.QuotaUsedUp, m.s.LimitedBackend = end.Until, end.UsedUp, end.Backend
	if end.Next == "" || end.Next == end.Backend {
		return
	}
	unlimited(m.s)
	if first, ok := m.s.LimitOf(end.Next); ok {
		m.s.LimitedUntil, m.s.QuotaUsedUp, m.s.LimitedBackend = &first.Until, first.UsedUp, first.Backend
	}
}

// heard counts such an outage.
func (m dispatching) heard(d *machine.Dispatch) {
	switch t := machine.FindTask(m.s.Tasks, d.Task); {
	case !m.e.Ended.Outage || !m.e.Ended.TextOnly:
	case t != nil:
		t.Outages++
	default:
		phase(m.s).Outages++
	}
}

// remember keeps the limit of each backend until it is over, whoever is dispatched meanwhile.
func (m dispatching) remember() {
	end := m.e.Ended
	if end.Backend == "" {
		return
	}
	var limits []machine.BackendLimit
	for _, l := range m.s.Limits {
		if l.Backend != end.Backend && l.Until.After(m.e.Time) {
			limits = append(limits, l)
		}
	}
	if end.Until != nil {
		limits = append(limits, machine.BackendLimit{Backend: end.Backend, Until: *end.Until, UsedUp: end.UsedUp, Outage: end.Outage})
	}
	m.s.Limits = limits
}

// unlimited says that nothing is waited for, as somebody is dispatched again.
func unlimited(s *machine.State) {
	s.LimitedUntil, s.QuotaUsedUp, s.LimitedBackend = nil, false, ""
}
