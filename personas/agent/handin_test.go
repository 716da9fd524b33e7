package agent

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"autopilot/personas"
	"autopilot/personas/agent/toolbox"
)

// verdicts is a check that says one after the other, the last for ever.
func verdicts(texts ...string) func(context.Context, personas.Reply) (string, error) {
	n := -1
	return func(context.Context, personas.Reply) (string, error) {
		n = min(n+1, len(texts)-1)
		return texts[n], nil
	}
}

const wrong = "go test ./...: failed, exit 1. want hello"

func TestDoneIsRefusedWhileTheChecksFail(t *testing.T) {
	submit, talks := calls(toolbox.SubmitReply, doneReply), says("```json\n"+doneReply+"\n```")
	unknown := calls(toolbox.SubmitReply, `{"v":1,"status":"done","summary":"Done.","remarks":"slow"}`)
	writes := calls("write_file", `{"path":"a.txt","content":"x"}`)
	for name, c := range map[string]struct {
		check   func(context.Context, personas.Reply) (string, error)
		turns   []turn
		status  personas.Status
		metrics [3]int // checked, first pass, refusals
	}{
		"no checks":               {nil, []turn{submit}, personas.StatusDone, [3]int{}},
		"passes at once":          {verdicts(""), []turn{writes, submit}, personas.StatusDone, [3]int{1, 1, 0}},
		"passes once mended":      {verdicts(wrong, ""), []turn{submit, writes, submit}, personas.StatusDone, [3]int{1, 0, 1}},
		"mended in that turn":     {verdicts(wrong, ""), []turn{submit, calls(toolbox.SubmitReply, doneReply, "write_file", `{"path":"a.txt","content":"x"}`)}, personas.StatusDone, [3]int{1, 0, 1}},
		"twice in one turn":       {verdicts(wrong, ""), []turn{calls(toolbox.SubmitReply, doneReply, toolbox.SubmitReply, doneReply), submit}, personas.StatusDone, [3]int{1, 0, 1}},
		"passes at the fourth":    {verdicts(wrong, wrong, wrong, ""), []turn{submit, submit, submit, submit}, personas.StatusDone, [3]int{1, 0, 3}},
		"never passes":            {verdicts(wrong), []turn{submit, submit, submit, submit}, personas.StatusFailed, [3]int{1, 0, 3}},
		"as a message":            {verdicts(wrong, ""), []turn{talks, talks}, personas.StatusDone, [3]int{1, 0, 1}},
		"as messages, for ever":   {verdicts(wrong), []turn{talks, talks, submit, talks}, personas.StatusFailed, [3]int{1, 0, 3}},
		"says that it failed":     {verdicts(wrong), []turn{submit, calls(toolbox.SubmitReply, `{"v":1,"status":"failed","summary":"No."}`)}, personas.StatusFailed, [3]int{1, 0, 1}},
		"says that it is blocked": {verdicts(wrong), []turn{calls(toolbox.SubmitReply, `{"v":1,"status":"blocked","summary":"No.","blocker":"A key."}`)}, personas.StatusBlocked, [3]int{}},
		"cannot be checked":       {func(context.Context, personas.Reply) (string, error) { return "", errors.New("no git") }, []turn{submit}, personas.StatusDone, [3]int{}},
		"unknown fields":          {nil, []turn{unknown, unknown}, personas.StatusDone, [3]int{}},
		"unknown, and wrong":      {verdicts(wrong, ""), []turn{unknown, unknown}, personas.StatusDone, [3]int{1, 0, 1}},
		"unknown, twice":          {verdicts(""), []turn{unknown, unknown}, personas.StatusDone, [3]int{1, 1, 0}},
		"invalid, then refused":   {verdicts(wrong, ""), []turn{calls(toolbox.SubmitReply, `{"v":1,"status":"done"}`), submit, submit}, personas.StatusDone, [3]int{1, 0, 1}},
	} {
		t.Run(name, func(t *testing.T) {
			d := world(t)
			d.Check = c.check
			out, s := run(t, d, Options{}, c.turns...)
			if out.Kind != personas.GotReply || out.Reply.Status != c.status || s.next != len(c.turns) {
				t.Fatalf("%d turns: %+v", s.next, out)
			}
			if m := out.Metrics; [3]int{m.Checked, m.FirstPass, m.Refusals} != c.metrics {
				t.Errorf("%+v", m)
			}
			if blocked := out.Reply.Blocker; c.metrics[2] == maxRefusals && c.status == personas.StatusFailed {
				wantIn(t, blocked, "submitted as done 4 times", wrong)
			}
		})
	}
}

func TestRefusalSaysWhatFails(t *testing.T) {
	d := world(t)
	d.Check = verdicts(wrong+"\n"+strings.Repeat("x\n", 20_000)+"the key is sk-0000000000", "")
	out, s := run(t, d, Options{Secrets: []string{"sk-0000000000"}}, calls(toolbox.SubmitReply, doneReply), calls(toolbox.SubmitReply, doneReply))
	said := s.messages[len(s.messages)-1]
	if out.Reply == nil || said.Role != personas.RoleTool || len(said.Content) > maxFailure+1000 {
		t.Fatalf("%+v, %d bytes", out, len(said.Content))
	}
	wantIn(t, said.Content, "error: the reply was not taken", wrong, "after 3 more tries", "the key is "+personas.Masked)
	if log := read(t, d.AttemptDir, "audit.jsonl"); strings.Count(log, toolbox.SubmitReply) != 2 || !strings.Contains(log, "error: the reply was not taken") {
		t.Error(log)
	}
}

func TestRefusalListsUnknownFieldsWithWhatFails(t *testing.T) {
	submit := calls(toolbox.SubmitReply, `{"v":1,"status":"done","summary":"Done.","remarks":"slow","evidence":[{"command":"go test","exit":0}]}`)
	for want, check := range map[string]func(context.Context, personas.Reply) (string, error){"not taken yet": nil, wrong: verdicts(wrong, "")} {
		d := world(t)
		d.Check = check
		out, s := run(t, d, Options{}, submit, submit)
		wantIn(t, s.messages[len(s.messages)-1].Content, want, "remarks is not a field of the reply", "evidence.exit is not a field")
		if out.Reply == nil || out.Reply.Status != personas.StatusDone {
			t.Errorf("%+v", out)
		}
	}
}

// limitedScript is a model that says when it has nothing more.
type limitedScript struct{ *script }

func (s limitedScript) More() bool { return s.next < len(s.turns) }

func TestLastReplyOfAScriptIsTakenUnchecked(t *testing.T) {
	d, checks := world(t), 0
	d.Check = func(context.Context, personas.Reply) (string, error) { checks++; return wrong, nil }
	s := limitedScript{&script{turns: []turn{calls(toolbox.SubmitReply, doneReply), calls(toolbox.SubmitReply, doneReply)}}}
	out, err := New(s, Options{}).Dispatch(t.Context(), d)
	if err != nil || out.Reply == nil || out.Reply.Status != personas.StatusDone || checks != 1 || out.Metrics.Refusals != 1 {
		t.Errorf("%d checks: %+v, %v", checks, out, err)
	}
}

func TestCheckEndsWithTheDispatch(t *testing.T) {
	d := world(t)
	slow := func(ctx context.Context, most time.Duration) error {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(most):
			return nil
		}
	}
	for took, want := range map[time.Duration]personas.OutcomeKind{50 * time.Minute: personas.GotReply, 2 * time.Hour: personas.TimedOut} {
		synctest.Test(t, func(t *testing.T) {
			d.Timeout, d.Idle = time.Hour, 10*time.Minute
			d.Check = func(ctx context.Context, _ personas.Reply) (string, error) { return "", slow(ctx, took) }
			out, _ := run(t, d, Options{}, calls(toolbox.SubmitReply, doneReply))
			if out.Kind != want {
				t.Errorf("a check of %s: %+v", took, out)
			}
		})
	}
	synctest.Test(t, func(t *testing.T) {
		d.Check = verdicts(wrong)
		out, _ := run(t, d, Options{}, calls(toolbox.SubmitReply, doneReply), waits)
		if out.Kind != personas.TimedOut || !strings.Contains(out.Detail, "nothing was heard") {
			t.Errorf("the idle time does not run after a check: %+v", out)
		}
	})
	ctx, cancel := context.WithCancel(t.Context())
	d.Timeout, d.Idle = 0, 0
	d.Check = func(inner context.Context, _ personas.Reply) (string, error) {
		cancel()
		<-inner.Done()
		return "", fmt.Errorf("interrupted: %w", inner.Err())
	}
	for _, submits := range []turn{calls(toolbox.SubmitReply, doneReply), says("```json\n" + doneReply + "\n```")} {
		out, err := New(&script{turns: []turn{submits}}, Options{}).Dispatch(ctx, d)
		if err != nil || out.Kind != personas.Interrupted {
			t.Errorf("%+v, %v", out, err)
		}
		ctx, cancel = context.WithCancel(t.Context())
	}
	cancel()
}
