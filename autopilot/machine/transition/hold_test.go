package transition

import (
	"encoding/json"
	"fmt"
	"slices"

	"autopilot/autopilot/machine"
)

// failer is what the tests of testing and of rapid have in common.
type failer interface {
	Helper()
	Fatalf(format string, args ...any)
}

// reached collects what a run of scripts or a walk met, for the tests that ask whether everything was met.
type reached struct {
	light   bool            // only apply: what holds of each event is checked elsewhere
	rows    map[string]bool // "STATE step event → step"
	edges   map[string]bool // "STATE edge"
	gates   map[string]bool
	effects map[string]bool // of answers: "gate option"
}

func newReached() *reached {
	return &reached{rows: map[string]bool{}, edges: map[string]bool{}, gates: map[string]bool{}, effects: map[string]bool{}}
}

func rowName(state machine.Name, step machine.StepName, e machine.EventType, to machine.StepName) string {
	return fmt.Sprintf("%s %s %s → %s", state, step, e, to)
}

// note records what an event that was taken did.
func (r *reached) note(before, after machine.State, e machine.Event) {
	if row, ok := machine.Steps[before.CurrentState][before.Step][e.Type]; ok {
		to := after.Step
		if after.CurrentState != before.CurrentState {
			to = machine.Leave
		} else if slices.Equal(row, []machine.StepName{machine.Stay}) {
			to = machine.Stay
		}
		r.rows[rowName(before.CurrentState, before.Step, e.Type, to)] = true
	}
	for edge, to := range machine.Edges[before.CurrentState] {
		if to == after.CurrentState {
			r.edges[string(before.CurrentState)+" "+string(edge)] = true
		}
	}
	if after.Gate != nil {
		r.gates[string(after.Gate.Kind)] = true
	}
	if e.Type == machine.Answered && before.Gate != nil {
		o, _ := before.Gate.Check(*e.Answer)
		r.effects[fmt.Sprintf("%s %s", before.Gate.Kind, o.Effect)] = true
	}
}

func encode(t failer, v any) string {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatalf("encoding: %v", err)
	}
	return string(b)
}

func decode[T any](t failer, text string) T {
	t.Helper()
	var v T
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		t.Fatalf("decoding: %v", err)
	}
	return v
}

// hold applies an event and checks everything that must hold of any event at any state: the input is not touched, a
// refusal changes nothing, state and event behave the same after a journey through JSON, and the outcome is sound.
func hold(t failer, before machine.State, e machine.Event) (machine.State, error) {
	t.Helper()
	was := encode(t, before)
	after, err := Apply(before, e)
	is := encode(t, after)
	if now := encode(t, before); now != was {
		t.Fatalf("%s changed the state it was given:\n%s\n%s", e.Type, was, now)
	}
	again, err2 := Apply(decode[machine.State](t, was), decode[machine.Event](t, encode(t, e)))
	if now := encode(t, again); now != is || (err == nil) != (err2 == nil) {
		t.Fatalf("%s does otherwise after a journey through JSON (%v, %v):\n%s\n%s", e.Type, err, err2, is, now)
	}
	if err != nil {
		if is != was {
			t.Fatalf("%s was refused (%v) and changed the state:\n%s\n%s", e.Type, err, was, is)
		}
		return after, err
	}
	for _, wrong := range unsound(before, after, e) {
		t.Fatalf("%s at %s %s: %s", e.Type, before.CurrentState, before.Step, wrong)
	}
	return after, nil
}

// unsound says what is wrong with a state that an event led to.
func unsound(before, after machine.State, e machine.Event) []string {
	var wrong []string
	must := func(ok bool, format string, args ...any) {
		if !ok {
			wrong = append(wrong, fmt.Sprintf(format, args...))
		}
	}
	must(after.Revision == before.Revision+1, "the revision is %d", after.Revision)
	events, known := machine.Steps[after.CurrentState][after.Step]
	must(known, "it led to %s %s, which the table does not have", after.CurrentState, after.Step)
	must(after.CurrentState == before.CurrentState || leads(before, after) || before.Revision == 0, "no edge leads to %s", after.CurrentState)
	over := after.CurrentState == machine.Done && after.Step == machine.StepClosed
	must(after.Gate != nil || over || len(events) > 0, "nothing can happen at %s %s and no question is open", after.CurrentState, after.Step)
	waits := slices.Contains([]machine.StepName{machine.StepLanes, machine.StepAsk, machine.StepPick, machine.StepValidate, machine.StepCommit}, machine.Next(after).Name)
	must(after.Gate != nil || len(after.Suspended) == 0 || waits, "a question waits and none is open")
	must(after.Gate == nil || !after.LanesBusy(), "a gate is open beside lanes at work")
	if _, flying := machine.Next(after).Dispatching(); flying {
		must(len(after.InFlight) == 1 && after.InFlight[0].Dispatch != nil, "%s has no dispatch in flight", after.Step)
	}
	if after.Gate != nil {
		must(len(after.Gate.Options) > 0 || after.Gate.Free, "gate %s offers nothing", after.Gate.Kind)
		stop, ok := after.Gate.Option("stop")
		must(ok && stop.Effect == machine.EffectStop, "gate %s cannot be left open", after.Gate.Kind)
	}
	ids := map[string]bool{}
	for _, t := range after.Tasks {
		must(!ids[t.ID], "two tasks are %s", t.ID)
		ids[t.ID] = true
	}
	for _, f := range after.Register {
		must(len(f.Rationale) <= 1<<10, "%s keeps %d bytes", f.ID, len(f.Rationale))
		must(e.Type != machine.PhaseRecorded || f.Fate == machine.FateOpen || f.Rationale == "", "%s is closed in a phase that is over, and keeps why it was raised", f.ID)
	}
	for i, p := range after.Phases {
		past := i != after.CurrentPhase && p.Over()
		must(!past || !slices.ContainsFunc(p.Findings, func(f machine.Finding) bool { return len(f.Rationale) > 1<<10 }), "phase %s is over, and keeps a long rationale", p.Number)
	}
	for _, h := range after.History {
		must(h.Phase < len(after.Phases), "the history names phase %d of %d", h.Phase, len(after.Phases))
	}
	for _, d := range after.Decisions {
		must(d.Phase < len(after.Phases), "a decision names phase %d of %d", d.Phase, len(after.Phases))
	}
	return append(wrong, shrunk(before, after, e)...)
}

func leads(before, after machine.State) bool {
	for _, to := range machine.Edges[before.CurrentState] {
		if to == after.CurrentState {
			return true
		}
	}
	return false
}

// shrunk says which record got shorter and which counter went down.
func shrunk(before, after machine.State, e machine.Event) []string {
	var wrong []string
	grow := func(what string, was, is int) {
		if is < was {
			wrong = append(wrong, fmt.Sprintf("%s went from %d to %d", what, was, is))
		}
	}
	grow("the register", len(before.Register), len(after.Register))
	grow("decisions", len(before.Decisions), len(after.Decisions))
	if before.CurrentState != machine.PhaseComplete || after.CurrentState != machine.Execute { // the phase is fixed, and over once more later
		grow("history", len(before.History), len(after.History))
	}
	grow("runs", before.Runs, after.Runs)
	made := before.Usage.Dispatches
	if e.Ended != nil && (e.Ended.Outcome == machine.OutcomeAuth || e.Ended.Outcome == machine.OutcomeNotMade) {
		made-- // it was none
	}
	grow("dispatches", made, after.Usage.Dispatches)
	grow("dispatches up to the last pause", before.PausedAt, after.PausedAt)
	grow("final dispatches", before.FinalReview.Dispatches, after.FinalReview.Dispatches)
	grow("elapsed", int(before.Elapsed*1000), int(after.Elapsed*1000))
	if e.Type != machine.PhasesAdded {
		grow("final fixes", before.FinalReview.RetryCount, after.FinalReview.RetryCount)
	}
	redone := e.Type == machine.PhaseRedone || (e.Type == machine.Answered && before.Gate.Kind == machine.GateSpecChanged)
	if len(before.Phases) == len(after.Phases) && !redone && e.Type != machine.SpecReread && e.Type != machine.PhasesReordered {
		for i, p := range before.Phases {
			q := after.Phases[i]
			grow("verify fixes of phase "+p.Number, p.VerifyFixes, q.VerifyFixes)
			grow("review fixes of phase "+p.Number, p.ReviewFixes, q.ReviewFixes)
			grow("interruptions of phase "+p.Number, p.Interruptions, q.Interruptions)
			for _, persona := range []string{"planner", "verifier", "reviewer"} {
				grow(persona+" dispatches of phase "+p.Number, p.Dispatches[persona], q.Dispatches[persona])
			}
		}
	}
	for _, was := range before.Tasks {
		if is, ok := after.Task(was.ID); ok && !redone && is.Title == was.Title && e.Plan == nil && is.Kind == was.Kind {
			grow("attempts of "+was.ID, len(was.Attempts), len(is.Attempts))
			grow("interruptions of "+was.ID, was.Interruptions, is.Interruptions)
			grow("dispatches of "+was.ID, was.Dispatches, is.Dispatches)
			if is.Diagnoses > was.Diagnoses && was.DiagnosedAfter == len(is.Failures()) {
				wrong = append(wrong, "a failure of "+was.ID+" was diagnosed twice")
			}
		}
	}
	for i, d := range before.Decisions[:min(len(before.Decisions), len(after.Decisions))] {
		if d.Decision != after.Decisions[i].Decision || d.Reason != after.Decisions[i].Reason {
			wrong = append(wrong, fmt.Sprintf("decision %d was changed", i))
		}
	}
	return wrong
}
