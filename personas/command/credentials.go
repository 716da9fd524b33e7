package command

import (
	"os"
	"slices"
	"strings"
	"unicode"

	"autopilot/personas"
)

// needs are the variables with secrets, besides a preset's credentials, that a program is meant to have.
type needs struct {
	begin    []string            // names that begin so are the program's own
	any      []string            // names that begin so are those of clouds that it knows, unless one key is configured
	end      []string            // names that end so are providers' keys, of which it knows many, unless one is configured
	with     map[string][]string // those of a cloud, where a variable says that the program is to use it
	settings []place             // a name that stands in here was named to the program by the user
}

var (
	amazon = []string{"AWS_"}
	google = []string{"GOOGLE_"}
)

// need is by the presets' names.
var need = map[string]needs{
	"claude": {
		begin:    []string{"ANTHROPIC_", "CLAUDE_", "MAX_THINKING_TOKENS", "MAX_MCP_OUTPUT_TOKENS"},
		with:     map[string][]string{"CLAUDE_CODE_USE_BEDROCK": amazon, "CLAUDE_CODE_USE_VERTEX": google, "CLAUDE_CODE_USE_FOUNDRY": {"AZURE_"}},
		settings: []place{{"CLAUDE_CONFIG_DIR", ".claude", "settings.json", ""}, {"", "", ".claude.json", ""}},
	},
	"codex":    {begin: []string{"CODEX_", "OPENAI_"}, settings: []place{{"CODEX_HOME", ".codex", "config.toml", ""}}},
	"opencode": {begin: []string{"OPENCODE_"}, any: []string{"AWS_", "GOOGLE_"}, end: []string{"_API_KEY", "_API_TOKEN"}, settings: []place{{"XDG_CONFIG_HOME", ".config", "opencode/opencode.json", ""}}},
	"gemini":   {begin: []string{"GEMINI_", "GOOGLE_"}, settings: []place{{"GEMINI_CLI_HOME", "", ".gemini/settings.json", ""}}},
	"qwen":     {begin: []string{"QWEN_", "OPENAI_"}, any: []string{"DASHSCOPE_"}, settings: []place{{"", ".qwen", "settings.json", ""}}},
}

// withheld says whether a variable holds a secret that a program is not meant to
// have: none of its own, and named neither to autopilot nor to the program.
func (b *Backend) withheld(name, value string) bool {
	if b.o.Preset == nil || !personas.IsSecret(name, value) || name == b.o.KeyEnv || slices.Contains(b.o.PassEnv, name) || slices.Contains(b.o.Preset.credentials, name) {
		return false
	}
	n := need[b.o.Preset.Name]
	anyKey := slices.ContainsFunc(n.end, func(s string) bool { return strings.HasSuffix(name, s) })
	begin := slices.Clone(n.begin)
	switch {
	case b.o.KeyEnv == "":
		begin = append(begin, n.any...)
	case anyKey:
		anyKey, begin = false, nil
	}
	for wish, more := range n.with {
		if valueOf(b.o.Environ, wish) != "" {
			begin = append(begin, more...)
		}
	}
	return !slices.ContainsFunc(begin, func(s string) bool { return strings.HasPrefix(name, s) }) &&
		!anyKey &&
		!slices.ContainsFunc(n.settings, func(p place) bool { return p.names(b.o.Environ, name) })
}

// names says whether a file holds a name, and not only a longer one with it inside.
func (p place) names(env []string, name string) bool {
	text, err := os.ReadFile(p.path(env))
	if err != nil {
		return false
	}
	words := strings.FieldsFunc(string(text), func(r rune) bool { return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	return slices.Contains(words, name)
}
