//go:build unix

package command

import (
	"testing"
	"time"

	"autopilot/personas"
)

// result is the final event of claude, with a text as its last message.
func result(text string) string {
	return `{"type":"result","subtype":"success","result":"` + text + `"}`
}

func TestLastWordsAreReadAlikeHoweverTheyAreSaid(t *testing.T) {
	for name, c := range map[string]struct {
		text   string
		kind   personas.OutcomeKind
		outage personas.Outage
	}{
		"a limit":     {"You have hit your usage limit, try again in 2 hours.", personas.RateLimited, ""},
		"an outage":   {"Error: 503 Service Unavailable", personas.RateLimited, personas.ServerFails},
		"a key":       {"Error: 401 Unauthorized", personas.Auth, ""},
		"other words": {"The limit of my knowledge is reached.", personas.NoReply, ""},
	} {
		p, _ := PresetOf("claude")
		failed := c.kind
		if failed == personas.NoReply {
			failed = personas.Crashed
		}
		for how, run := range map[string]struct {
			b    *Backend
			want personas.OutcomeKind
		}{
			"a program, well":           {sh(`echo "working"; echo "$1"`, c.text), c.kind},
			"a program, not well":       {sh(`echo "working"; echo "$1"; exit 1`, c.text), failed},
			"a known one, well":         {New(Options{Preset: &p, Argv: []string{fake(t, "cat > got.md; echo '"+result(c.text)+"'")}}), c.kind},
			"a program with its reply":  {sh(`echo '`+done+`' > "$AUTOPILOT_REPLY"; echo "$1"`, c.text), personas.GotReply},
			"a known one with its own":  {New(Options{Preset: &p, Argv: []string{fake(t, "cat > got.md; echo '"+done+"' > $AUTOPILOT_REPLY; echo '"+result(c.text)+"'")}}), personas.GotReply},
			"a failed one with a reply": {New(Options{Preset: &p, Argv: []string{fake(t, "cat > got.md; echo '"+done+"' > $AUTOPILOT_REPLY; echo '"+`{"type":"result","is_error":true,"result":"`+c.text+`"}'`)}}), personas.GotReply},
		} {
			out := play(t, run.b, world(t))
			if out.Kind != run.want || run.want != personas.GotReply && (out.Outage != c.outage || out.TextOnly != (c.outage != "")) {
				t.Errorf("%s, of %s: %q (%s), outage %q, by its text alone: %t", name, how, out.Kind, out.Detail, out.Outage, out.TextOnly)
			}
		}
	}
}

func TestKeyThatIsRefusedTwiceEndsTheProgram(t *testing.T) {
	t.Parallel()
	const refused = `{"type":"system","subtype":"api_retry","error_status":401,"error":"authentication_failed"}` + "\n"
	for name, c := range map[string]struct {
		events string
		kind   personas.OutcomeKind
	}{
		"twice":                {refused + refused, personas.Auth},
		"thrice":               {refused + refused + refused, personas.Auth},
		"once, and then well":  {refused + finals["claude"] + "\n", personas.GotReply},
		"twice, and then well": {refused + refused + finals["claude"] + "\n", personas.GotReply},
		"after an outage":      {`{"type":"system","subtype":"api_retry","error_status":500}` + "\n" + refused + refused, personas.Auth},
	} {
		d := world(t)
		write(t, d.Dir+"/events", c.events)
		out := play(t, lingers(t, "claude", "cat events; exec sleep 60"), d)
		if out.Kind != c.kind {
			t.Errorf("%s: %q (%s), want %q", name, out.Kind, out.Detail, c.kind)
		}
	}
}

func TestOutageIsLookedAtLaterAndLater(t *testing.T) {
	now := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	b := New(Options{Argv: []string{"sh", "-c", `test -e up && exit 3; echo "Error: 502 Bad Gateway"; exit 1`}, Now: func() time.Time { return now }})
	d := world(t)
	for _, want := range []time.Duration{time.Minute, time.Minute, 2 * time.Minute, 4 * time.Minute} {
		out := play(t, b, d)
		if got := out.Until.Sub(now); out.Outage == "" || got != want || out.Turns != 0 {
			t.Errorf("outage %q, to be looked at after %s, want %s; %d turns", out.Outage, got, want, out.Turns)
		}
		now = out.Until
	}
	write(t, d.Dir+"/up", "")
	wantKind(t, play(t, b, d), personas.Crashed)
	if err := b.Check(d.Dir); err != nil {
		t.Fatal(err)
	}
	b.o.Argv[2] = `echo "Error: 502 Bad Gateway"; exit 1`
	if out := play(t, b, d); out.Until.Sub(now) != time.Minute {
		t.Errorf("an outage after the last one is looked at after %s", out.Until.Sub(now))
	}
}

func TestOutageInTheMiddleOfTheWorkIsTold(t *testing.T) {
	p, _ := PresetOf("codex")
	out := play(t, New(Options{Preset: &p, Argv: []string{fake(t, `cat > got.md
echo '{"type":"item.started","item":{"type":"command_execution","command":"ls"}}'
echo '{"type":"turn.failed","error":{"message":"stream disconnected before completion: it was cut"}}'; exit 1`)}}), world(t))
	if out.Outage != personas.ServerFails || out.TextOnly || out.Turns != 1 {
		t.Errorf("%+v", out)
	}
}
