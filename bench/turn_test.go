package bench

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"
	"time"

	sdk "github.com/sashabaranov/go-openai"

	"autopilot/personas"
	"autopilot/personas/agent"
	"autopilot/personas/openai"
)

// longTalk is how many bytes a conversation of 100,000 tokens has.
const longTalk = 400_000

// BenchmarkTurn is what the built-in agent adds to a turn once its conversation has 100,000 tokens: from the server's
// answer until the server has the next request, with the tool that was called, the transcript and the encoding in
// between; beside the encoding of that request alone. One model's tokens can be counted, the other's are guessed.
func BenchmarkTurn(b *testing.B) {
	for _, c := range []struct{ name, model string }{{"guessed", "some-model"}, {"counted", "gpt-4o"}} {
		b.Run(c.name, func(b *testing.B) {
			var m measured
			for b.Loop() {
				talk(b, c.model, &m)
			}
			m.report(b, 2)
		})
	}
}

func talk(b *testing.B, name string, m *measured) {
	b.Helper()
	dir := b.TempDir()
	put(b, filepath.Join(dir, "long.txt"), strings.Repeat("func next(ctx context.Context) (Record, error) { return r.read(ctx) }\n", 20_000))
	s := &talker{b: b, m: m}
	server := httptest.NewServer(s)
	defer server.Close()
	model, err := openai.New(openai.Options{BaseURL: server.URL, Model: name, NoStream: true, Retries: -1})
	if err != nil {
		b.Fatal(err)
	}
	out, err := agent.New(model, agent.Options{Window: 1_000_000}).Dispatch(b.Context(), personas.Dispatch{
		ID: "d1", Key: personas.Key{Persona: "executor", Phase: 1, Task: "task-001", Attempt: 1}, Prompt: "Read the file.", Dir: dir,
		Persona: personas.Persona{Name: personas.Executor, May: []string{personas.MayRead, personas.MayWrite, personas.MayRun}},
		OutDir:  filepath.Join(dir, ".harness", "out", "d1"), AttemptDir: b.TempDir(), MaxTurns: 1_000,
	})
	if err != nil || out.Kind != personas.GotReply {
		b.Fatalf("%+v, %v", out, err)
	}
}

// talker is a server whose model reads a file in parts until the conversation is long, and forty turns more.
type talker struct {
	b        *testing.B
	m        *measured
	turn     int
	counted  int
	answered time.Time // when the last answer was given
}

func (t *talker) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	took := time.Since(t.answered)
	if err != nil {
		t.b.Error(err)
		return
	}
	if len(body) > longTalk {
		t.counted++
		t.m.add(took, t.encoding(body))
	}
	t.turn++
	name, arguments := "read_file", fmt.Sprintf(`{"path":"long.txt","from":%d,"to":%d}`, 60*t.turn+1, 60*t.turn+60)
	if t.counted == 40 {
		name, arguments = "submit_reply", `{"status":"done","summary":"Read."}`
	}
	answer := fmt.Appendf(nil, `{"choices":[{"message":{"role":"assistant","tool_calls":[{"id":"c%d","type":"function","function":{"name":%q,"arguments":%q}}]}}],`+
		`"usage":{"prompt_tokens":%d,"completion_tokens":20}}`, t.turn, name, arguments, len(body)/4)
	t.answered = time.Now()
	_, _ = w.Write(answer)
}

// encoding is how long the encoding of a request takes.
func (t *talker) encoding(body []byte) time.Duration {
	var request sdk.ChatCompletionRequest
	if err := json.Unmarshal(body, &request); err != nil {
		t.b.Error(err)
	}
	began := time.Now()
	if _, err := json.Marshal(request); err != nil {
		t.b.Error(err)
	}
	return time.Since(began)
}
