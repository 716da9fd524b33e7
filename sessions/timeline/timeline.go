package timeline

import (
	"cmp"
	"slices"
	"time"

	"autopilot/autopilot/machine"
)

// mostSpans are drawn; more are too many to load, and too small to see.
const mostSpans = 1500

// Timeline is what took time in a session: agent runs, checks, waits. Take is called for each event in order; its zero value is at
// the beginning.
type Timeline struct {
	Spans []Span // in the order in which they ended; the last mostSpans of them at least

	flight map[string]begun
	asked  time.Time // since when a question is open
	gate   string
	limit  time.Time // since when a limit is waited for
	last   time.Time
}

// begun is an agent run that has not ended.
type begun struct {
	machine.Dispatch
	at    time.Time
	phase int
}

// Position is the phase that an event at a state is about.
func Position(s machine.State) int {
	if s.CurrentState == machine.FinalReview || s.CurrentState == machine.Done || s.CurrentState == machine.Init {
		return 0
	}
	return s.CurrentPhase + 1
}

// Take takes in an event with the states before and after it.
func (t *Timeline) Take(before machine.State, e machine.Event, after machine.State) {
	if t.flight == nil {
		t.flight = map[string]begun{}
	}
	t.last = e.Time
	t.waits(e, after)
	phase := Position(before)
	switch e.Type {
	case machine.Dispatched:
		t.flight[e.Dispatch.ID] = begun{*e.Dispatch, e.Time, phase}
	case machine.DispatchEnded:
		t.ended(e)
	case machine.BaselineMeasured:
		if e.Baseline != nil {
			t.checked(e.Baseline.Checks, 0, "", 0)
		}
	case machine.SnapshotTaken:
		if e.Before != nil {
			t.checked([]machine.Check{*e.Before}, phase, e.Task, 0)
		}
	case machine.Validated:
		task, _ := before.Task(e.Task)
		t.checked(e.Checks, phase, e.Task, len(task.Attempts)+1)
	case machine.Checked:
		t.checked(e.Checks, phase, "", 0)
	case machine.BlindChecked:
		t.blind(phase, e)
	}
	if len(t.Spans) > mostSpans+mostSpans/4 {
		t.Spans = append([]Span(nil), t.Spans[len(t.Spans)-mostSpans:]...)
	}
}

// Ending is the agent run that an event ends, before it is taken in, and the phase that it was for; known: it ends one.
func (t *Timeline) Ending(e machine.Event) (d machine.Dispatch, phase int, known bool) {
	if e.Type != machine.DispatchEnded || e.Ended == nil {
		return d, 0, false
	}
	b, known := t.flight[e.Ended.ID]
	return b.Dispatch, b.phase, known
}

// ended is the end of an agent run.
func (t *Timeline) ended(e machine.Event) {
	if _, _, known := t.Ending(e); !known {
		return
	}
	s := t.flight[e.Ended.ID].span()
	delete(t.flight, e.Ended.ID)
	if s.End, s.Class = e.Time, classOf(*e.Ended); e.Ended.Used != nil {
		s.USD = e.Ended.Used.CostUSD
	}
	t.Spans = append(t.Spans, s)
}

// span is an agent run without its end.
func (b begun) span() Span {
	return Span{Lane: laneOf(b.Persona), Start: b.at, What: cmp.Or(purposes[b.Purpose], b.Persona), Phase: b.phase, Task: b.Task, Attempt: b.Attempt, Place: b.Place()}
}

func (t *Timeline) checked(checks []machine.Check, phase int, task string, attempt int) {
	for _, c := range checks {
		if c.StartedAt.IsZero() {
			continue
		}
		class := "failed"
		if machine.Passing([]machine.Check{c}) {
			class = "ok"
		}
		t.Spans = append(t.Spans, Span{
			Lane: "Checks", Start: c.StartedAt, End: c.StartedAt.Add(time.Duration(c.Seconds * float64(time.Second))), Class: class,
			What: c.Name(), Phase: phase, Task: task, Attempt: attempt,
		})
	}
}

// blind are the checks of somebody who saw the spec alone.
func (t *Timeline) blind(phase int, e machine.Event) {
	if e.Reading == nil || e.Reading.Seconds <= 0 {
		return
	}
	class := "ok"
	for _, c := range e.Reading.Checks {
		if c.Outcome != machine.CheckPassed {
			class = "failed"
		}
	}
	t.Spans = append(t.Spans, Span{
		Lane: "Checks", Start: e.Time.Add(-time.Duration(e.Reading.Seconds * float64(time.Second))), End: e.Time, Class: class, What: "blind checks", Phase: phase,
	})
}

// shortest is how long a wait has to be to be shown.
const shortest = 2 * time.Second

// waits follows open questions and limits.
func (t *Timeline) waits(e machine.Event, after machine.State) {
	open := ""
	if after.Gate != nil {
		open = after.Gate.ID
	}
	if t.gate != "" && open != t.gate {
		t.wait("You", t.asked, e.Time, "waited for an answer")
	}
	if open != t.gate {
		t.gate, t.asked = open, e.Time
	}
	switch {
	case after.LimitedUntil != nil && t.limit.IsZero():
		t.limit = e.Time
	case after.LimitedUntil == nil && !t.limit.IsZero():
		t.wait("Limits", t.limit, e.Time, "waited for a limit")
		t.limit = time.Time{}
	}
}

func (t *Timeline) wait(lane string, from, to time.Time, what string) {
	if to.Sub(from) >= shortest {
		t.Spans = append(t.Spans, Span{Lane: lane, Start: from, End: to, Class: "wait", What: what})
	}
}

// Until are the spans until a time, the last mostSpans of them. What has not ended is cut off at the last event, unless a run is
// at work on it; a question stays open until the session is done.
func (t *Timeline) Until(at time.Time, running, done bool) []Span {
	until, class := t.last, "cut"
	if running {
		until, class = at, "open"
	}
	spans := slices.Clone(t.Spans)
	for _, b := range t.flight {
		s := b.span()
		s.End, s.Class = until, class
		spans = append(spans, s)
	}
	if t.gate != "" && !done {
		spans = append(spans, Span{Lane: "You", Start: t.asked, End: at, Class: "wait", What: "the question is open"})
	}
	slices.SortFunc(spans, func(a, b Span) int { return cmp.Or(a.Start.Compare(b.Start), cmp.Compare(a.Task, b.Task)) })
	return spans[max(0, len(spans)-mostSpans):]
}
