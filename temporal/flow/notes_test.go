package flow

import (
	"context"
	"path/filepath"
	"slices"
	"sync"
	"testing"

	"autopilot/autopilot/machine"
	"autopilot/autopilot/machine/transition"
)

// TestANoteIsJournaledWhileSomebodyIsAtWork has a person send a note between the beginning and the end of an agent's run.
func TestANoteIsJournaledWhileSomebodyIsAtWork(t *testing.T) {
	for name, parallel := range map[string]int{"in the run's own working tree": 0, "in a lane": 3} {
		s := script{seed: 4, tasks: 6, parallel: parallel}
		k := &worker{script: s, dir: filepath.Join(t.TempDir(), "workflow")}
		var once sync.Once
		var rev int64
		k.told = func(task string, e machine.EventType) {
			if e == machine.Dispatched && (task != "") == (parallel > 0) {
				once.Do(func() {
					q := k.ask(NoteUpdate, &rev, machine.Event{Type: machine.Noted, Detail: "mind the tests"})
					if err := <-q.done; err != nil {
						t.Errorf("%s: the note is refused: %v", name, err)
					}
				})
			}
		}
		play(t, k, Input{First: s.first()})
		at := slices.IndexFunc(k.kept, func(e machine.Event) bool { return e.Type == machine.Noted && e.Detail == "mind the tests" })
		if at < 0 || k.kept[at].Rev != rev || k.kept[at].Slept != 0 {
			t.Fatalf("%s: the note of revision %d is event %d", name, rev, at)
		}
		if flying := before(t, k.kept, rev).Flights(); len(flying) == 0 {
			t.Errorf("%s: nobody was at work", name)
		}
	}
}

// TestWhatIsNoNoteLeavesNothingInTheHistory: the validator refuses it, at work as between acts.
func TestWhatIsNoNoteLeavesNothingInTheHistory(t *testing.T) {
	s := script{seed: 4, tasks: 2}
	k := &worker{script: s, dir: filepath.Join(t.TempDir(), "workflow")}
	k.instead = func(_ context.Context, a Act) (*Played, error) {
		st, journal, err := k.now()
		if err != nil {
			t.Error(err)
		}
		for _, c := range []struct {
			event machine.Event
			want  string
		}{
			{machine.Event{Type: machine.Noted, Rev: st.Revision}, StaleErrorType},
			{machine.Event{Type: machine.Noted, Rev: st.Revision + 2}, StaleErrorType},
			{machine.Event{Type: machine.TasksFinished}, IllegalErrorType},
			{machine.Event{Type: machine.EffectDone, Commit: "abc"}, IllegalErrorType},
			{machine.Event{Type: machine.Used, Dispatch: &machine.Dispatch{ID: "d"}, Usage: &machine.Usage{InputTokens: 1}}, IllegalErrorType},
			{machine.Event{Type: machine.FindingDismissed, Finding: "f99", By: "human"}, IllegalErrorType},
		} {
			q := k.ask(NoteUpdate, new(int64), c.event)
			if err := <-q.done; <-q.taken || typeOf(err) != c.want {
				t.Errorf("at %s, %+v gives %v", a.Step, c.event, err)
			}
		}
		if after, same, err := k.now(); err != nil || after.Revision != st.Revision || len(same) != len(journal) {
			t.Errorf("at %s, the session goes from revision %d to %d: %v", a.Step, st.Revision, after.Revision, err)
		}
		return nil, nil
	}
	play(t, k, Input{First: s.first()})
}

// TestAFindingIsDismissedOnce by the way of a note: after that it is not open any more.
func TestAFindingIsDismissedOnce(t *testing.T) {
	s := script{seed: 3, tasks: 4, bad: 0.3}
	k := &worker{script: s, dir: filepath.Join(t.TempDir(), "workflow")}
	dismissed := ""
	k.instead = func(_ context.Context, a Act) (*Played, error) {
		st, _, err := k.now()
		if err != nil || dismissed != "" || len(st.Register.Open()) == 0 {
			return nil, err
		}
		dismissed = st.Register.Open()[0].ID
		e := machine.Event{Type: machine.FindingDismissed, Finding: dismissed, Detail: "it is none", By: "human"}
		if err := <-k.ask(NoteUpdate, new(int64), e).done; err != nil {
			t.Errorf("it is refused: %v", err)
		}
		q := k.ask(NoteUpdate, new(int64), e)
		if err := <-q.done; <-q.taken || typeOf(err) != IllegalErrorType {
			t.Errorf("the second time gives %v", err)
		}
		return nil, nil
	}
	play(t, k, Input{First: s.first()})
	is := func(e machine.Event) bool { return e.Type == machine.FindingDismissed }
	if at := slices.IndexFunc(k.kept, is); dismissed == "" || at < 0 || slices.ContainsFunc(k.kept[at+1:], is) {
		t.Errorf("%q is dismissed by event %d", dismissed, at)
	}
}

// before is the state of a journal before a revision.
func before(t *testing.T, journal []machine.Event, rev int64) (st machine.State) {
	t.Helper()
	for _, e := range journal[:rev-1] {
		next, err := transition.Apply(st, e)
		if err != nil {
			t.Fatal(err)
		}
		st = next
	}
	return st
}
