package flow

import (
	"context"
	"errors"
	"path/filepath"
	"reflect"
	"slices"
	"sync"
	"testing"
	"time"

	"autopilot/autopilot/machine"
)

// TestAWorkerThatWasOvertakenRecordsNothing has a second attempt go on with an agent run, record it and end it. The first one is slow:
// it comes with an event that would be legal at each of these moments. Only what its call cost counts.
func TestAWorkerThatWasOvertakenRecordsNothing(t *testing.T) {
	for name, parallel := range map[string]int{"in the run's own working tree": 0, "in a lane": 3} {
		t.Run(name, func(t *testing.T) {
			s := script{seed: 4, tasks: 6, parallel: parallel}
			k := &worker{script: s, dir: filepath.Join(t.TempDir(), "workflow")}
			o := &overtaken{t: t, k: k, lane: parallel > 0}
			k.instead, k.told = o.instead, o.told
			play(t, k, Input{First: s.first()})
			if o.late < 4 || !o.ended {
				t.Fatalf("the first attempt was late %d times; the act ended: %v", o.late, o.ended)
			}
			paid := slices.IndexFunc(k.kept, func(e machine.Event) bool { return e.Type == machine.Used && e.Task == o.act.Task })
			if k.hub.Usage.InputTokens != 7 || paid < 0 {
				t.Errorf("the session used %d tokens, of which event %d tells", k.hub.Usage.InputTokens, paid)
			}
			if slices.ContainsFunc(k.kept, func(e machine.Event) bool { return e.Detail == "late" }) {
				t.Error("an event of the first attempt is in the journal")
			}
		})
	}
}

// overtaken is the first attempt of an act that a second one takes over.
type overtaken struct {
	t     *testing.T
	k     *worker
	mu    sync.Mutex
	lane  bool // the act is in a lane
	act   Act
	late  int // how often it came late
	ended bool
}

func (o *overtaken) instead(_ context.Context, a Act) (*Played, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	switch {
	case o.act.ID == "" && a.Step == machine.StepDispatch && (a.Task != "") == o.lane:
		o.act = a
		return nil, errors.New("it is silent")
	case o.act.ID == a.ID:
		o.record("taken over")
		o.pay()
	case o.act.ID != "" && o.act.Task == a.Task && !o.ended:
		o.ended = true
		o.record("over")
	}
	return nil, nil
}

func (o *overtaken) told(task string, e machine.EventType) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.act.ID != "" && task == o.act.Task && !o.ended && (e == machine.Dispatched || e == machine.DispatchEnded) {
		o.record(string(e))
	}
}

// record has the first attempt record something.
func (o *overtaken) record(when string) {
	o.late++
	before, journal, err := o.k.now()
	late := machine.Event{Rev: before.Revision + 1, Type: machine.Noted, Detail: "late"}
	q := o.k.ask(RecordUpdate, new(any), Record{Act: o.act.ID, Task: o.act.Task, Attempt: 1, Event: late})
	refused := <-q.done
	after, same, failed := o.k.now()
	if <-q.taken || typeOf(refused) != TakenOverErrorType || errors.Join(err, failed) != nil {
		o.t.Errorf("%s: the first attempt's event gives %v (%v, %v)", when, refused, err, failed)
	}
	if !o.lane && !(reflect.DeepEqual(before, after) && reflect.DeepEqual(journal, same)) { // beside a lane others record something
		o.t.Errorf("%s: the first attempt's event changes the session from\n%+v\nto\n%+v", when, before, after)
	}
}

// pay has the first attempt say what its call of a model cost, as a note.
func (o *overtaken) pay() {
	used := machine.Event{Type: machine.Used, Task: o.act.Task, Usage: &machine.Usage{InputTokens: 7}}
	if err := <-o.k.ask(NoteUpdate, new(int64), used).done; err != nil {
		o.t.Errorf("what the call cost is refused: %v", err)
	}
}

// TestNobodyGoesOnWithAnActThatEnded: its worker, or one that took it over too late, comes while nothing is at work.
func TestNobodyGoesOnWithAnActThatEnded(t *testing.T) {
	s := script{seed: 4, tasks: 1}
	k := &worker{script: s, dir: filepath.Join(t.TempDir(), "workflow")}
	var late []asked
	k.instead = func(_ context.Context, a Act) (*Played, error) {
		if a.Step != machine.StepDispatch || late != nil {
			return nil, nil
		}
		st, _, _ := k.now()
		until := k.env.Now().Add(time.Hour)
		late = []asked{} // not twice
		k.env.RegisterDelayedCallback(func() {
			e := machine.Event{Rev: st.Revision + 1, Type: machine.Noted, Detail: "late"}
			late = append(late, k.ask(RecordUpdate, new(any), Record{Act: a.ID, Attempt: 1, Event: e}),
				k.ask(TakeUpdate, new(Taken), Take{Act: a.ID, Attempt: 2, Revision: st.Revision}))
		}, time.Minute)
		return &Played{Until: &until, Limit: "a limit"}, nil
	}
	play(t, k, Input{First: s.first()})
	if len(late) != 2 {
		t.Fatalf("%d updates came late", len(late))
	}
	for i, q := range late {
		if err := <-q.done; <-q.taken || typeOf(err) != TakenOverErrorType {
			t.Errorf("update %d gives %v", i, err)
		}
	}
}
