package agent

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"autopilot/personas"
	"autopilot/personas/agent/toolbox"
)

func TestThreeHundredTurnsFitIntoASmallWindow(t *testing.T) {
	t.Parallel()
	for name, perToken := range map[string]float64{"as estimated": 4, "more tokens than estimated": 2.2} {
		if perToken == 4 && os.Getenv("RESUME_FULL") != "1" {
			continue
		}
		t.Run(name, func(t *testing.T) {
			d := world(t)
			d.MaxTurns = 400
			longFile(t, d)
			s := &server{window: 32_768, perToken: perToken, turns: 300, turn: works, summary: "Decisions: the middle was read. Files: long.txt. Open points: none."}
			out, err := New(s, Options{Window: 32_768}).Dispatch(t.Context(), d)
			if err != nil || out.Kind != personas.GotReply || out.Turns != 301 {
				t.Fatalf("%+v, %v", out, err)
			}
			for _, w := range s.wrong {
				t.Error(w)
			}
			if out.Metrics.Compactions < 3 || s.summaries == 0 || out.Metrics.ToolFailures != 0 || !out.Metrics.ToldTools || !out.Metrics.ToldAll || out.Metrics.ToolCalls != 401 {
				t.Errorf("%+v, %d summaries", out.Metrics, s.summaries)
			}
			if n := s.changed(1); n > out.Metrics.Compactions {
				t.Errorf("the beginning changed %d times at %d compactions", n, out.Metrics.Compactions)
			}
			final := s.requests[len(s.requests)-1]
			wantIn(t, final[1].Content, "Do the task.", "the middle was read")
			t.Logf("%+v, %d summaries, largest prompt %d", out.Metrics, s.summaries, s.largest)
		})
	}
}

func TestSummaryBringsNoSecretOfTheTaskBack(t *testing.T) {
	d := world(t)
	longFile(t, d)
	d.Prompt = "Do the task. The password is hush-hush-hush."
	s := &server{window: 12_000, perToken: 4, turns: 60, turn: works, summary: "Nothing of note happened so far, and nothing is open."}
	if _, err := New(s, Options{Window: 12_000, Secrets: []string{"hush-hush-hush"}}).Dispatch(t.Context(), d); err != nil || s.summaries == 0 {
		t.Fatalf("%v, %d summaries", err, s.summaries)
	}
	for i, request := range s.requests {
		if task := request[1].Content; strings.Contains(task, "hush-hush") || !strings.Contains(task, personas.Masked) {
			t.Fatalf("request %d holds the secret: %s", i+1, toolbox.Cut(nil, task, 300))
		}
	}
}

func TestOldResultsAreArchivedWhereTheyCanBeRead(t *testing.T) {
	d := world(t)
	longFile(t, d)
	s := &server{window: 32_768, perToken: 4, turns: 16, turn: works, summary: "Nothing of note happened so far, and nothing is open."}
	if _, err := New(s, Options{Window: 32_768}).Dispatch(t.Context(), d); err != nil {
		t.Fatal(err)
	}
	archived := ""
	for _, m := range s.requests[len(s.requests)-1] {
		if m.Role == personas.RoleTool && strings.HasPrefix(m.Content, "(archived") {
			archived = m.Content
			break
		}
	}
	wantIn(t, archived, "read_file", ".harness/sessions/s/attempts/1/task-001/1/results/1.txt")
	wantIn(t, read(t, d.AttemptDir, "results", "1.txt"), "says something of its own")
	wantIn(t, use(t, d, "read_file", args{"path": ".harness/sessions/s/attempts/1/task-001/1/results/1.txt"}), "says something of its own")
	wantIn(t, use(t, d, "read_file", args{"path": ".harness/sessions/s/attempts/1/task-001/1/transcript.jsonl"}), "error:", "out of reach")
	if entries, err := os.ReadDir(filepath.Join(d.AttemptDir, "results")); err != nil || len(entries) < 5 {
		t.Errorf("%d archived, %v", len(entries), err)
	}
}

func TestHugeResultIsCutAndKeptWhole(t *testing.T) {
	d := world(t)
	longFile(t, d)
	s := &script{turns: []turn{
		calls("run_command", `{"command":"head -400 long.txt"}`, "run_command", `{"command":"sed -n 600,1000p long.txt"}`, "write_file", `{"path":"big.txt","content":"`+strings.Repeat("0123456789", 2_000)+`"}`),
		calls(toolbox.SubmitReply, doneReply),
	}}
	if _, err := New(s, Options{Window: 16_000, Secrets: []string{"line 900 says"}}).Dispatch(t.Context(), d); err != nil {
		t.Fatal(err)
	}
	if n := size(s.messages); n > 16_000*4*2/3 {
		t.Errorf("the conversation has %d bytes after one turn", n)
	}
	wantIn(t, s.messages[3].Content, "line 1 says", "bytes left out", "archived")
	whole := read(t, d.AttemptDir, "results", "2.txt")
	if strings.Contains(whole, "line 900 says") || !strings.Contains(whole, "line 899 says") {
		t.Error("the archived result is not whole, or holds a secret")
	}
}

func TestHugeThoughtsAreShortened(t *testing.T) {
	s := &script{turns: []turn{
		func(context.Context) (personas.Message, personas.Usage, error) {
			return personas.Message{Reasoning: strings.Repeat("hmm ", 100_000), Calls: []personas.Call{{ID: "a", Name: "read_file", Arguments: `{"path":"a.txt"}`}}}, personas.Usage{}, nil
		},
		calls(toolbox.SubmitReply, doneReply),
	}}
	if _, err := New(s, Options{Window: 16_000}).Dispatch(t.Context(), world(t)); err != nil {
		t.Fatal(err)
	}
	if kept := s.messages[2].Reasoning; len(kept) > 16_000 || !strings.HasPrefix(kept, "hmm hmm") || !strings.HasSuffix(kept, "…") {
		t.Errorf("%d bytes of thoughts are kept", len(kept))
	}
}

func TestOverflowIsRecoveredFrom(t *testing.T) {
	d := world(t)
	longFile(t, d)
	s := &server{window: 9_000, perToken: 4, turns: 40, turn: works, summary: "The file was read in parts, and each third part was written."}
	out, err := New(s, Options{}).Dispatch(t.Context(), d) // the window is not known, and assumed larger
	if err != nil || out.Kind != personas.GotReply || len(s.wrong) == 0 {
		t.Fatalf("%+v, %v, refused %d times", out, err, len(s.wrong))
	}
	if len(s.wrong) > 3 || out.Metrics.Window >= assumedWindow {
		t.Errorf("it did not learn: refused %d times, window %d", len(s.wrong), out.Metrics.Window)
	}
}

func TestWhatCannotBeMadeToFitIsHandedOver(t *testing.T) {
	d := world(t)
	longFile(t, d)
	refusing := func(n int) turn {
		return func(context.Context) (personas.Message, personas.Usage, error) {
			return personas.Message{}, personas.Usage{}, &personas.OverflowError{Detail: fmt.Sprint("refused ", n)}
		}
	}
	first := calls("read_file", `{"path":"long.txt","to":20}`)
	out, _ := run(t, d, Options{}, says("I begin."), first, refusing(1), refusing(2), refusing(3), refusing(4))
	if out.Kind != personas.NoReply || out.Metrics.Compactions == 0 {
		t.Errorf("%+v", out)
	}
	wantIn(t, out.Detail, "outgrew", "refused", "whoever goes on", "read_file", "long.txt")
}

// TestPromptThatNoWindowTakesIsSaidAtOnce: no retry makes it shorter, and only a person can change the model.
func TestPromptThatNoWindowTakesIsSaidAtOnce(t *testing.T) {
	refused := func(detail string) turn { return fails(&personas.OverflowError{Detail: detail}) }
	for name, c := range map[string]struct {
		o       Options
		attempt int
		turn    turn
		asked   bool
		want    []string
	}{
		"beyond a window that is configured": {o: Options{Window: 8_000}, want: []string{"about 45", "takes 8000, as window of its backend says", "larger window"}},
		"beyond that of a known model":       {o: Options{Model: "gpt-4"}, want: []string{"takes 8192, as is known of gpt-4", "set window"}},
		"beyond what its server says": {
			turn: refused("400: This model's maximum context length is 16000 tokens. However, your messages resulted in 50000 tokens."), asked: true,
			want: []string{"takes 16000, as its server says"},
		},
		"in a later attempt": {o: Options{Window: 8_000}, attempt: 2, want: []string{"no reply", "takes 8000"}},
		"where a server says no number": {
			turn: refused("400: too long"), asked: true, want: []string{"no reply", "400: too long", "larger window"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			d := world(t)
			d.Prompt, d.Key.Attempt = strings.Repeat("A very long task. ", 10_000), max(c.attempt, 1)
			s := &script{turns: []turn{c.turn, c.turn, c.turn, c.turn}}
			out, err := New(s, c.o).Dispatch(t.Context(), d)
			text := fmt.Sprint(err)
			if err == nil {
				text = "no reply: " + out.Detail
			}
			wantIn(t, text, c.want...)
			if out.Reply != nil || (s.next > 0) != c.asked || (err == nil) != strings.HasPrefix(c.want[0], "no reply") {
				t.Errorf("%+v, %v after %d requests", out, err, s.next)
			}
		})
	}
}

func TestWindowIsFoundInWhatServersSay(t *testing.T) {
	for text, want := range map[string]int{
		"This model's maximum context length is 1500 tokens. However, your messages resulted in 1737 tokens.": 1500,
		"prompt is too long: 210000 tokens > 200000 maximum":                                                  200_000,
		"the request exceeds the available context size (4096 tokens), try increasing it":                     4096,
		"The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).":             1_048_576,
		"the model is loaded with context length of only 4096 tokens, which is not enough":                    4096,
		"Prompt contains 40000 tokens, too large for model with 32768 maximum context length":                 32_768,
		"`inputs` tokens + `max_new_tokens` must be <= 4097":                                                  4097,
		"Request too large":                 0,
		"string too long in messages[3456]": 0,
	} {
		if got := windowIn(text); got != want {
			t.Errorf("%q: %d, want %d", text, got, want)
		}
	}
}

func TestModelThatDoesNotSummariseIsGoneOnWith(t *testing.T) {
	d := world(t)
	longFile(t, d)
	s := &server{window: 12_000, perToken: 4, turns: 60, turn: works}
	out, err := New(s, Options{Window: 12_000}).Dispatch(t.Context(), d)
	if err != nil || out.Kind != personas.GotReply || s.summaries == 0 || len(s.wrong) > 0 {
		t.Fatalf("%+v, %v, %v", out, err, s.wrong)
	}
	wantIn(t, s.requests[len(s.requests)-1][1].Content, "Do the task.", "- read_file", "long.txt")
}

// TestBigResultsDoNotCostTheCacheAtEachTurn: a window that is nearly full is emptied for more than the next result.
func TestBigResultsDoNotCostTheCacheAtEachTurn(t *testing.T) {
	d := world(t)
	longFile(t, d)
	s := &server{window: 16_000, perToken: 4, turns: 60, summary: "Nothing of note happened so far, and nothing is open.", turn: func(n int) personas.Message {
		return personas.Message{Calls: []personas.Call{{ID: fmt.Sprint("r", n), Name: "read_file", Arguments: fmt.Sprintf(`{"path":"long.txt","from":%d,"to":%d}`, n*10+1, n*10+200)}}}
	}}
	if _, err := New(s, Options{Window: 16_000}).Dispatch(t.Context(), d); err != nil || len(s.wrong) > 0 {
		t.Fatal(err, s.wrong)
	}
	if n := s.changed(1); n > 30 || s.n < 60 {
		t.Errorf("%d of %d requests do not begin with the one before", n, s.n)
	}
}

func TestSummaryThatIsRefusedIsDoneWithout(t *testing.T) {
	d := world(t)
	longFile(t, d)
	s := &server{window: 12_000, perToken: 4, turns: 60, turn: works}
	picky := modelFunc(func(ctx context.Context, m []personas.Message, tools []personas.Tool) (personas.Message, personas.Usage, error) {
		if len(tools) == 0 {
			s.summaries++
			return personas.Message{}, personas.Usage{}, errors.New("the model's server refuses the request: tools are required")
		}
		return s.Turn(ctx, m, tools)
	})
	out, err := New(picky, Options{Window: 12_000}).Dispatch(t.Context(), d)
	if err != nil || out.Kind != personas.GotReply || s.summaries == 0 {
		t.Errorf("%+v, %v, %d summaries", out, err, s.summaries)
	}
}

func TestErrorWhileSummarisingEndsTheDispatchAsItWould(t *testing.T) {
	d := world(t)
	longFile(t, d)
	s := &server{window: 12_000, perToken: 4, turns: 60, turn: works}
	limited := modelFunc(func(ctx context.Context, m []personas.Message, tools []personas.Tool) (personas.Message, personas.Usage, error) {
		if len(tools) == 0 {
			return personas.Message{}, personas.Usage{}, &personas.LimitError{Detail: "slow"}
		}
		return s.Turn(ctx, m, tools)
	})
	out, err := New(limited, Options{Window: 12_000}).Dispatch(t.Context(), d)
	if err != nil || out.Kind != personas.RateLimited {
		t.Errorf("%+v, %v", out, err)
	}
}

type modelFunc func(context.Context, []personas.Message, []personas.Tool) (personas.Message, personas.Usage, error)

func (f modelFunc) Turn(ctx context.Context, m []personas.Message, tools []personas.Tool) (personas.Message, personas.Usage, error) {
	return f(ctx, m, tools)
}

func TestWrittenTurnsAreNotSpentOnSummaries(t *testing.T) {
	d := world(t)
	d.MaxTurns = 100
	longFile(t, d)
	var turns []turn
	for n := range 60 {
		turns = append(turns, func(context.Context) (personas.Message, personas.Usage, error) {
			return works(n), personas.Usage{}, nil
		})
	}
	turns = append(turns, calls(toolbox.SubmitReply, doneReply))
	out, s := run(t, d, Options{Window: 10_000}, turns...)
	if out.Kind != personas.GotReply || out.Turns != 61 || s.next != 61 || out.Metrics.Compactions == 0 {
		t.Errorf("%+v after %d turns", out, s.next)
	}
}

func TestResultThatCannotBeArchivedIsAnErrorOfTheDispatch(t *testing.T) {
	d := world(t)
	longFile(t, d)
	put(t, d.AttemptDir, map[string]string{"results": "a file where the folder should be"})
	s := &script{turns: []turn{calls("run_command", `{"command":"cat long.txt"}`), calls(toolbox.SubmitReply, doneReply)}}
	if _, err := New(s, Options{Window: 4_000}).Dispatch(t.Context(), d); err == nil || !strings.Contains(err.Error(), "archived") {
		t.Errorf("got %v", err)
	}
}

func TestWindowsAreKnownByTheModelsName(t *testing.T) {
	for name, want := range map[string]int{
		"gpt-4o-mini": 128_000, "gpt-4-0613": 8_192, "gpt-4.1-mini": 1_047_576, "openai/gpt-4o": 128_000, "claude-sonnet-4-5": 200_000,
		"gpt-5-chat-latest": 128_000, "gpt-5.3-codex-spark": 128_000, "gpt-5.3-codex": 272_000, "glm-4.5v": 64_000, "glm-4.5": 128_000,
		"mistral-large-2402": 32_000, "mistral-large-2411": 128_000, "claude-2.1": 100_000,
		"GPT-4o": 128_000, "my-own-model": 0, "": 0, "llama3.1:8b": 0, "deepseek-chat:7b": 0,
	} {
		if got := WindowOf(name); got != want {
			t.Errorf("%s: %d, want %d", name, got, want)
		}
	}
	if w := New(nil, Options{}).window.of(t.Context()); w.Tokens != assumedWindow || w.Source != "" {
		t.Errorf("%+v", w)
	}
}

func TestMeterTrustsNoReportThatCannotBe(t *testing.T) {
	messages := []personas.Message{{Content: strings.Repeat("x", 40_000)}}
	m := newMeter(personas.Window{Tokens: 100_000}, nil)
	m.reported(personas.Usage{InputTokens: 3}, messages)
	if m.prompt < 5_000 || m.next(append(messages, messages...)) < 10_000 {
		t.Errorf("a report of 3 tokens made it %d", m.prompt)
	}
	m.reported(personas.Usage{}, messages)
	if m.prompt == 0 {
		t.Error("without a report nothing is estimated")
	}
}
