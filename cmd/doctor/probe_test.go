package doctor

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"autopilot/autopilot/git"
	"autopilot/cmd/console"
	"autopilot/config"
	"autopilot/personas"
)

func TestProbeSaysWhatAServerMakesOfATinyRequest(t *testing.T) {
	const answer = `{"choices":[{"index":0,"message":{"role":"assistant","content":"ok"},"finish_reason":"stop"}],"usage":{"prompt_tokens":20,"completion_tokens":1}}`
	for name, c := range map[string]struct {
		status      int
		body, tools string
		want        []string
	}{
		"well":                    {200, answer, "", []string{"ok", "b: gpt-4o answered in ", "20 tokens in and 1 out, 0.0001 USD"}},
		"without tools":           {200, answer, "text", []string{"ok"}},
		"a model without tools":   {400, `{"error":{"message":"x does not support tools"}}`, "", []string{"wrong", "does not support tools", "tools: text"}},
		"a model that is not":     {404, `{"error":{"message":"model x not found, try pulling it first"}}`, "", []string{"wrong", "not found", "Check model and base_url."}},
		"a limit":                 {429, `{"error":{"message":"Rate limit reached. Please try again in 20m."}}`, "", []string{"note", "is limited now", "until ", "fallback"}},
		"a quota":                 {429, `{"error":{"message":"You exceeded your current quota","type":"insufficient_quota"}}`, "", []string{"wrong", "its quota or balance is used up", "Waiting does not help"}},
		"a key that is not taken": {401, `{"error":{"message":"no"}}`, "", []string{"wrong", "refuses the credentials", "Correct the key in OPENAI_API_KEY"}},
		"a server out of order":   {500, `oops`, "", []string{"wrong", "did not answer", "500"}},
	} {
		t.Run(name, func(t *testing.T) {
			asked := 0
			s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if r.Method == http.MethodGet {
					http.NotFound(w, r)
					return
				}
				asked++
				var sent struct {
					Tools  []any `json:"tools"`
					Tokens int   `json:"max_completion_tokens"`
				}
				if err := json.NewDecoder(r.Body).Decode(&sent); err != nil || sent.Tokens == 0 || (len(sent.Tools) == 0) != (c.tools == "text") {
					t.Errorf("it was sent %+v, %v", sent, err)
				}
				w.Header().Set("Content-Type", "application/json")
				w.WriteHeader(c.status)
				fmt.Fprint(w, c.body)
			}))
			defer s.Close()
			whole := false
			described := config.Backend{Type: "openai", BaseURL: s.URL + "/v1", Model: "gpt-4o", Tools: c.tools, Stream: &whole}
			p := inputOf(t, map[string]config.Backend{"b": described})
			d := p.probe(t.Context(), placed{name: "b", described: described})
			got := d.Status + " " + d.Detail + " | " + d.Remedy
			for i, part := range c.want {
				if i == 0 && !strings.HasPrefix(got, part+" b: ") || !strings.Contains(got, part) {
					t.Errorf("%q is not in %s", part, got)
				}
			}
			if asked != 1 {
				t.Errorf("it was asked %d times", asked)
			}
		})
	}
}

// inputOf is an empty repository with a configuration.
func inputOf(t *testing.T, backends map[string]config.Backend) *doctorInput {
	t.Helper()
	dir := t.TempDir()
	if err := exec.CommandContext(t.Context(), "git", "init", "--quiet", dir).Run(); err != nil {
		t.Fatal(err)
	}
	repo, err := git.Find(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	cfg := &config.Config{Backends: backends}
	cfg.Timeouts.Idle, cfg.Timeouts.Dispatch = time.Minute, time.Minute
	return &doctorInput{
		doctorOptions: &doctorOptions{host: &console.Host{Environ: append(os.Environ(), "OPENAI_API_KEY=anything"), Now: time.Now}}, repo: repo, cfg: cfg,
		endpoints: map[string][]diagnosis{}, answers: map[diagnosis]*probed{},
	}
}

func TestOutcomeOfAProbeIsTold(t *testing.T) {
	p := inputOf(t, nil)
	for kind, want := range map[personas.OutcomeKind]string{
		personas.GotReply: "", personas.NoReply: "", personas.RateLimited: "note", personas.Auth: "wrong", personas.TimedOut: "wrong", personas.Crashed: "wrong",
	} {
		err := failed(personas.Outcome{Kind: kind, Detail: "the reason", Until: time.Now()})
		if want == "" {
			if err != nil {
				t.Errorf("%s: %v", kind, err)
			}
			continue
		}
		status, message, remedy := p.trouble(placed{name: "b"}, err)
		if status != want || !strings.Contains(message, "the reason") || remedy == "" {
			t.Errorf("%s: %s %s | %s", kind, status, message, remedy)
		}
	}
}

func TestProbeLeavesNoFolderBehind(t *testing.T) {
	dir := t.TempDir()
	out := filepath.Join(dir, ".harness", "out", "doctor-1")
	if err := os.MkdirAll(out, 0o755); err != nil {
		t.Fatal(err)
	}
	tidy(out)
	if _, err := os.Stat(filepath.Join(dir, ".harness")); err == nil {
		t.Error("the folders that were made for it stay")
	}
	other := filepath.Join(dir, ".harness", "out", "another")
	if err := os.MkdirAll(out, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(other, 0o755); err != nil {
		t.Fatal(err)
	}
	tidy(out)
	if _, err := os.Stat(other); err != nil {
		t.Error("a folder of others is gone")
	}
}
