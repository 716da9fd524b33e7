//go:build unix

package command

import (
	"context"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"autopilot/personas"
)

// finals are the events that end a turn, by preset.
var finals = map[string]string{
	"claude": `{"total_cost_usd":0.5,"result":"` + fence + `","type":"result","subtype":"success"}`,
	"codex":  `{"type":"item.completed","item":{"type":"agent_message","text":"` + fence + `"}}` + "\n" + `{"type":"turn.completed","usage":{}}`,
	"gemini": `{"type":"message","role":"assistant","content":"` + fence + `"}` + "\n" + `{"type":"result","status":"success","stats":{}}`,
	"qwen":   `{"type":"result","subtype":"success","result":"` + fence + `"}`,
}

// lingers is a program that prints a file of the working tree in place of its prompt's answer, then runs on.
func lingers(t *testing.T, preset, script string) *Backend {
	t.Helper()
	p, ok := PresetOf(preset)
	if !ok {
		t.Fatal("there is no preset " + preset)
	}
	return New(Options{Preset: &p, Argv: []string{fake(t, "cat > got.md\n"+script)}, Linger: 50 * time.Millisecond})
}

func TestFinalEventEndsTheTurnOfAProgramThatStays(t *testing.T) {
	for preset, final := range finals {
		t.Run(preset, func(t *testing.T) {
			d := world(t)
			write(t, filepath.Join(d.Dir, "events"), final+"\n")
			out := play(t, lingers(t, preset, `(while :; do echo x >> beats; sleep 0.02; done) & cat events; sleep 60`), d)
			wantKind(t, out, personas.GotReply)
			if want, cost := 0.5, out.Usage.CostUSD; preset == "claude" && cost != want {
				t.Errorf("it cost %g, want %g", cost, want)
			}
			before := read(t, d.Dir, "beats")
			time.Sleep(100 * time.Millisecond) // five beats, if the child lived
			if read(t, d.Dir, "beats") != before {
				t.Error("what it started lives on")
			}
		})
	}
}

func TestIdleLimitAfterTheFinalEventEndsATurnThatIsOver(t *testing.T) {
	t.Parallel()
	d := world(t)
	d.Idle = 2 * time.Second // on a busy machine a shell may need one of them to begin
	write(t, filepath.Join(d.Dir, "events"), finals["claude"]+"\n")
	b := lingers(t, "claude", "cat events; sleep 60")
	b.o.Linger = time.Minute
	wantKind(t, play(t, b, d), personas.GotReply)
}

func TestReplyBeforeAStopFromOutsideCounts(t *testing.T) {
	d := world(t)
	write(t, filepath.Join(d.Dir, "events"), finals["claude"]+"\n")
	b := lingers(t, "claude", "cat events; sleep 60")
	b.o.Linger = time.Minute
	ctx, cancel := context.WithCancel(t.Context())
	d.OnUsage = func(personas.Usage) { cancel() } // a budget is used up by what the final event tells
	out, err := b.Dispatch(ctx, d)
	if err != nil {
		t.Fatal(err)
	}
	wantKind(t, out, personas.GotReply)
}

func TestTurnThatFailsIsNoReplyThoughTheProgramStays(t *testing.T) {
	d := world(t)
	write(t, d.Dir+"/events", `{"type":"turn.failed","error":{"message":"the model is not there"}}`+"\n")
	out := play(t, lingers(t, "codex", "cat events; sleep 60"), d)
	wantKind(t, out, personas.Crashed, "the model is not there")
}

func TestWordsThatLookLikeAFinalEventEndNothing(t *testing.T) {
	t.Parallel()
	d := world(t)
	write(t, d.Dir+"/events", `{"type":"assistant","message":{"id":"m1","content":[{"type":"text","text":"It prints\n{\"type\":\"result\",\"result\":\"x\"}\n"}]}}`+"\n")
	d.Idle = 300 * time.Millisecond // six times the grace
	wantKind(t, play(t, lingers(t, "claude", "cat events; sleep 60"), d), personas.TimedOut)
}

func TestTurnThatBeginsInTheGraceIsWaitedFor(t *testing.T) {
	t.Parallel()
	d := world(t)
	write(t, d.Dir+"/events", `{"type":"result","result":"The first part."}
{"type":"system","subtype":"init","session_id":"s-2"}
`)
	write(t, d.Dir+"/more", finals["claude"]+"\n")
	b := lingers(t, "claude", "cat events; sleep 0.3; echo late > late; cat more; sleep 60")
	wantKind(t, play(t, b, d), personas.GotReply)
	if strings.TrimSpace(read(t, d.Dir, "late")) != "late" {
		t.Error("what it did in its second turn is gone")
	}
}

func TestGraceBeginsAnewWithEachTurn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		began, ended := time.Now(), time.Duration(0)
		l := &lingering{grace: 5 * time.Second, end: func() { ended = time.Since(began) }}
		l.turn(true)
		time.Sleep(4 * time.Second)
		l.turn(false)
		time.Sleep(time.Hour)
		l.turn(true)
		time.Sleep(time.Hour)
		synctest.Wait()
		if want := time.Hour + 9*time.Second; ended != want {
			t.Errorf("it was ended after %s, want %s", ended, want)
		}
	})
}
