package machine

import (
	"encoding/json"
	"strings"
	"testing"
)

// TestRatesComeFromCounts: of two dispatches that made 1 and 99 calls, the rate is that of the 100.
func TestRatesComeFromCounts(t *testing.T) {
	one := Metrics{Ended: 1, Turns: 1, Seconds: 10, ToolCalls: 1, ToolFailures: 1, Checked: 1, Refusals: 3, Fill: 900, Window: 1000}
	other := Metrics{Ended: 1, Turns: 9, Seconds: 10, ToolCalls: 99, Compactions: 2, Checked: 1, FirstPass: 1, Fill: 5000, Window: 100_000}
	cases := map[string]struct {
		all  []Metrics
		used Usage
		want string // of the rates, as JSON
		text string
	}{
		"nothing ended": {nil, Usage{}, `{"toolSuccessRate":null,"firstPassRate":null,"contextUse":null,"cachedRate":null,"secondsPerTurn":null,"turnsPerTask":null,"secondsPerTask":null}`, ""},
		"both": {
			[]Metrics{one, other},
			Usage{InputTokens: 200, CachedTokens: 50},
			`{"toolSuccessRate":0.99,"firstPassRate":0.5,"contextUse":0.9,"cachedRate":0.25,"secondsPerTurn":2,"turnsPerTask":null,"secondsPerTask":null,"contextStatus":"danger"}`,
			"10 turns (2.0 s each), 100 tool calls (1 failed, 99 % worked; target above 95 %), work passed its first check in 1 of 2 agent runs (target above 80 %), 2 compactions, fullest context 90 % of 1000 tokens (danger; target below 70 %)",
		},
		"the other way round": {
			[]Metrics{other, one},
			Usage{},
			`{"toolSuccessRate":0.99,"firstPassRate":0.5,"contextUse":0.9,"cachedRate":null,"secondsPerTurn":2,"turnsPerTask":null,"secondsPerTask":null,"contextStatus":"danger"}`,
			"10 turns (2.0 s each), 100 tool calls (1 failed, 99 % worked; target above 95 %), work passed its first check in 1 of 2 agent runs (target above 80 %), 2 compactions, fullest context 90 % of 1000 tokens (danger; target below 70 %)",
		},
		"a program that tells its turns": {
			[]Metrics{{Ended: 1, Turns: 1, Seconds: 0.01}},
			Usage{InputTokens: 10},
			`{"toolSuccessRate":null,"firstPassRate":null,"contextUse":null,"cachedRate":0,"secondsPerTurn":0.01,"turnsPerTask":null,"secondsPerTask":null}`, "1 turn",
		},
		"a program that tells nothing": {[]Metrics{{Ended: 1, Seconds: 3}}, Usage{}, `{"toolSuccessRate":null,"firstPassRate":null,"contextUse":null,"cachedRate":null,"secondsPerTurn":null,"turnsPerTask":null,"secondsPerTask":null}`, ""},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			s := State{Usage: c.used}
			for _, m := range c.all {
				s.Metrics = s.Metrics.Plus(m)
			}
			shown := ShowMetrics(s)
			if got := shown.String(); got != c.text {
				t.Errorf("it says %q", got)
			}
			shown.CountsShown = CountsShown{}
			data, err := json.Marshal(shown)
			if got := strings.Replace(string(data), `"ended":0,`, "", 1); err != nil || got != c.want {
				t.Errorf("%s, %v", got, err)
			}
			if s.Metrics.Ended != len(c.all) {
				t.Errorf("%d ended", s.Metrics.Ended)
			}
		})
	}
}

// TestWhatNobodyToldIsNotShownAsZero: and what was told is shown, also where there was none.
func TestWhatNobodyToldIsNotShownAsZero(t *testing.T) {
	program, known := Metrics{Ended: 1, Turns: 1}, Metrics{Ended: 1, Turns: 1, ToldTools: 1}
	builtIn := Metrics{Ended: 1, Turns: 4, ToldTools: 1, ToldAll: 1}
	tools, all := `"toolCalls":0,"toolFailures":0`, `,"compactions":0,"checked":0,"firstPass":0,"refusals":0`
	for name, c := range map[string]struct {
		m    Metrics
		want string
	}{
		"a program that tells nothing": {program, `{"ended":1,"turns":1}`},
		"one whose events are known":   {known, `{"ended":1,"turns":1,"toldTools":1,` + tools + `}`},
		"the built-in agent":           {builtIn, `{"ended":1,"turns":4,"toldTools":1,"toldAll":1,` + tools + all + `}`},
		"two of them":                  {program.Plus(builtIn), `{"ended":2,"turns":5,"toldTools":1,"toldAll":1,` + tools + all + `}`},
		"by an older program":          {Metrics{Ended: 1, Turns: 4, ToolCalls: 2, Compactions: 1}, `{"ended":1,"turns":4,"toolCalls":2,"compactions":1}`},
	} {
		if got, err := json.Marshal(c.m.Counts()); err != nil || string(got) != c.want {
			t.Errorf("%s: %s, %v", name, got, err)
		}
		got, err := json.Marshal(ShowMetrics(State{Metrics: c.m}))
		if want := strings.TrimSuffix(c.want, "}") + ","; err != nil || !strings.HasPrefix(string(got), want) {
			t.Errorf("%s, with its rates: %s, %v", name, got, err)
		}
	}
}
