package timeline

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"autopilot/autopilot/machine"
)

var start = time.Date(2026, 5, 4, 9, 0, 0, 0, time.UTC)

func at(minutes float64) time.Time {
	return start.Add(time.Duration(minutes * float64(time.Minute)))
}

// run is an agent run of a task that took a minute.
func run(t *Timeline, n int) {
	s := machine.State{CurrentState: machine.Execute}
	id := fmt.Sprint("d", n)
	t.Take(s, machine.Event{Type: machine.Dispatched, Time: at(float64(n)), Dispatch: &machine.Dispatch{ID: id, Persona: "executor", Task: "task-001", Attempt: n}}, s)
	t.Take(s, machine.Event{Type: machine.DispatchEnded, Time: at(float64(n + 1)), Ended: &machine.Ended{ID: id, Outcome: machine.OutcomeReply, Reply: &machine.Reply{Status: "done"}}}, s)
}

// TestALongSessionKeepsItsEnd: what is kept does not grow with the journal, and is what came last.
func TestALongSessionKeepsItsEnd(t *testing.T) {
	var line Timeline
	for n := 1; n <= 5*mostSpans; n++ {
		run(&line, n)
		if len(line.Spans) > mostSpans+mostSpans/4 {
			t.Fatalf("%d spans are kept after %d runs", len(line.Spans), n)
		}
	}
	all := line.Until(at(1e6), false, true)
	if first, last := all[0], all[len(all)-1]; len(all) != mostSpans || last.Attempt != 5*mostSpans || first.Attempt != 4*mostSpans+1 || last.Place != "task-001" || last.Class != "ok" {
		t.Errorf("%d spans, from %+v to %+v", len(all), first, last)
	}
}

// TestALongWaitIsFolded: a night that nobody answered takes no room from the work.
func TestALongWaitIsFolded(t *testing.T) {
	spans := []Span{
		{Lane: "Executor", Start: at(0), End: at(30), Class: "ok"},
		{Lane: "You", Start: at(30), End: at(630), Class: "wait"},
		{Lane: "Executor", Start: at(630), End: at(660), Class: "ok"},
	}
	s := ScaleOf(spans)
	if work, wait := s.X(at(30))-s.X(at(0)), s.X(at(630))-s.X(at(30)); work < 300 || wait > 120 {
		t.Errorf("30 minutes of work take %.0f columns, 10 hours of waiting %.0f", work, wait)
	}
	chart, err := Chart(spans, time.UTC)
	if err != nil || !strings.Contains(string(chart), "//10 h") || strings.Count(string(chart), "<rect") != len(spans) {
		t.Errorf("%v\n%s", err, chart)
	}
}

// TestWhatIsOpenLastsUntilNow: an agent at work until now, one that was cut off until the last event, a question until the end.
func TestWhatIsOpenLastsUntilNow(t *testing.T) {
	var line Timeline
	s := machine.State{CurrentState: machine.Execute}
	asks := s
	asks.Gate = &machine.Gate{ID: "g1"}
	line.Take(s, machine.Event{Type: machine.Dispatched, Time: at(1), Dispatch: &machine.Dispatch{ID: "d1", Persona: "planner", Attempt: 1}}, s)
	line.Take(s, machine.Event{Time: at(3)}, asks)
	for _, c := range []struct {
		running, done bool
		want          string
	}{
		{true, false, "Planner open 9, You wait 7"},
		{false, false, "Planner cut 2, You wait 7"},
		{false, true, "Planner cut 2"},
	} {
		var got []string
		for _, s := range line.Until(at(10), c.running, c.done) {
			got = append(got, fmt.Sprintf("%s %s %.0f", s.Lane, s.Class, s.End.Sub(s.Start).Minutes()))
		}
		if strings.Join(got, ", ") != c.want {
			t.Errorf("running %t, done %t: %s, want %s", c.running, c.done, strings.Join(got, ", "), c.want)
		}
	}
}
