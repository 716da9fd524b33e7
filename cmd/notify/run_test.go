package notify

import (
	"context"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"autopilot/autopilot/budget"
	"autopilot/autopilot/journal"
	"autopilot/autopilot/machine"
	"autopilot/cmd/console"
	"autopilot/config"
	"autopilot/sessions/notify"
)

// phone takes notices.
type phone struct {
	mu  sync.Mutex
	got []notify.Notice
}

func (p *phone) Name() string { return "phone" }

func (p *phone) Send(_ context.Context, n notify.Notice) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.got = append(p.got, n)
	return nil
}

// ids are those of the notices that came.
func (p *phone) ids() (ids []string) {
	for _, n := range p.got {
		ids = append(ids, n.ID)
	}
	return ids
}

type session struct{ state machine.State }

func (s session) State() machine.State { return s.state }
func (session) Dir() string            { return "" }

type silent struct{}

func (silent) Report(journal.Note) {}

// slow answers after a while.
type slow time.Duration

func (s slow) Ask(context.Context, machine.Gate) (machine.Answer, error) {
	time.Sleep(time.Duration(s))
	return machine.Answer{Option: "yes"}, nil
}

func (slow) Confirm(context.Context, string) (bool, error) { return false, nil }

// run is a run that tells a phone of everything; its session is in the given state.
func run(state machine.Name) (*Run, *phone) {
	p := &phone{}
	r := &Run{
		host: &console.Host{Now: time.Now}, session: session{machine.State{SessionID: "a", CurrentState: state, Revision: 9}},
		set:    config.Notify{On: []string{"question", "done", "stopped", "limit", "budget"}, Remind: 2 * time.Hour},
		sender: notify.NewSender([]notify.Channel{p}, "", func(string) {}),
	}
	return r, p
}

func TestAnOpenQuestionIsRepeatedWhileARunWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r, p := run(machine.Execute)
		asked := time.Now().Add(-3 * time.Hour) // by an earlier run
		a, err := r.Human(slow(4*time.Hour)).Ask(t.Context(), machine.Gate{ID: "g7", AskedAt: asked})
		time.Sleep(24 * time.Hour) // nobody waits any more
		r.Close()
		if want := []string{"a/7", "a/7/r2", "a/7/r3"}; !slices.Equal(p.ids(), want) || a.Option != "yes" || err != nil {
			t.Errorf("told %q, want %q; answered %q, %v", p.ids(), want, a.Option, err)
		}
		if took := p.got[1].At.Sub(asked); took != 4*time.Hour {
			t.Errorf("the first reminder came after %s", took)
		}
	})
}

func TestNobodyIsReminded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r, p := run(machine.Execute)
		_, _ = r.Human(console.Nobody{}).Ask(t.Context(), machine.Gate{ID: "g7", AskedAt: time.Now()})
		r.set.Remind = 0
		_, _ = r.Human(slow(100*time.Hour)).Ask(t.Context(), machine.Gate{ID: "g8", AskedAt: time.Now()})
		r.Close()
		if want := []string{"a/7", "a/8"}; !slices.Equal(p.ids(), want) {
			t.Errorf("told %q, want %q", p.ids(), want)
		}
	})
}

func TestAWaitIsToldWhereItIsLong(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r, p := run(machine.Execute)
		report := r.Reporter(silent{})
		for _, limit := range []*budget.LimitError{
			{Backend: "claude", Until: time.Now().Add(10 * time.Minute)},
			{Backend: "claude", Until: time.Now().Add(time.Hour), Down: true}, // a look in between
			{Backend: "claude", Until: time.Now().Add(time.Hour)},
			{Backend: "claude", Until: time.Now().Add(time.Hour)}, // by the next run, or once more
		} {
			report.Report(journal.Note{Event: "info", Fields: limit.Fields()})
		}
		report.Report(journal.Note{Event: "warning", Text: "80 % are used", Fields: map[string]any{"budget": "20.00 USD"}})
		report.Report(journal.Note{Event: "warning", Text: "85 % are used", Fields: map[string]any{"budget": "20.00 USD"}})
		r.Close()
		if want := []string{"a/limit-946688400", "a/budget-20.00-USD"}; !slices.Equal(p.ids(), want) {
			t.Errorf("told %q, want %q", p.ids(), want)
		}
	})
}

func TestTheEndIsToldUnlessThePersonMadeIt(t *testing.T) {
	for _, c := range []struct {
		state machine.Name
		code  int
		want  []notify.Event
	}{
		{machine.Done, 0, []notify.Event{notify.Done}},
		{machine.Execute, 0, nil},
		{machine.Execute, 1, []notify.Event{notify.Stopped}},
		{machine.Execute, 3, nil},
		{machine.Execute, 5, []notify.Event{notify.Stopped}},
		{machine.Execute, 130, nil},
		{machine.Execute, 143, []notify.Event{notify.Stopped}}, // SIGTERM
	} {
		r, p := run(c.state)
		r.Ended(c.code, "why")
		r.Close()
		var got []notify.Event
		for _, n := range p.got {
			got = append(got, n.Event)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("exit code %d in %s: %q, want %q", c.code, c.state, got, c.want)
		}
	}
}

func TestWhatIsNotWantedIsNotTold(t *testing.T) {
	r, p := run(machine.Done)
	r.set.On = []string{"question"}
	r.Ended(0, "")
	r.Close()
	if len(p.got) > 0 {
		t.Errorf("told %q", p.ids())
	}
}

func TestAWebhookIsNamedWithoutItsAddress(t *testing.T) {
	h := &console.Host{Now: time.Now, Environ: []string{"GOOD=https://h.example/secret", "BAD=secret", "KEY=k"}}
	cfg := &config.Config{Notify: config.Notify{Terminal: "auto", Desktop: "off", Webhooks: config.Webhooks{
		{URL: "https://h.example/topic"}, {URLEnv: "GOOD", SecretEnv: "KEY"}, {URLEnv: "BAD"}, {URLEnv: "NONE"}, {URLEnv: "GOOD", SecretEnv: "NONE"},
	}}}
	var got []string
	for _, w := range ways(h, cfg, t.TempDir()) {
		why := w.off
		if w.err != nil {
			why = w.err.Error()
		}
		got = append(got, w.name+": "+why)
	}
	want := []string{
		"terminal: this is no terminal", "desktop: switched off (notify.desktop)", "webhook 1 (h.example): ", "webhook 2 ($GOOD): ",
		"webhook 3 ($BAD): $BAD holds no http or https address", "webhook 4 ($NONE): $NONE is not set", "webhook 5 ($GOOD): $NONE is not set",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
