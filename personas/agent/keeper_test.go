package agent

import (
	"context"
	"strings"
	"testing"

	"autopilot/personas"
	"autopilot/personas/agent/toolbox"
)

// TestWindowHasAnOrderOfSources: the configuration, the server, the name, a guess; a server is asked once.
func TestWindowHasAnOrderOfSources(t *testing.T) {
	t.Parallel()
	says := func(w personas.Window) func(context.Context) personas.Window {
		return func(context.Context) personas.Window { return w }
	}
	served := says(personas.Window{Tokens: 40_960, Source: "as its server says"})
	for name, c := range map[string]struct {
		o     Options
		want  int
		known bool
	}{
		"configured":                {Options{Window: 50_000, AskWindow: served, Model: "gpt-4o"}, 50_000, true},
		"the server":                {Options{AskWindow: served, Model: "gpt-4o"}, 40_960, true},
		"the name":                  {Options{AskWindow: says(personas.Window{}), Model: "gpt-4-turbo"}, 128_000, true},
		"nothing":                   {Options{AskWindow: says(personas.Window{}), Model: "mine"}, assumedWindow, false},
		"nobody to ask":             {Options{Model: "mine"}, assumedWindow, false},
		"it cuts, and does not say": {Options{AskWindow: says(personas.Window{Silent: true, Remedy: "r"}), Model: "mine"}, silentWindow, false},
	} {
		t.Run(name, func(t *testing.T) {
			asked := 0
			if ask := c.o.AskWindow; ask != nil {
				c.o.AskWindow = func(ctx context.Context) personas.Window { asked++; return ask(ctx) }
			}
			a := New(nil, c.o)
			w := a.window.of(t.Context())
			if again := a.Window(t.Context()); w.Tokens != c.want || again != c.want || (w.Source != "") != c.known {
				t.Errorf("%+v, then %d", w, again)
			}
			if asked > 1 && !w.Silent {
				t.Errorf("asked %d times", asked)
			}
		})
	}
}

// TestLoadedModelTellsItsWindow: Ollama says the window of a model once that is loaded, which the first request does.
func TestLoadedModelTellsItsWindow(t *testing.T) {
	t.Parallel()
	loaded, said := false, []string{}
	s := modelFunc(func(context.Context, []personas.Message, []personas.Tool) (personas.Message, personas.Usage, error) {
		loaded = true
		return personas.Message{Calls: []personas.Call{{ID: "a", Name: toolbox.SubmitReply, Arguments: doneReply}}}, personas.Usage{InputTokens: 3_000}, nil
	})
	a := New(s, Options{Warn: func(text string) { said = append(said, text) }, AskWindow: func(context.Context) personas.Window {
		w := personas.Window{Remedy: "load more", Silent: true}
		if loaded {
			w.Tokens, w.Source = 8_192, "as its server says"
		}
		return w
	}})
	for range 2 {
		out, err := a.Dispatch(t.Context(), world(t))
		if err != nil || out.Kind != personas.GotReply || out.Metrics.Window != 8_192 {
			t.Errorf("%+v, %v", out, err)
		}
	}
	if len(said) != 1 {
		t.Fatalf("%q", said)
	}
	wantIn(t, said[0], "8192 tokens", "without a word", "load more")
}

// TestSilentCutShrinksTheWindow: the server's count stays behind what is sent, which is noticed, said once and remembered.
func TestSilentCutShrinksTheWindow(t *testing.T) {
	t.Parallel()
	const real = 10_000
	s := &server{window: 1_000_000, perToken: 4, turns: 60, turn: works, summary: "The file was read in parts, and each third part was written."}
	over, said := 0, []string{}
	cutting := modelFunc(func(ctx context.Context, m []personas.Message, tools []personas.Tool) (personas.Message, personas.Usage, error) {
		answer, used, err := s.Turn(ctx, m, tools)
		if used.InputTokens > real {
			over++
			used.InputTokens = real - 200
		}
		return answer, used, err
	})
	a := New(cutting, Options{Window: 100_000, Warn: func(text string) { said = append(said, text) }})
	for range 2 {
		s.n = 0
		d := world(t)
		longFile(t, d)
		out, err := a.Dispatch(t.Context(), d)
		if err != nil || out.Kind != personas.GotReply || out.Metrics.Window > real || out.Metrics.Window < real/2 || out.Metrics.Compactions == 0 {
			t.Fatalf("%+v, %v", out, err)
		}
	}
	if over == 0 || over > 6 || len(said) != 1 {
		t.Fatalf("%d prompts were cut; said: %q", over, said)
	}
	wantIn(t, said[0], "cuts prompts without a word", "window")
}

// TestCountsThatAreNoCut: a smaller count has other causes.
func TestCountsThatAreNoCut(t *testing.T) {
	t.Parallel()
	text := func(bytes int) personas.Message { return personas.Message{Content: strings.Repeat("x", bytes)} }
	thinking := text(1_000)
	thinking.Reasoning = strings.Repeat("hmm ", 10_000)
	for name, c := range map[string]struct {
		messages []personas.Message
		told     []int
	}{
		"what is cached is left out":     {[]personas.Message{text(40_000), text(4_000), text(4_000)}, []int{10_000, 1_000, 1_000}},
		"texts of few tokens":            {[]personas.Message{text(8_000), text(40_000), text(40_000)}, []int{2_000, 8_000, 14_000}},
		"a first report far below":       {[]personas.Message{text(40_000), text(400), text(400)}, []int{3_000, 3_100, 3_200}},
		"thoughts that are not repeated": {[]personas.Message{text(40_000), thinking, text(400)}, []int{10_000, 20_000, 10_400}},
		"nothing is counted":             {[]personas.Message{text(40_000), text(40_000), text(40_000)}, []int{10_000, 0, 30_000}},
	} {
		m := newMeter(personas.Window{Tokens: 100_000}, nil)
		for i, told := range c.told {
			if m.reported(personas.Usage{InputTokens: told}, c.messages[:i+1]) || m.window != 100_000 {
				t.Errorf("%s: report %d counts as a cut", name, i+1)
			}
		}
	}
}

// TestNamedWindowIsRemembered: a dispatch does not run into the limit that stopped the one before.
func TestNamedWindowIsRemembered(t *testing.T) {
	t.Parallel()
	a := New(&script{turns: []turn{fails(&personas.OverflowError{Detail: "maximum context length is 16000 tokens"})}}, Options{})
	d := world(t)
	d.Prompt = strings.Repeat("A very long task. ", 10_000)
	if _, err := a.Dispatch(t.Context(), d); err == nil || a.Window(t.Context()) != 16_000 {
		t.Errorf("%v, window %d", err, a.Window(t.Context()))
	}
}
