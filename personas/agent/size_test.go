package agent

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"testing"

	"autopilot/personas"
	"autopilot/personas/agent/toolbox"
	"autopilot/personas/openai"
)

// smallTask is the executor with all its tools, on a task of 200 bytes, with
// the brief that the engine gives of the first task of a plan.
func smallTask(tb testing.TB, d personas.Dispatch) personas.Dispatch {
	tb.Helper()
	d = as(d, personas.Executor)
	body := "**Files:** greet.txt | **Validation:** `grep -q hello greet.txt`\n\n" + strings.Repeat("Greet the world by name. ", 8)
	session := ".harness/sessions/spec"
	b := personas.Brief{
		Submits: personas.Submits(New(nil, Options{})), Rigor: personas.Standard,
		Phase:    personas.PhaseBrief{Number: "1", Name: "Greet", Index: 1, Of: 2, Complexity: "low", Text: "<!-- complexity: low -->\n\nWrite greet.txt with a greeting."},
		Criteria: []string{"It greets."}, PlanPath: "docs/plans/2026-11-22-greet-plan.md",
		PlanText: "# Plan: Greet\n\n**Spec:** docs/spec.md\n\n## Tasks\n\n### Task 1: Write the greeting\n\n" + body + "\n",
		Task: &personas.TaskBrief{
			ID: "task-001", Number: "1", Title: "Write the greeting", Body: body, Files: []string{"greet.txt"}, Validation: "grep -q hello greet.txt",
		},
		Attempt: 1, MaxAttempts: 4, Base: strings.Repeat("0123456789", 4), SpecTitle: "Greeting", SpecPath: session + "/spec.md", SessionDir: session,
		ScratchpadDir: ".harness/out/0123456789abcdef/scratchpad", ReplyPath: "/home/somebody/repo/.harness/out/0123456789abcdef/reply.json",
		Validations: []string{"go test ./..."},
		Standing: []personas.Section{
			{Title: "The project", Text: "Documents: docs/."},
			{Title: "What the last dispatch handed over", Text: "planner, PLAN: One task."},
			{Title: "The last commits", Text: "01234567 [autopilot][phase 1] Plan: Greet\n89abcdef first"},
			{Title: "Changed since 89abcdef", Text: "docs/plans/2026-11-22-greet-plan.md | 11 +++++++++++\n 1 file changed, 11 insertions(+)\n create mode 100644 docs/plans/2026-11-22-greet-plan.md"},
			{Title: "The log", Text: "INIT INIT branch\nCHECKPOINT ASSESS phase 1, 1 of 2: Greet\nCHECKPOINT PLAN phase 1, 1 of 2: Greet\nCHECKPOINT APPROVE_PLAN phase 1, 1 of 2: Greet\n" +
				"CHECKPOINT decision: auto approved plan (by rule: no signal fired)\nCHECKPOINT EXECUTE phase 1, 1 of 2: Greet\nStarting [task-001] Write the greeting (base=01234567)"},
		},
	}
	d.Prompt, d.System = personas.Render(d.Persona, b), personas.System(d.Persona, b)
	return d
}

// firstRequest gives the body of a dispatch's first request as a server gets it.
func firstRequest(tb testing.TB, d personas.Dispatch) []byte {
	tb.Helper()
	var first []byte
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			tb.Error(err)
		}
		if first == nil {
			first = body
		}
		_, _ = fmt.Fprintf(w, `{"choices":[{"message":{"role":"assistant","tool_calls":[{"id":"a","type":"function","function":{"name":"submit_reply","arguments":%q}}]}}]}`, doneReply)
	}))
	defer server.Close()
	model, err := openai.New(openai.Options{BaseURL: server.URL, Model: "gpt-4o", NoStream: true})
	if err != nil {
		tb.Fatal(err)
	}
	if out, err := New(model, Options{}).Dispatch(tb.Context(), d); err != nil || out.Kind != personas.GotReply {
		tb.Fatalf("%+v, %v", out, err)
	}
	return first
}

// maxFirst bounds the first request of a small task, in bytes.
const maxFirst = 9 << 10

func TestFirstRequestIsSmall(t *testing.T) {
	d := smallTask(t, world(t))
	body := firstRequest(t, d)
	prompt, err := json.Marshal(d.Prompt)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d bytes, of them the prompt %d", len(body), len(prompt))
	if len(body) > maxFirst {
		t.Errorf("the first request of a task of 200 bytes has %d bytes, at most %d are wanted; the tools and the frame are %d of them", len(body), maxFirst, len(body)-len(prompt))
	}
	for _, tool := range []string{"read_file", "list_files", "search", "edit_file", "write_file", "apply_patch", "run_command", "git_diff", "git_show", "scratchpad_write", toolbox.SubmitReply} {
		if !strings.Contains(string(body), `"name":"`+tool+`"`) {
			t.Errorf("it does not offer %s", tool)
		}
	}
}

func TestRequestsBeginAsTheOnesBefore(t *testing.T) {
	d := world(t)
	longFile(t, d)
	s, out := fiftyTurns(t, d)
	if share := s.kept(); share < 0.95 {
		t.Errorf("%.1f %% of what a provider had cached was sent again as it was", 100*share)
	}
	if n := s.changed(0.95); len(s.stable) != 50 || n > out.Metrics.Compactions {
		t.Errorf("%d of %d requests began in another way, at %d compactions", n, len(s.stable), out.Metrics.Compactions)
	}
}

// kept is the part of all requests with which the next one began.
func (s *server) kept() float64 {
	sum := 0.0
	for _, share := range s.stable {
		sum += share
	}
	return sum / float64(len(s.stable))
}

// fiftyTurns are made over HTTP, by a server that answers at once.
func fiftyTurns(tb testing.TB, d personas.Dispatch) (*server, personas.Outcome) {
	tb.Helper()
	s := &server{window: 128_000, perToken: 4, turns: 50, turn: works, summary: "The file was read in parts, and each third part was written."}
	over := httptest.NewServer(s)
	defer over.Close()
	model, err := openai.New(openai.Options{BaseURL: over.URL, Model: "some-model", NoStream: true, Retries: -1})
	if err != nil {
		tb.Fatal(err)
	}
	out, err := New(model, Options{Window: 128_000}).Dispatch(tb.Context(), d)
	if err != nil || out.Kind != personas.GotReply {
		tb.Fatalf("%+v, %v", out, err)
	}
	return s, out
}

// BenchmarkAgent tells what the loop itself costs: the bytes of the first
// request, the part of a request that a provider's cache keeps over 50 turns,
// turns a second with a server that answers at once, and the most memory that a
// dispatch with a transcript of 10 MB takes.
func BenchmarkAgent(b *testing.B) {
	d := world(b)
	longFile(b, d)
	first, memory := len(firstRequest(b, smallTask(b, d))), peak(b, d)
	s, _ := fiftyTurns(b, d)
	turns := 0
	for b.Loop() {
		_, out := fiftyTurns(b, d)
		turns += out.Turns
	}
	b.ReportMetric(float64(first), "first-request-B")
	b.ReportMetric(100*s.kept(), "stable-prefix-%")
	b.ReportMetric(memory/(1<<20), "peak-MB")
	b.ReportMetric(float64(turns)/b.Elapsed().Seconds(), "turns/s")
}

// peak is the most memory in use while a transcript grows to 10 MB, in bytes.
func peak(b *testing.B, d personas.Dispatch) float64 {
	b.Helper()
	put(b, d.Dir, map[string]string{"wide.txt": strings.Repeat(strings.Repeat("0123456789", 10)+"\n", 2_000)})
	d.AttemptDir, d.MaxTurns = b.TempDir(), 1_000
	most := uint64(0)
	work := &server{window: 200_000, perToken: 4, turns: 200, summary: "The file was read in parts, and each third part was written."}
	work.turn = func(n int) personas.Message {
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		most = max(most, m.HeapInuse)
		return personas.Message{Calls: []personas.Call{{ID: fmt.Sprint(n), Name: "read_file", Arguments: fmt.Sprintf(`{"path":"wide.txt","from":%d}`, n)}}}
	}
	forgetful := modelFunc(func(ctx context.Context, messages []personas.Message, tools []personas.Tool) (personas.Message, personas.Usage, error) {
		work.requests, work.last, work.stable = nil, "", nil
		return work.Turn(ctx, messages, tools)
	})
	if out, err := New(forgetful, Options{Window: 200_000}).Dispatch(b.Context(), d); err != nil || out.Kind != personas.GotReply {
		b.Fatalf("%+v, %v", out, err)
	}
	if n := len(read(b, d.AttemptDir, "transcript.jsonl")); n < 10<<20 {
		b.Fatalf("the transcript has only %d bytes", n)
	}
	return float64(most)
}
