package agent

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"autopilot/personas"
	"autopilot/personas/agent/toolbox"
)

func TestErrorsOfTheModelBecomeOutcomes(t *testing.T) {
	until := time.Date(2030, 1, 2, 3, 4, 5, 0, time.UTC)
	for name, c := range map[string]struct {
		err  error
		want personas.OutcomeKind
	}{
		"limit":   {&personas.LimitError{Until: until, Detail: "slow"}, personas.RateLimited},
		"auth":    {&personas.AuthError{Detail: "401"}, personas.Auth},
		"crash":   {&personas.EndError{Kind: personas.Crashed, Detail: "500"}, personas.Crashed},
		"silence": {&personas.EndError{Kind: personas.TimedOut, Detail: "quiet"}, personas.TimedOut},
	} {
		t.Run(name, func(t *testing.T) {
			out, _ := run(t, world(t), Options{}, says("x"), fails(c.err))
			if out.Kind != c.want || out.Detail == "" || out.Usage.InputTokens != 10 {
				t.Errorf("%+v", out)
			}
			if c.want == personas.RateLimited && !out.Until.Equal(until) {
				t.Errorf("until %v", out.Until)
			}
		})
	}
}

func TestOtherErrorsMeanThatTheDispatchCouldNotBeMade(t *testing.T) {
	broken := errors.New("no such model")
	s := &script{turns: []turn{fails(broken)}}
	if _, err := New(s, Options{}).Dispatch(t.Context(), world(t)); !errors.Is(err, broken) {
		t.Errorf("got %v", err)
	}
	choose := Options{ModelFor: func(personas.Dispatch) (Model, error) { return nil, broken }}
	if _, err := New(nil, choose).Dispatch(t.Context(), world(t)); !errors.Is(err, broken) {
		t.Errorf("got %v", err)
	}
	d := world(t)
	d.Dir += "/nowhere"
	if _, err := New(s, Options{}).Dispatch(t.Context(), d); err == nil {
		t.Error("a working tree that is not there was taken")
	}
	d = world(t)
	d.AttemptDir = d.Dir + "/main.go"
	if _, err := New(s, Options{}).Dispatch(t.Context(), d); err == nil {
		t.Error("a dispatch without a record was made")
	}
}

func TestModelIsAskedWhatItHadLeft(t *testing.T) {
	left := errors.New("turn 3 was not used")
	s := &script{turns: []turn{calls(toolbox.SubmitReply, doneReply)}, finished: left}
	out, err := New(nil, Options{ModelFor: func(personas.Dispatch) (Model, error) { return s, nil }}).Dispatch(t.Context(), world(t))
	if !errors.Is(err, left) || out.Kind != personas.GotReply {
		t.Errorf("%+v, %v", out, err)
	}
	s = &script{turns: []turn{says("a"), says("b"), says("c")}, finished: left}
	if _, err := New(s, Options{}).Dispatch(t.Context(), world(t)); !errors.Is(err, left) {
		t.Errorf("without a reply: %v", err)
	}
}

func waits(ctx context.Context) (personas.Message, personas.Usage, error) {
	<-ctx.Done()
	return personas.Message{}, personas.Usage{}, ctx.Err()
}

func TestInterruptionIsNoFailure(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	s := &script{turns: []turn{func(inner context.Context) (personas.Message, personas.Usage, error) {
		cancel()
		return waits(inner)
	}}}
	out, err := New(s, Options{}).Dispatch(ctx, world(t))
	if err != nil || out.Kind != personas.Interrupted {
		t.Errorf("%+v, %v", out, err)
	}
}

func TestInterruptionEndsACommand(t *testing.T) {
	d := world(t)
	ctx, cancel := context.WithCancel(t.Context())
	d.OnEvent = func(kind, _ string) {
		if kind == "tool" {
			cancel()
		}
	}
	s := &script{turns: []turn{calls("run_command", `{"command":"sleep 300"}`)}}
	out, err := New(s, Options{}).Dispatch(ctx, d)
	if err != nil || out.Kind != personas.Interrupted {
		t.Errorf("%+v, %v", out, err)
	}
}

func TestTimeLimitsEndADispatch(t *testing.T) {
	d := world(t)
	synctest.Test(t, func(t *testing.T) {
		d.Timeout = time.Hour
		out, _ := run(t, d, Options{}, waits)
		if out.Kind != personas.TimedOut || !strings.Contains(out.Detail, "1h") {
			t.Errorf("whole: %+v", out)
		}
	})
	synctest.Test(t, func(t *testing.T) {
		d.Timeout, d.Idle = time.Hour, 10*time.Minute
		beating := func(ctx context.Context) (personas.Message, personas.Usage, error) {
			for range 5 {
				time.Sleep(9 * time.Minute)
				personas.Beat(ctx)
			}
			return waits(ctx)
		}
		start := time.Now()
		out, _ := run(t, d, Options{}, beating)
		if out.Kind != personas.TimedOut || !strings.Contains(out.Detail, "nothing was heard") {
			t.Errorf("idle: %+v", out)
		}
		if took := time.Since(start); took != 55*time.Minute {
			t.Errorf("signs of life did not count: it ended after %s", took)
		}
	})
}
