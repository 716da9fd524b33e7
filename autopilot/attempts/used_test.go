package attempts

import (
	"fmt"
	"syscall"
	"testing"

	"autopilot/autopilot/budget"
	"autopilot/autopilot/journal"
	"autopilot/autopilot/machine"
	"autopilot/personas"
)

// fullOnce is a session whose disk is full when the first so many costs of calls are to be written. What is written
// next is taken, as the journal does.
type fullOnce struct {
	*ledger
	fails int
	taken []machine.EventType
}

func (o *fullOnce) Apply(e machine.Event) (machine.State, error) {
	if e.Type == machine.Used && o.fails > 0 {
		o.fails--
		return o.state, fmt.Errorf("writing the journal: %w", syscall.ENOSPC)
	}
	o.taken = append(o.taken, e.Type)
	return o.ledger.Apply(e)
}

// filesOfNobody are files that nobody reads.
type filesOfNobody struct{ journal.Files }

func (filesOfNobody) Project(machine.State) error { return nil }

func (filesOfNobody) Progress(journal.ProgressLine) error { return nil }

// onFullDisk is an engine whose session does not take the first costs, and a dispatch of its.
func onFullDisk(t *testing.T, fails, most int) (o *fullOnce, e Attempts, d *personas.Dispatch, over func() bool, end func()) {
	t.Helper()
	l := withATask(t)
	o = &fullOnce{ledger: l, fails: fails}
	if err := l.mustApply(machine.Event{Type: machine.Dispatched, Dispatch: &machine.Dispatch{ID: "d", Persona: "executor", Task: "task-001", Attempt: 1}}); err != nil {
		t.Fatal(err)
	}
	e = l.engine(budget.Limits{Session: budget.Bounds{Tokens: most}})
	e.Journal.Store, e.Journal.Files, d = o, filesOfNobody{}, &personas.Dispatch{ID: "d"}
	limited, end := e.LimitSpending(t.Context(), d, func() []budget.Budget { return budget.Budgets(l.state, e.Settings.Limits, "task-001") }, machine.Event{Task: "task-001"})
	return o, e, d, func() bool { return limited.Err() != nil }, end
}

func TestACallThatTheJournalDidNotTakeIsCountedWithTheNext(t *testing.T) {
	o, _, d, over, end := onFullDisk(t, 1, 1000)
	defer end()
	d.OnUsage(personas.Usage{InputTokens: 900})
	if over() {
		t.Error("the dispatch was ended within its budget")
	}
	d.OnUsage(personas.Usage{InputTokens: 200})
	if spent := o.state.SpentOn("task-001"); o.state.Usage.InputTokens != 1100 || spent.InputTokens != 1100 || !over() {
		t.Errorf("1100 of 1000 were used: the session says %d, the task %d, the dispatch was ended: %v", o.state.Usage.InputTokens, spent.InputTokens, over())
	}
}

func TestWhatIsOwedIsCountedBeforeTheDispatchEnds(t *testing.T) {
	o, e, d, _, end := onFullDisk(t, 2, 0)
	d.OnUsage(personas.Usage{InputTokens: 900})
	d.OnUsage(personas.Usage{InputTokens: 200}) // what is owed takes the second failure, and this one is written
	o.fails = 1
	d.OnUsage(personas.Usage{InputTokens: 30})
	if err := e.Journal.Apply(machine.Event{Type: machine.DispatchEnded, Ended: &machine.Ended{ID: "d", Outcome: machine.OutcomeLimited}}); err != nil {
		t.Fatal(err)
	}
	end()
	if last := o.taken[len(o.taken)-1]; o.state.Usage.InputTokens != 1130 || last != machine.DispatchEnded {
		t.Errorf("1130 were used, the session says %d; the last event is %s", o.state.Usage.InputTokens, last)
	}
}

func TestWhatIsOwedIsCountedWhereNothingElseIsJournaled(t *testing.T) {
	o, _, d, _, end := onFullDisk(t, 1, 0)
	d.OnUsage(personas.Usage{InputTokens: 900}) // of a draft, whose end is no event
	end()
	if o.state.Usage.InputTokens != 900 {
		t.Errorf("900 were used, the session says %d", o.state.Usage.InputTokens)
	}
}
