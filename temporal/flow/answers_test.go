package flow

import (
	"context"
	"fmt"
	"path/filepath"
	"testing"

	"autopilot/autopilot/machine"
)

// TestARefusedAnswerSaysWhyInTheCoresWords asks at each question of some sessions for what it does not take: the validator refuses it
// with the sentence that one machine says.
func TestARefusedAnswerSaysWhyInTheCoresWords(t *testing.T) {
	met := map[string]bool{}
	for seed := range uint64(12) {
		s := script{seed: seed, tasks: 3, bad: 0.3}
		k := &worker{script: s, dir: filepath.Join(t.TempDir(), "workflow")}
		k.instead = func(_ context.Context, a Act) (*Played, error) {
			st, _, err := k.now()
			if err != nil || a.Answer != nil {
				return nil, err
			}
			for _, c := range wrong(st) {
				q := k.ask(AnswerUpdate, new(int64), c.answer)
				if kind, sentence := said(<-q.done); <-q.taken || kind != AnswerErrorType || sentence != c.want {
					t.Errorf("%+v gives %s %q, want %q", c.answer, kind, sentence, c.want)
				}
				met[c.name] = true
			}
			return nil, nil
		}
		play(t, k, Input{First: s.first()})
	}
	for _, name := range []string{"no question", "unknown option", "another question", "stop", "no reason"} {
		if !met[name] {
			t.Errorf("no session was asked for %s", name)
		}
	}
}

type wrongAnswer struct {
	name, want string
	answer     machine.Answer
}

// wrong lists answers that a session does not take now, with what it says of them.
func wrong(st machine.State) []wrongAnswer {
	if st.Gate == nil {
		return []wrongAnswer{{"no question", "no question is open", machine.Answer{Option: "yes"}}}
	}
	list := []wrongAnswer{
		{"unknown option", `"dance" doesn't answer this question`, machine.Answer{Gate: st.Gate.ID, Option: "dance"}},
		{"another question", fmt.Sprintf("the answer is for gate g0, but the open one is %s (%s): look at the question and answer that", st.Gate.ID, st.Gate.Called()), machine.Answer{Gate: "g0", Option: "yes"}},
		{"stop", "stop leaves the question open: there is nothing to answer", machine.Answer{Gate: st.Gate.ID, Option: "stop"}},
	}
	for _, o := range st.Gate.Options {
		if o.WantsReason {
			list = append(list, wrongAnswer{"no reason", o.Name + " needs a reason: add --reason \"…\"", machine.Answer{Gate: st.Gate.ID, Option: o.Name, Reason: " "}})
		}
	}
	return list
}

// TestAnAnswerThatAWorkerRefusesSaysWhy: it was accepted first, as the repository shows only to a worker what is wrong with it.
func TestAnAnswerThatAWorkerRefusesSaysWhy(t *testing.T) {
	k, q := atFirstQuestion(t, func(k *worker, a Act) *Played {
		if a.Answer == nil {
			return nil
		}
		return &Played{Refused: "the plan is not there any more"}
	})
	if kind, sentence := said(<-q.done); !<-q.taken || kind != AnswerErrorType || sentence != "the plan is not there any more" {
		t.Errorf("it gives %s %q", kind, sentence)
	}
	if k.hub.CurrentState != machine.Done {
		t.Errorf("the session ends in %s", k.hub.CurrentState)
	}
}

// TestAnAnswerThatComesTooLateSaysWhatWasAnswered: the worker that looks at the question finds that it needs no person.
func TestAnAnswerThatComesTooLateSaysWhatWasAnswered(t *testing.T) {
	want := "it was answered meanwhile: "
	_, q := atFirstQuestion(t, func(k *worker, a Act) *Played {
		st, _, err := k.now()
		if err != nil {
			t.Error(err)
		}
		own := k.script.answer(st.Revision, *st.Gate)
		own.By = "autopilot"
		want += string(st.Gate.Kind) + ": " + own.Option + ", by autopilot"
		if err := k.record(context.Background(), &st, a, Record{Act: a.ID, Attempt: 1, Event: st.AnswerEvent(own)}); err != nil {
			t.Error(err)
		}
		return &Played{}
	})
	if kind, sentence := said(<-q.done); !<-q.taken || kind != AnswerErrorType || sentence != want {
		t.Errorf("it gives %s %q, want %q", kind, sentence, want)
	}
}

// atFirstQuestion plays a session in which a person answers as soon as the first question is open. Something else happens then, once.
func atFirstQuestion(t *testing.T, meanwhile func(*worker, Act) *Played) (*worker, asked) {
	t.Helper()
	s := script{seed: 1, tasks: 3, bad: 0.3}
	k := &worker{script: s, dir: filepath.Join(t.TempDir(), "workflow")}
	var q asked
	k.instead = func(_ context.Context, a Act) (p *Played, err error) {
		st, _, err := k.now()
		if err != nil || st.Gate == nil || meanwhile == nil {
			return nil, err
		}
		if q.done == nil {
			q = k.ask(AnswerUpdate, new(int64), k.script.answer(st.Revision, *st.Gate))
		}
		if p = meanwhile(k, a); p != nil {
			meanwhile = nil
		}
		return p, nil
	}
	play(t, k, Input{First: s.first()})
	if q.done == nil {
		t.Fatal("no question was open")
	}
	return k, q
}
