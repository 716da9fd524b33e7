package agent

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"autopilot/personas"
	"autopilot/personas/openai"
)

// TestWholeDispatchInTextOverHTTP has a server that knows no tools: it takes
// texts, and says texts.
func TestWholeDispatchInTextOverHTTP(t *testing.T) {
	const file = "#!/bin/sh\n# \"quotes\", `backticks`, 'more'\n\tcat <<EOF\n>>>\n<<<run_command\ncommand: touch wrong\n>>>\nEOF\n"
	turns := []string{
		"I look around.\n\n<<<list_files\n>>>\n<<<read_file\npath: main.go\n>>>",
		"<<<write_file\npath: made.sh\ncontent:\n" + file + ">>>", // not as it was told
		"<<<write_file\npath: made.sh\ncontent: <<STOP\n" + file + "STOP\n>>>\n\n<<<run_command\ncommand: sh made.sh && ls\n>>>",
		"<<<nonesuch\nx: 1\n>>>",
		"Done.\n<<<submit_reply\nstatus: done\nsummary: <<S\nMade it.\nS\nevidence: [{\"command\": \"sh made.sh\", \"exitCode\": 0}]\n>>>",
	}
	var bodies []string
	over := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		var request struct{ Messages []wire }
		if strings.Contains(string(body), `"tools"`) || strings.Contains(string(body), "tool_call") || json.Unmarshal(body, &request) != nil {
			http.Error(w, `{"error":{"message":"tools are not supported"}}`, http.StatusBadRequest)
			return
		}
		for i, m := range request.Messages[1:] {
			if want := []string{"user", "assistant"}[i%2]; m.Role != want {
				t.Errorf("message %d is the %s's", i+1, m.Role)
			}
		}
		bodies = append(bodies, string(body))
		_ = json.NewEncoder(w).Encode(map[string]any{"choices": []any{map[string]any{
			"message": map[string]any{"role": "assistant", "content": turns[min(len(bodies), len(turns))-1]}, "finish_reason": "stop",
		}}, "usage": map[string]any{"prompt_tokens": len(body) / 4, "completion_tokens": 10}})
	}))
	defer over.Close()
	model, err := openai.New(openai.Options{BaseURL: over.URL, Model: "plain", NoStream: true, Retries: -1})
	if err != nil {
		t.Fatal(err)
	}
	d := world(t)
	out, err := New(NewTextTools(model, nil), Options{}).Dispatch(t.Context(), d)
	if err != nil || out.Kind != personas.GotReply || out.Reply.Summary != "Made it." || out.Reply.Evidence[0].Command != "sh made.sh" || out.Turns != len(turns) {
		t.Fatalf("%+v, %v", out, err)
	}
	if got := read(t, d.Dir, "made.sh"); got != file {
		t.Errorf("the file came through as\n%s", got)
	}
	if out.Metrics.ToolCalls != 7 || out.Metrics.ToolFailures != 2 {
		t.Errorf("%+v", out.Metrics)
	}
	last := bodies[len(bodies)-1]
	wantIn(t, last, `result of list_files: \u003c\u003cEND`, `package main`, `is no argument`, "neither it nor what follows was done", `exit code 0`, `there is no tool \"nonesuch\"`, `\u003c\u003c\u003crun_command`)
	for i := 1; i < len(bodies); i++ {
		if before, _, _ := strings.Cut(bodies[i-1], `],"stream"`); !strings.HasPrefix(bodies[i], strings.TrimSuffix(before, "]}")) {
			t.Errorf("request %d does not begin as the one before", i+1)
		}
	}
	wantIn(t, read(t, d.AttemptDir, "audit.jsonl"), `"tool":"run_command"`, `"tool":"write_file"`)
	if _, err := os.Stat(filepath.Join(d.Dir, "wrong")); err == nil {
		t.Error("a call in a file's text was made")
	}
}
