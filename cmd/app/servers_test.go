package app

import (
	"slices"
	"strings"
	"testing"
	"time"

	"autopilot/autopilot/journal"
	"autopilot/cmd/console"
	"autopilot/config"
	"autopilot/personas"
	"autopilot/personas/acp"
	"autopilot/personas/command"
	"autopilot/personas/openai"
)

// choose picks the executor's backend where nothing but these variables is set, and says what was told.
func choose(t *testing.T, b Backends, variables ...string) (name string, told []string, err error) {
	t.Helper()
	b.Host = &console.Host{Environ: append([]string{"PATH="}, variables...), Now: time.Now}
	b.Root = t.TempDir()
	b.Report = reportFunc(func(n journal.Note) { told = append(told, n.Text) })
	if b.Cfg == nil {
		b.Cfg = &config.Config{Backend: "auto"}
	}
	_, name, err = b.For(personas.Persona{Name: personas.Executor})
	return name, told, err
}

type reportFunc func(journal.Note)

func (f reportFunc) Report(n journal.Note) { f(n) }

func TestKnownServerNeedsNoConfiguration(t *testing.T) {
	for _, c := range []struct {
		backend, model string
		env            []string
		want           string // the backend's name, or a part of the error
	}{
		{"groq", "m", []string{"GROQ_API_KEY=x"}, "groq"},
		{"groq", "m", nil, "backend groq needs a key: set GROQ_API_KEY"},
		{"groq", "", []string{"GROQ_API_KEY=x"}, "backend groq has no model"},
		{"groq", "", []string{"GROQ_API_KEY=x", "OPENAI_MODEL=gpt-4o"}, "backend groq has no model"},
		{"zai", "m", []string{"Z_AI_API_KEY=x"}, "zai"},
		{"ollama", "m", nil, "ollama"},
		{"gemini", "m", []string{"GEMINI_API_KEY=x"}, "gemini"},
		{"azure", "m", []string{"AZURE_OPENAI_API_KEY=x"}, "backend azure needs an address: set AZURE_OPENAI_ENDPOINT"},
		{"azure", "m", []string{"AZURE_OPENAI_API_KEY=x", "AZURE_OPENAI_ENDPOINT=https://x.openai.azure.com"}, "azure"},
		{"azure", "m", []string{"AZURE_OPENAI_ENDPOINT=https://x.openai.azure.com"}, "needs a key: set AZURE_OPENAI_API_KEY"},
		{"openai", "m", []string{"OPENAI_API_KEY=x"}, "openai"},
		{"openai", "m", nil, "needs a key: set OPENAI_API_KEY, or the address"},
		{"nonesuch", "m", nil, "anthropic, azure, claude, codex, deepseek, gemini, groq, lmstudio, mistral, ollama, openai, opencode, openrouter, qwen, vllm, zai, zhipu (built in)"},
		{"auto", "m", []string{"GROQ_API_KEY=x"}, "groq"},
		{"auto", "m", []string{"GROQ_API_KEY=x", "OPENROUTER_API_KEY=y"}, "openrouter"},
		{"auto", "m", []string{"GROQ_API_KEY=x", "OPENAI_API_KEY=y"}, "openai"},
		{"auto", "", []string{"GROQ_API_KEY=x"}, "backend groq has no model"},
		{"auto", "m", []string{"AZURE_OPENAI_API_KEY=x"}, "no backend is configured"},
		{"auto", "m", nil, "no backend is configured"},
	} {
		name, _, err := choose(t, Backends{Name: c.backend, Model: c.model}, c.env...)
		if err != nil {
			name = err.Error()
		}
		if err == nil && name != c.want || !strings.Contains(name, c.want) {
			t.Errorf("%s with %v: %s, want %s", c.backend, c.env, name, c.want)
		}
	}
}

func TestConfigurationWinsOverThePreset(t *testing.T) {
	b := Backends{Host: &console.Host{Environ: []string{"GROQ_API_KEY=g", "MY_KEY=m", "OPENAI_BASE_URL=http://127.0.0.1:9/v1"}}, Cfg: &config.Config{}}
	for _, c := range []struct {
		described     config.Backend
		address, key  string
		needsKey      bool
		quirksExpects bool
	}{
		{config.Backend{Preset: "groq"}, "https://api.groq.com/openai/v1", "g", true, false},
		{config.Backend{Preset: "groq", APIKeyEnv: "MY_KEY"}, "https://api.groq.com/openai/v1", "m", true, false},
		{config.Backend{Preset: "groq", BaseURL: "http://127.0.0.1:1/v1"}, "http://127.0.0.1:1/v1", "g", false, false},
		{config.Backend{Preset: "mistral"}, "https://api.mistral.ai/v1", "", true, true},
		{config.Backend{Preset: "openai"}, "http://127.0.0.1:9/v1", "", false, false},
		{config.Backend{}, "", "", true, false},
	} {
		s := b.Server(c.described)
		if s.address != c.address || s.Key != c.key || s.NeedsKey != c.needsKey || s.Preset.Quirks.NoStreamOptions != c.quirksExpects {
			t.Errorf("%+v: %+v", c.described, s)
		}
	}
}

func TestUnknownPriceIsSaidOnce(t *testing.T) {
	priced := &config.Config{Backend: "auto", Prices: map[string]config.Price{"m": {Input: 1, Output: 2}}}
	for _, c := range []struct {
		b    Backends
		want int
	}{
		{Backends{Name: "groq", Model: "m"}, 1},
		{Backends{Name: "groq", Model: "m", Cfg: priced}, 0},
		{Backends{Name: "openai", Model: "gpt-4o"}, 0},
		{Backends{Name: "ollama", Model: "m"}, 0},
	} {
		_, told, err := choose(t, c.b, "GROQ_API_KEY=x", "OPENAI_API_KEY=y")
		if err != nil || len(told) != c.want {
			t.Errorf("%s, %s: %q, %v", c.b.Name, c.b.Model, told, err)
		}
	}
}

func TestConfigurationKnowsThePresetsThatThereAre(t *testing.T) {
	speakACP := slices.DeleteFunc(slices.Clone(command.Presets()), func(name string) bool { _, does := acp.PresetOf(name); return !does })
	for backendType, there := range map[string][]string{"openai": openai.Presets(), "command": command.Presets(), "acp": speakACP} {
		if known := config.Presets(backendType); !slices.Equal(known, slices.Sorted(slices.Values(there))) {
			t.Errorf("type %s: the configuration knows %v, there are %v", backendType, known, there)
		}
	}
}
