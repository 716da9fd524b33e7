package flow

import (
	"errors"
	"path/filepath"
	"testing"
	"time"

	"go.temporal.io/sdk/workflow"
	"pgregory.net/rapid"

	"autopilot/autopilot/machine"
)

// TestTheNextRunMayBeOfANewerVersion of the program, though a run stays with the version that it began with.
func TestTheNextRunMayBeOfANewerVersion(t *testing.T) {
	s := script{seed: 4, tasks: 1}
	k := &worker{script: s, dir: filepath.Join(t.TempDir(), "workflow")}
	in, runs := Input{First: s.first()}, 0
	for err := once(t, k, in); err != nil; err = once(t, k, in) {
		runs++
		var next *workflow.ContinueAsNewError
		if !errors.As(err, &next) || next.InitialVersioningBehavior != workflow.ContinueAsNewVersioningBehaviorAutoUpgrade {
			t.Fatalf("run %d ends with %+v", runs, err)
		}
		in = following(t, err)
	}
	if runs == 0 {
		t.Error("no second run began")
	}
}

// TestARunEndsWhenTheServerSuggestsIt: after the step at work, in the middle of a phase.
func TestARunEndsWhenTheServerSuggestsIt(t *testing.T) {
	s := script{seed: 4, tasks: 4}
	k := &worker{script: s, dir: filepath.Join(t.TempDir(), "workflow")}
	var suggested int64
	k.told = func(_ string, e machine.EventType) {
		if e != machine.Dispatched || suggested > 0 {
			return
		}
		st, _, err := k.now()
		if err != nil || st.CurrentState != machine.Execute {
			return
		}
		suggested = st.Revision
		k.env.RegisterDelayedCallback(func() { k.env.SetContinueAsNewSuggested(true) }, 0)
	}
	in := Input{First: s.first()}
	for suggested == 0 {
		in = following(t, once(t, k, in))
	}
	if in.State.Revision != suggested+1 || in.State.Gate != nil || in.State.CurrentState != machine.Execute {
		t.Errorf("it is suggested at revision %d, and the next run begins at %d in %s", suggested, in.State.Revision, in.State.CurrentState)
	}
	play(t, k, in)
}

// TestAnAnswerDuringTheKeepingOfTheJournalIsTaken: a run that is about to end at a question stays for it. What comes of it is what comes
// on one machine, byte for byte.
func TestAnAnswerDuringTheKeepingOfTheJournalIsTaken(t *testing.T) {
	answered := 0
	rapid.Check(t, func(rt *rapid.T) {
		s := script{seed: rapid.Uint64().Draw(rt, "seed"), tasks: rapid.IntRange(1, 4).Draw(rt, "tasks"), bad: rapid.SampledFrom([]float64{0.1, 0.3}).Draw(rt, "bad")}
		dir := t.TempDir()
		k := &worker{script: s, dir: filepath.Join(dir, "workflow"), lasts: time.Minute}
		type answer struct {
			asked
			from, led int64 // revisions
		}
		var sent []*answer
		k.keeping = func(Keep) {
			st, _, err := k.now()
			if err != nil || st.Gate == nil {
				return
			}
			q := &answer{from: st.Revision}
			q.asked = k.ask(AnswerUpdate, &q.led, s.answer(st.Revision, *st.Gate))
			if sent = append(sent, q); !<-q.taken {
				rt.Errorf("the answer to %s is refused: %v", st.Gate.Kind, <-q.done)
			}
		}
		play(rt, k, Input{First: s.first()})
		for i, q := range sent {
			select {
			case err := <-q.done:
				if err != nil || q.led <= q.from {
					rt.Errorf("answer %d leads from revision %d to %d: %v", i, q.from, q.led, err)
				}
			default:
				rt.Errorf("answer %d was lost", i)
			}
		}
		answered += len(sent)
		onOneMachine(rt, s, filepath.Join(dir, "machine"), k.kept, s.next)
		same(rt, k, filepath.Join(dir, "machine"))
	})
	if answered == 0 {
		t.Error("no answer came while the journal was kept")
	}
}
