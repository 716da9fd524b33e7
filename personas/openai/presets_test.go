package openai

import (
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"autopilot/personas"
)

func TestPresetsAreWhole(t *testing.T) {
	for _, name := range Presets() {
		p, ok := PresetOf(name)
		if !ok || p.Name != name || len(p.KeyEnv) == 0 || p.BaseURL == "" && p.AddressEnv == "" {
			t.Errorf("%s: %+v", name, p)
		}
		u, err := url.Parse(p.BaseURL)
		local := u != nil && u.Hostname() == "127.0.0.1"
		if err != nil || strings.HasSuffix(p.BaseURL, "/") || p.NeedsKey == local || p.BaseURL != "" && !local && u.Scheme != "https" {
			t.Errorf("%s: %s, a key is needed: %v", name, p.BaseURL, p.NeedsKey)
		}
		if _, err := New(Options{Model: "m", BaseURL: p.BaseURL, Quirks: p.Quirks}); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, ok := PresetOf("nonesuch"); ok {
		t.Error("an unknown preset was found")
	}
}

func TestPresetsHaveTheAddressesAndVariablesOfTheirProviders(t *testing.T) {
	want := []struct{ name, address, variables string }{
		{"openai", "https://api.openai.com/v1", "OPENAI_API_KEY"},
		{"azure", "", "AZURE_OPENAI_API_KEY"},
		{"openrouter", "https://openrouter.ai/api/v1", "OPENROUTER_API_KEY"},
		{"anthropic", "https://api.anthropic.com/v1", "ANTHROPIC_API_KEY"},
		{"gemini", "https://generativelanguage.googleapis.com/v1beta/openai", "GEMINI_API_KEY GOOGLE_API_KEY"},
		{"deepseek", "https://api.deepseek.com/v1", "DEEPSEEK_API_KEY"},
		{"mistral", "https://api.mistral.ai/v1", "MISTRAL_API_KEY"},
		{"groq", "https://api.groq.com/openai/v1", "GROQ_API_KEY"},
		{"zai", "https://api.z.ai/api/paas/v4", "ZAI_API_KEY Z_AI_API_KEY"},
		{"zhipu", "https://open.bigmodel.cn/api/paas/v4", "ZHIPU_API_KEY ZHIPUAI_API_KEY"},
		{"ollama", "http://127.0.0.1:11434/v1", "OLLAMA_API_KEY"},
		{"lmstudio", "http://127.0.0.1:1234/v1", "LMSTUDIO_API_KEY"},
		{"vllm", "http://127.0.0.1:8000/v1", "VLLM_API_KEY"},
	}
	for i, name := range Presets() {
		p, _ := PresetOf(name)
		if w := want[i]; name != w.name || p.BaseURL != w.address || strings.Join(p.KeyEnv, " ") != w.variables {
			t.Errorf("%s: %s with %v", name, p.BaseURL, p.KeyEnv)
		}
	}
	if len(Presets()) != len(want) {
		t.Errorf("there are %v", Presets())
	}
}

func TestPresetTakesKeyAndAddressFromTheEnvironment(t *testing.T) {
	for _, c := range []struct {
		preset, env                string
		variable, key, wantAddress string
	}{
		{"zhipu", "ZHIPUAI_API_KEY=b", "ZHIPUAI_API_KEY", "b", "https://open.bigmodel.cn/api/paas/v4"},
		{"zhipu", "", "ZHIPU_API_KEY", "", "https://open.bigmodel.cn/api/paas/v4"},
		{"openai", "OPENAI_BASE_URL=http://127.0.0.1:1/v1/", "OPENAI_API_KEY", "", "http://127.0.0.1:1/v1"},
		{"azure", "AZURE_OPENAI_ENDPOINT=https://x.openai.azure.com/", "AZURE_OPENAI_API_KEY", "", "https://x.openai.azure.com/openai/v1"},
		{"azure", "AZURE_OPENAI_ENDPOINT=https://x.openai.azure.com/openai/v1", "AZURE_OPENAI_API_KEY", "", "https://x.openai.azure.com/openai/v1"},
		{"azure", "", "AZURE_OPENAI_API_KEY", "", ""},
	} {
		getenv := func(name string) string {
			value, _ := strings.CutPrefix(c.env, name+"=")
			if value == c.env {
				return ""
			}
			return value
		}
		p, _ := PresetOf(c.preset)
		variable, key := p.Key(getenv)
		if address := p.Address(getenv); variable != c.variable || key != c.key || address != c.wantAddress {
			t.Errorf("%s with %q: %s=%q at %s", c.preset, c.env, variable, key, address)
		}
	}
}

// sent is the body and the header of the one request that a model makes.
func sent(t *testing.T, o Options, tools []personas.Tool) (map[string]any, http.Header) {
	t.Helper()
	body, header := map[string]any{}, http.Header{}
	o.Transport = roundTrip(func(r *http.Request) (*http.Response, error) {
		header = r.Header.Clone()
		if err := json.NewDecoder(r.Body).Decode(&body); err != nil {
			t.Error(err)
		}
		return nil, http.ErrHandlerTimeout
	})
	o.APIKey, o.Retries = key, -1
	m, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := m.Turn(t.Context(), []personas.Message{{Role: "user", Content: "Hello"}}, tools); err == nil {
		t.Fatal("the transport's failure was lost")
	}
	return body, header
}

type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

func TestQuirksChangeTheRequest(t *testing.T) {
	tools := []personas.Tool{{Name: "x"}}
	keys := func(preset, model, effort string) (body map[string]any, sentKeys []string, header http.Header) {
		p, _ := PresetOf(preset)
		body, header = sent(t, Options{Model: model, MaxTokens: 9, Effort: effort, Quirks: p.Quirks}, tools)
		for _, k := range []string{"max_tokens", "max_completion_tokens", "stream_options", "reasoning_effort"} {
			if _, ok := body[k]; ok {
				sentKeys = append(sentKeys, k)
			}
		}
		return body, sentKeys, header
	}
	for _, c := range []struct {
		preset, model, effort string
		want                  []string
	}{
		{"openai", "gpt-5", "low", []string{"max_completion_tokens", "stream_options", "reasoning_effort"}},
		{"openai", "gpt-4o", "", []string{"max_completion_tokens", "stream_options"}},
		{"openai", "gpt-6-sol", "", []string{"max_completion_tokens", "stream_options", "reasoning_effort"}},
		{"mistral", "devstral", "", []string{"max_tokens"}},
		{"deepseek", "deepseek-chat", "", []string{"max_tokens", "stream_options"}},
		{"ollama", "gpt-5-copy", "", []string{"max_completion_tokens", "stream_options"}},
	} {
		body, got, header := keys(c.preset, c.model, c.effort)
		if !slices.Equal(got, c.want) || c.effort != "" && body["reasoning_effort"] != c.effort {
			t.Errorf("%s, %s: sends %v, want %v", c.preset, c.model, got, c.want)
		}
		if header.Get("Authorization") != "Bearer "+key {
			t.Errorf("%s: the key is not sent", c.preset)
		}
	}
	if body, _, _ := keys("openai", "gpt-6-sol", ""); body["reasoning_effort"] != "none" {
		t.Errorf("a model that takes tools only without reasoning was sent %v", body["reasoning_effort"])
	}
	_, _, header := keys("azure", "m", "")
	if header.Get("Api-Key") != key || header.Get("Authorization") != "" {
		t.Errorf("azure got %v", header)
	}
}
