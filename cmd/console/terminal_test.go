package console

import (
	"context"
	"errors"
	"io"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"autopilot/autopilot/halt"
	"autopilot/autopilot/journal"
	"autopilot/autopilot/machine"
)

func TestAnswerThatLacksItsSecondLineIsAskedForAgain(t *testing.T) {
	for name, c := range map[string]struct {
		gate       machine.Gate
		lines, say string
		want       machine.Answer
	}{
		"reason": {
			machine.Gate{ID: "g1", Options: []machine.Option{{Name: "skip", WantsReason: true}, {Name: "stop"}}},
			"skip\n \nskip\nnot now\n", "Nothing is answered: skip needs a reason.",
			machine.Answer{Gate: "g1", Option: "skip", Reason: "not now", By: "human"},
		},
		"phase": {
			machine.Gate{ID: "g2", Kind: machine.GateSpecChanged, Options: []machine.Option{{Name: "redo"}, {Name: "keep"}}},
			"redo\ntwo\nredo\n 2 \n", "Nothing is answered: redo needs the number of a phase.",
			machine.Answer{Gate: "g2", Option: "redo", Phase: 2, By: "human"},
		},
		"the number of what no choice is": {
			machine.Gate{ID: "g3", Free: true, Options: []machine.Option{{Name: "tabs"}, {Name: "stop"}}},
			"2\n\nother\nboth\n", "Nothing is answered: other needs a reason.",
			machine.Answer{Gate: "g3", Option: "other", Reason: "both", By: "human"},
		},
	} {
		var out strings.Builder
		person := &Terminal{Question: func(g machine.Gate) string { return g.Question + "\n" }, open: new(Prompt), out: &out, typed: newTyped(strings.NewReader(c.lines), nil)}
		got, err := person.Ask(t.Context(), c.gate)
		if err != nil || got != c.want {
			t.Errorf("%s: answered %+v, %v; want %+v", name, got, err, c.want)
		}
		if strings.Count(out.String(), c.say) != 1 {
			t.Errorf("%s: printed\n%s\nwant once %q", name, out.String(), c.say)
		}
	}
}

func TestWhatIsPrintedBesideAQuestionBeginsBelowIt(t *testing.T) {
	var out syncedBuilder
	in, typed := io.Pipe()
	defer typed.Close()
	h := &Host{Terminal: true, In: in, Err: &out, Now: func() time.Time { return time.Time{} }}
	var open Prompt
	person, report := NewTerminal(h, &open), NewPlainReport(h, false, false, &open)
	person.Question = func(g machine.Gate) string { return g.Question + "\n" }
	asked, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() {
		_, err := person.Ask(asked, machine.Gate{Question: "Go on?", Options: []machine.Option{{Name: "yes"}, {Name: "stop"}}})
		ended <- err
	}()
	if _, err := io.WriteString(typed, "what\n"); err != nil {
		t.Fatal(err)
	}
	for !strings.Contains(out.String(), "one of: yes, stop\nYour answer: ") {
		runtime.Gosched()
	}
	report.Report(journal.Note{Event: "decision", Text: "decision: continue: yes"})
	stop()
	if err := <-ended; err == nil {
		t.Error("the question that was called off was answered")
	}
	if _, after, _ := strings.Cut(out.String(), "stop\nYour answer: "); after != "\n00:00:00    decision: continue: yes\n" {
		t.Errorf("behind the question stands %q", after)
	}
}

// syncedBuilder is written by the question and by the report beside it.
type syncedBuilder struct {
	mu   sync.Mutex
	text strings.Builder
}

func (b *syncedBuilder) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.Write(p)
}

func (b *syncedBuilder) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.String()
}

func TestWhatWasTypedBeforeAQuestionIsNotItsAnswer(t *testing.T) {
	var out syncedBuilder
	in, keys := io.Pipe()
	defer keys.Close()
	person := &Terminal{Question: func(g machine.Gate) string { return g.Question + "\n" }, open: new(Prompt), out: &out, typed: newTyped(in, func() error { return nil })}
	gate := machine.Gate{ID: "g1", Question: "Go on?", Options: []machine.Option{{Name: "yes"}, {Name: "no"}}}
	off, call := context.WithCancel(t.Context())
	call()
	if _, err := person.Ask(off, gate); !errors.Is(err, context.Canceled) {
		t.Fatalf("the question that was called off ended with %v", err)
	}
	for _, ask := range []func() (bool, error){
		func() (bool, error) { a, err := person.Ask(t.Context(), gate); return a.Option == "no", err },
		func() (bool, error) { yes, err := person.Confirm(t.Context(), "Go on?"); return !yes, err },
	} {
		type said struct {
			no  bool
			err error
		}
		types(t, keys, "yes\n")
		for len(person.typed.held) == 0 { // the read under way holds it
			runtime.Gosched()
		}
		before, heard := len(out.String()), make(chan said, 1)
		go func() {
			no, err := ask()
			heard <- said{no, err}
		}()
		for len(out.String()) == before {
			runtime.Gosched()
		}
		types(t, keys, "no\n")
		if got := <-heard; !got.no || got.err != nil {
			t.Errorf("answered with no: %v, %v; printed\n%s", got.no, got.err, out.String())
		}
		if _, err := person.typed.line(off); !errors.Is(err, context.Canceled) { // another read that stays under way
			t.Fatal(err)
		}
	}
}

func types(t *testing.T, keys io.Writer, text string) {
	t.Helper()
	if _, err := io.WriteString(keys, text); err != nil {
		t.Fatal(err)
	}
}

func TestTypingIsThrownAwayBeforeAQuestionAndNotBetweenItsPrompts(t *testing.T) {
	var out strings.Builder
	var thrown []string // what was on the screen each time
	forget := func() error {
		thrown = append(thrown, out.String())
		return nil
	}
	person := &Terminal{Question: func(g machine.Gate) string { return g.Question + "\n" }, open: new(Prompt), out: &out, typed: newTyped(strings.NewReader("what\nskip\nnot now\n"), forget)}
	got, err := person.Ask(t.Context(), machine.Gate{ID: "g1", Options: []machine.Option{{Name: "skip", WantsReason: true}}})
	if want := (machine.Answer{Gate: "g1", Option: "skip", Reason: "not now", By: "human"}); err != nil || got != want {
		t.Errorf("answered %+v, %v; want %+v", got, err, want)
	}
	if len(thrown) != 1 || thrown[0] != "" {
		t.Errorf("thrown away behind %q, want once, before the question", thrown)
	}
}

func TestWhereTypingCannotBeThrownAwayNobodyIsAsked(t *testing.T) {
	var out strings.Builder
	broken := errors.New("no such terminal")
	person := &Terminal{Question: func(g machine.Gate) string { return g.Question + "\n" }, open: new(Prompt), out: &out, typed: newTyped(strings.NewReader("yes\nyes\n"), func() error { return broken })}
	_, err := person.Ask(t.Context(), machine.Gate{ID: "g1", Options: []machine.Option{{Name: "yes"}}})
	if !errors.Is(err, halt.ErrNobody) || !errors.Is(err, broken) {
		t.Errorf("Ask ended with %v", err)
	}
	if yes, err := person.Confirm(t.Context(), "Go on?"); yes || err != nil {
		t.Errorf("Confirm ended with %v, %v", yes, err)
	}
	if out.String() != "" {
		t.Errorf("asked nevertheless: %q", out.String())
	}
}
