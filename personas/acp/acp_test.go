//go:build unix

package acp

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"autopilot/autopilot/process"
	"autopilot/personas"
)

func TestTurnIsToldAsItGoesAndItsReplyIsRead(t *testing.T) {
	d, told := world(t)
	var usage personas.Usage
	d.OnUsage = func(u personas.Usage) { usage = usage.Add(u) }
	out := play(t, options("normal"), d)
	wantKind(t, out, personas.GotReply)
	want := "text I will begin.\ntext Now.\ntool Write /x/new.txt\ntool Shell go test\nresult failed: exit 1\n"
	if told.String() != want {
		t.Errorf("told:\n%swant:\n%s", told, want)
	}
	wantUsage := personas.Usage{InputTokens: 140, CachedTokens: 40, OutputTokens: 7, CostUSD: 0.25}
	if out.Usage != wantUsage || usage != wantUsage || out.Metrics.ToolCalls != 2 || out.Metrics.ToolFailures != 1 || !out.Metrics.ToldTools || out.Metrics.ToldAll || out.Turns != 1 {
		t.Errorf("usage %+v, told %+v, metrics %+v after %d turns", out.Usage, usage, out.Metrics, out.Turns)
	}
	asked := read(t, d.Dir, "asked")
	if want := "initialize\nsession/new\nsession/set_mode s1 workspace-write\nsession/prompt s1\n"; asked != want {
		t.Errorf("asked:\n%swant:\n%s", asked, want)
	}
	if log := read(t, d.AttemptDir, "output.log"); !strings.Contains(log, `"sessionUpdate":"tool_call"`) || !strings.Contains(log, "== its turn ended after ") {
		t.Errorf("the log is %q", log)
	}
}

func TestEndsOfATurn(t *testing.T) {
	idle := func(d *personas.Dispatch) { d.Idle = 300 * time.Millisecond }
	for role, c := range map[string]struct {
		kind  personas.OutcomeKind
		parts string // of the detail, by |
		set   func(*personas.Dispatch)
	}{
		"in the text":           {kind: personas.GotReply},
		"behind words":          {kind: personas.GotReply},
		"behind a call":         {kind: personas.GotReply},
		"counts pieces":         {kind: personas.GotReply},
		"wrong lines":           {kind: personas.GotReply},
		"dies":                  {kind: personas.Crashed, parts: "exit code 3, although its reply says done|panic: lost it"},
		"leaves":                {kind: personas.Crashed, parts: "ended in the middle of its turn"},
		"hangs":                 {kind: personas.TimedOut, parts: "no output for 300ms|its last message:\nHm.", set: idle},
		"says it was stopped":   {kind: personas.TimedOut, parts: "no output for 300ms", set: idle},
		"says nothing":          {kind: personas.NoReply, parts: "its turn ended without a reply"},
		"cut short":             {kind: personas.NoReply, parts: "its turn ended (it reached the longest answer|And then"},
		"refuses":               {kind: personas.NoReply, parts: "its model refused to go on"},
		"too many":              {kind: personas.NoReply, parts: "number of model calls that it allows itself"},
		"cancelled":             {kind: personas.Interrupted, parts: "its turn was cancelled"},
		"limit by code":         {kind: personas.RateLimited, parts: "exceeded your current quota"},
		"limit in data":         {kind: personas.RateLimited, parts: "429 Too Many Requests"},
		"limit by kind":         {kind: personas.RateLimited, parts: "Request rejected (429)"},
		"limit in codex":        {kind: personas.RateLimited, parts: "try later"},
		"limit as text":         {kind: personas.RateLimited, parts: "resets 3pm"},
		"limit while it tries":  {kind: personas.RateLimited, parts: "last status: 429", set: idle},
		"outage by kind":        {kind: personas.RateLimited, parts: "status 500: "},
		"outage in words":       {kind: personas.RateLimited, parts: "ECONNREFUSED"},
		"outage as text":        {kind: personas.RateLimited, parts: "high demand"},
		"outage while it tries": {kind: personas.RateLimited, parts: "some trouble", set: idle},
		"auth in words":         {kind: personas.Auth, parts: "401 mock fault"},
		"auth":                  {kind: personas.Auth, parts: `Authentication required; it offers to log in by "Log in with a browser"`},
		"auth by code":          {kind: personas.Auth, parts: "API key not valid"},
		"locked":                {kind: personas.Auth, parts: "Authentication required"},
		"error":                 {kind: personas.Crashed, parts: "its turn ended; its error: the disk is full Internal error"},
		"newer":                 {kind: personas.Crashed, parts: "it speaks version 2 of the Agent Client Protocol"},
		"never mends":           {kind: personas.NoReply, parts: "its reply was not valid, and neither was the second"},
	} {
		t.Run(role, func(t *testing.T) {
			t.Parallel()
			d, _ := world(t)
			if c.set != nil {
				c.set(&d)
			}
			out := play(t, options(role), d)
			wantKind(t, out, c.kind, strings.Split(c.parts, "|")...)
			if outage := strings.HasPrefix(role, "outage"); outage != (out.Outage != "") || out.TextOnly {
				t.Errorf("an outage: %q, by its text alone: %t", out.Outage, out.TextOnly)
			}
		})
	}
}

func TestLimitSaysUntilWhen(t *testing.T) {
	d, _ := world(t)
	out := play(t, options("limit in data"), d)
	if want := time.Date(2026, 3, 4, 12, 1, 0, 0, time.UTC); !out.Until.Equal(want) {
		t.Errorf("until %s, want %s", out.Until, want)
	}
}

func TestUsageIsFoundWhereverAProgramTellsIt(t *testing.T) {
	for role, want := range map[string]personas.Usage{
		"in the text":   {InputTokens: 5, OutputTokens: 2},
		"counts pieces": {InputTokens: 20, OutputTokens: 2},
		"says nothing":  {},
	} {
		d, _ := world(t)
		if out := play(t, options(role), d); out.Usage != want {
			t.Errorf("%s: %+v, want %+v", role, out.Usage, want)
		}
	}
}

func TestUsageToldAfterATurnHidesNoneOfTheNextOne(t *testing.T) {
	d, _ := world(t)
	out := play(t, options("counts late"), d)
	wantKind(t, out, personas.GotReply)
	if out.Turns != 2 || out.Usage.InputTokens < 40 || out.Usage.OutputTokens < 4 {
		t.Errorf("after %d turns, whose answers told 20 and 2 each: %+v", out.Turns, out.Usage)
	}
}

func TestHugeMessageIsPassedOverAndTheRestHeard(t *testing.T) {
	t.Parallel()
	d, told := world(t)
	wantKind(t, play(t, options("huge"), d), personas.GotReply)
	if got := told.String(); !strings.HasPrefix(got, "notice a message of more than 8 MB was passed over\ntext yyy") {
		t.Errorf("told %.200q", got)
	}
}

func TestInterruptionCancelsTheTurnFirst(t *testing.T) {
	d, _ := world(t)
	ctx, cancel := context.WithCancel(t.Context())
	d.Idle = 10 * time.Second
	go func() { // a message is told when it is over: the log has it before
		for ctx.Err() == nil {
			if log, _ := os.ReadFile(filepath.Join(d.AttemptDir, "output.log")); strings.Contains(string(log), "ready") {
				cancel()
			}
			time.Sleep(5 * time.Millisecond)
		}
	}()
	wantKind(t, playIn(ctx, t, options("heeds"), d), personas.Interrupted)
	if asked := read(t, d.Dir, "asked"); !strings.HasSuffix(asked, "session/cancel s1\nstopped\n") {
		t.Errorf("asked:\n%s", asked)
	}
}

func TestProgramThatDoesNotHeedIsEnded(t *testing.T) {
	for name, role := range map[string]string{"a cancelled turn": "deaf", "the end of its input": "stays"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d, _ := world(t)
			s := &speaker{cancelGrace: 50 * time.Millisecond, closeGrace: 50 * time.Millisecond, calls: map[string]toolCall{}}
			ctx, cancel := context.WithTimeout(t.Context(), time.Second)
			defer cancel()
			_, err := s.Ask(ctx, turnOf(d, role))
			if err = errors.Join(err, s.Close()); err != nil {
				t.Fatal(err)
			}
			if !s.peer.gone() {
				t.Error("it lives on")
			}
		})
	}
}

func TestWholeTreeEndsWithTheDispatch(t *testing.T) {
	d, _ := world(t)
	wantKind(t, play(t, options("orphan"), d), personas.GotReply)
	before := read(t, d.Dir, "beats")
	time.Sleep(100 * time.Millisecond) // five beats, if the process lived
	if after := read(t, d.Dir, "beats"); after != before {
		t.Error("a process of the program lives on, in a session of its own")
	}
}

func TestMissingProgramIsAnErrorThatSaysWhatToDo(t *testing.T) {
	d, _ := world(t)
	o := options("normal")
	o.Argv = []string{"no-such-agent"}
	_, err := New(o).Dispatch(t.Context(), d)
	var start *process.StartError
	if !errors.As(err, &start) || strings.Count(err.Error(), "install it or correct the command") != 1 {
		t.Errorf("dispatching: %v", err)
	}
}

func TestSecretsReachNoRecord(t *testing.T) {
	d, told := world(t)
	o := options("in the text")
	o.Environ = []string{"PATH=" + os.Getenv("PATH"), "MY_KEY=That is all"}
	wantKind(t, play(t, o, d), personas.GotReply)
	if log := read(t, d.AttemptDir, "output.log"); strings.Contains(log+told.String(), "That is all") || !strings.Contains(log, personas.Masked) {
		t.Errorf("a secret is in the records: %s", told)
	}
}
