package cmd

import (
	"context"
	"io"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"autopilot/autopilot"
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
			"skip\n \nskip\nnot now\n", "Nothing is answered: skip wants a reason.",
			machine.Answer{Gate: "g1", Option: "skip", Reason: "not now", By: "human"},
		},
		"phase": {
			machine.Gate{ID: "g2", Kind: machine.GateSpecChanged, Options: []machine.Option{{Name: "redo"}, {Name: "keep"}}},
			"redo\ntwo\nredo\n 2 \n", "Nothing is answered: redo wants the number of a phase.",
			machine.Answer{Gate: "g2", Option: "redo", Phase: 2, By: "human"},
		},
	} {
		var out strings.Builder
		person := &terminal{out: &out, width: func() int { return 0 }, in: strings.NewReader(c.lines)}
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
	o := &runOptions{host: &Host{Terminal: true, In: in, Err: &out, Now: func() time.Time { return time.Time{} }}}
	person, report := o.human(), o.reporter(nil)
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
	report.Report(autopilot.Note{Event: "decision", Text: "decision: continue: yes"})
	stop()
	if err := <-ended; err == nil {
		t.Error("the question that was called off was answered")
	}
	if _, after, _ := strings.Cut(out.String(), "stop\nYour answer: "); after != "\n   0:00    decision: continue: yes\n" {
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
