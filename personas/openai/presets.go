package openai

import (
	"slices"
	"strings"
)

// Preset is a known server. Its model is the user's choice: providers retire
// names from one quarter to the next.
type Preset struct {
	Name       string
	BaseURL    string   // "": it has none of its own, and AddressEnv or the user names it
	AddressEnv string   // a variable that may name another address
	AddressEnd string   // what the address in AddressEnv lacks
	KeyEnv     []string // variables that may hold the key; the first one that is set is taken
	NeedsKey   bool
	Exact      bool   // its list of models has every name that it takes
	Start      string // the command that starts it on this machine; "": it runs elsewhere
	Quirks     Quirks
}

// Quirks are in what a server differs from OpenAI's own.
type Quirks struct {
	NoStreamOptions bool   // it refuses stream_options, and gives the usage without
	MaxTokens       bool   // it knows max_tokens, and not max_completion_tokens
	KeyHeader       string // that takes the bare key; "": Authorization, with Bearer
	KeyPath         string // where it says whether a key is good, since it lists its models to anybody
	ListVersion     string // of Anthropic's own API, in which its models are listed
	WindowPath      string // of windowPlaces, where it says how long a conversation may be; "": its own address does not say
}

// presets are in the order in which auto looks for their keys. Their addresses
// and variables are those of the providers' own documentation.
var presets = []Preset{
	{Name: "openai", BaseURL: "https://api.openai.com/v1", AddressEnv: "OPENAI_BASE_URL", KeyEnv: []string{"OPENAI_API_KEY"}, NeedsKey: true, Exact: true},
	{Name: "azure", AddressEnv: "AZURE_OPENAI_ENDPOINT", AddressEnd: "/openai/v1", KeyEnv: []string{"AZURE_OPENAI_API_KEY"}, NeedsKey: true, Quirks: Quirks{KeyHeader: "api-key"}},
	{Name: "openrouter", BaseURL: "https://openrouter.ai/api/v1", KeyEnv: []string{"OPENROUTER_API_KEY"}, NeedsKey: true, Exact: true, Quirks: Quirks{KeyPath: "/key", WindowPath: "/models"}},
	{Name: "anthropic", BaseURL: "https://api.anthropic.com/v1", KeyEnv: []string{"ANTHROPIC_API_KEY"}, NeedsKey: true, Quirks: Quirks{ListVersion: "2023-06-01"}},
	{Name: "gemini", BaseURL: "https://generativelanguage.googleapis.com/v1beta/openai", KeyEnv: []string{"GEMINI_API_KEY", "GOOGLE_API_KEY"}, NeedsKey: true, Exact: true},
	{Name: "deepseek", BaseURL: "https://api.deepseek.com/v1", KeyEnv: []string{"DEEPSEEK_API_KEY"}, NeedsKey: true, Exact: true, Quirks: Quirks{MaxTokens: true}},
	{Name: "mistral", BaseURL: "https://api.mistral.ai/v1", KeyEnv: []string{"MISTRAL_API_KEY"}, NeedsKey: true, Exact: true, Quirks: Quirks{NoStreamOptions: true, MaxTokens: true, WindowPath: "/models"}},
	{Name: "groq", BaseURL: "https://api.groq.com/openai/v1", KeyEnv: []string{"GROQ_API_KEY"}, NeedsKey: true, Exact: true, Quirks: Quirks{WindowPath: "/models"}},
	{Name: "zai", BaseURL: "https://api.z.ai/api/paas/v4", KeyEnv: []string{"ZAI_API_KEY", "Z_AI_API_KEY"}, NeedsKey: true, Quirks: Quirks{MaxTokens: true}},
	{Name: "zhipu", BaseURL: "https://open.bigmodel.cn/api/paas/v4", KeyEnv: []string{"ZHIPU_API_KEY", "ZHIPUAI_API_KEY"}, NeedsKey: true, Quirks: Quirks{MaxTokens: true}},
	{Name: "ollama", BaseURL: "http://127.0.0.1:11434/v1", KeyEnv: []string{"OLLAMA_API_KEY"}, Exact: true, Start: "ollama serve", Quirks: Quirks{MaxTokens: true, WindowPath: "/api/ps"}},
	{Name: "lmstudio", BaseURL: "http://127.0.0.1:1234/v1", KeyEnv: []string{"LMSTUDIO_API_KEY"}, Exact: true, Start: "lms server start", Quirks: Quirks{MaxTokens: true, WindowPath: "/api/v0/models"}},
	{Name: "vllm", BaseURL: "http://127.0.0.1:8000/v1", KeyEnv: []string{"VLLM_API_KEY"}, Exact: true, Start: "vllm serve MODEL", Quirks: Quirks{WindowPath: "/models"}},
}

// Presets names the known servers, in the order in which auto looks for them.
func Presets() []string {
	var names []string
	for _, p := range presets {
		names = append(names, p.Name)
	}
	return names
}

// PresetOf finds a preset by its name.
func PresetOf(name string) (Preset, bool) {
	at := slices.IndexFunc(presets, func(p Preset) bool { return p.Name == name })
	if at < 0 {
		return Preset{}, false
	}
	return presets[at], true
}

// Key finds the variable that holds the server's key, and the key; where none
// is set, the variable to name to people and "".
func (p Preset) Key(getenv func(string) string) (variable, key string) {
	for _, variable := range p.KeyEnv {
		if key := getenv(variable); key != "" {
			return variable, key
		}
	}
	return p.KeyEnv[0], ""
}

// Address is where the server is; "" where nothing names it.
func (p Preset) Address(getenv func(string) string) string {
	named := ""
	if p.AddressEnv != "" {
		named = strings.TrimRight(getenv(p.AddressEnv), "/")
	}
	if named == "" {
		return p.BaseURL
	}
	return strings.TrimSuffix(named, p.AddressEnd) + p.AddressEnd
}
