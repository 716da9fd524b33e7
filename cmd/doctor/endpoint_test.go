package doctor

import (
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"autopilot/cmd/app"
	"autopilot/cmd/console"
	"autopilot/config"
)

// seen is what doctor finds at an address, a line for each thing.
func seen(t *testing.T, described config.Backend, variables ...string) string {
	t.Helper()
	b := &app.Backends{Host: &console.Host{Environ: variables}, Cfg: &config.Config{}}
	var lines []string
	for _, d := range endpoint(t.Context(), b, described) {
		lines = append(lines, d.Status+" "+d.Name+" "+d.Detail+" | "+d.Remedy)
	}
	return strings.Join(lines, "\n")
}

func TestEndpointIsLookedAtWithoutTokens(t *testing.T) {
	const list = `{"data":[{"id":"m1"},{"id":"m2"},{"id":"other"}]}`
	for name, c := range map[string]struct {
		path, end, model string // what it answers at, what is configured behind its address, the model
		status           int
		body             string
		env              string
		want             []string
	}{
		"well":                  {"/v1/models", "/v1", "m1", 200, list, "", []string{"ok endpoint ", "/v1 answers; no key is sent", "ok model m1 is in the server's list"}},
		"well, with a key":      {"/v1/models", "/v1", "m1", 200, list, "OPENAI_API_KEY=x", []string{"its key is that in OPENAI_API_KEY"}},
		"another model":         {"/v1/models", "/v1", "m3", 200, list, "", []string{"ok endpoint", "note model m3 is not in the server's list | If it is refused, name another one with model or --model. There are: m1, m2, other."}},
		"no model named":        {"/v1/models", "/v1", "", 200, list, "", []string{"ok endpoint", "note model none is named | Name one with --model, or model in autopilot.yaml. There are: m1, m2, other."}},
		"no models":             {"/v1/models", "/v1", "m3", 200, `{"data":[]}`, "", []string{"Its list is empty"}},
		"no list":               {"/v1/other", "/v1", "m1", 200, list, "", []string{"ok endpoint", "answers, and does not list its models"}},
		"a web page":            {"/v1/models", "/v1", "m1", 200, "<html>", "", []string{"ok endpoint", "does not list its models"}},
		"an address too short":  {"/v1/models", "", "m1", 200, list, "", []string{"wrong endpoint", "the models are behind http://", "/v1 | Write base_url: http://"}},
		"a wrong key":           {"/v1/models", "/v1", "m1", 401, "", "OPENAI_API_KEY=x", []string{"wrong endpoint", "refuses the key in OPENAI_API_KEY | Correct the key"}},
		"a key that is missing": {"/v1/models", "/v1", "m1", 401, "", "", []string{"wrong endpoint", "wants a key, and none is set | Set OPENAI_API_KEY"}},
		"limited":               {"/v1/models", "/v1", "m1", 429, `{"error":{"message":"Rate limit reached"}}`, "", []string{"note endpoint", "reports a limit: 429 Too Many Requests; no key is sent | Wait"}},
		"a quota used up":       {"/v1/models", "/v1", "m1", 429, `{"error":{"message":"You exceeded your current quota","type":"insufficient_quota"}}`, "", []string{"wrong endpoint", "used up: 429 Too Many Requests | Raise it"}},
		"out of order":          {"/v1/models", "/v1", "m1", 503, "", "", []string{"wrong endpoint", "503"}},
	} {
		t.Run(name, func(t *testing.T) {
			s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if r.Method != http.MethodGet || r.URL.Path != c.path {
					http.NotFound(w, r)
					return
				}
				w.WriteHeader(c.status)
				fmt.Fprint(w, c.body)
			}))
			defer s.Close()
			got := seen(t, config.Backend{Type: "openai", BaseURL: s.URL + c.end, Model: c.model}, c.env)
			for _, part := range c.want {
				if !strings.Contains(got, part) {
					t.Errorf("%q is not in\n%s", part, got)
				}
			}
		})
	}
}

func TestServerThatIsNotThereIsToldInPlainWords(t *testing.T) {
	gone := httptest.NewServer(http.NotFoundHandler())
	gone.Close()
	plain := httptest.NewServer(http.NotFoundHandler())
	defer plain.Close()
	unknown := httptest.NewUnstartedServer(http.NotFoundHandler())
	unknown.Config.ErrorLog = log.New(io.Discard, "", 0)
	unknown.StartTLS()
	defer unknown.Close()
	for name, c := range map[string]struct{ address, want string }{
		"nothing there":     {gone.URL + "/v1", "does not answer: nothing listens at 127.0.0.1:"},
		"HTTP behind https": {strings.Replace(plain.URL, "http:", "https:", 1), "speaks plain HTTP | Write base_url with http://"},
		"a certificate":     {unknown.URL, "a certificate that is not trusted here"},
	} {
		if got := seen(t, config.Backend{Type: "openai", BaseURL: c.address, Model: "m"}); !strings.HasPrefix(got, "wrong endpoint "+c.address) || !strings.Contains(got, c.want) {
			t.Errorf("%s: %s", name, got)
		}
	}
}

func TestModelThatAKnownServerDoesNotListIsWrong(t *testing.T) {
	b := &app.Backends{Host: &console.Host{}, Cfg: &config.Config{}}
	for preset, want := range map[string]string{
		"groq": "wrong", "ollama": "wrong", "anthropic": "note", "zai": "note", "azure": "",
	} {
		described := config.Backend{Preset: preset, Model: "x"}
		got := modelIn(b.Server(described), []string{"a", "b"}, nil, described)
		if want == "" && len(got) > 0 || want != "" && (len(got) != 1 || got[0].Status != want) {
			t.Errorf("%s: %+v", preset, got)
		}
		if preset == "ollama" && !strings.Contains(got[0].Remedy, "ollama pull x") {
			t.Errorf("%s: %+v", preset, got)
		}
	}
	elsewhere := config.Backend{Preset: "groq", BaseURL: "http://127.0.0.1/v1", Model: "x"}
	if got := modelIn(b.Server(elsewhere), []string{"a"}, nil, elsewhere); got[0].Status != "note" {
		t.Errorf("behind another address: %+v", got)
	}
	if got := among([]string{"a1", "b1", "b2", "c1", "d1", "e1", "bb3"}, "bb4"); got != ", such as bb3, b1, b2, a1, c1 (of 7)." {
		t.Errorf("named %q", got)
	}
}
