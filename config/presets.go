package config

import (
	"fmt"
	"slices"
	"strings"
)

// presets are the known servers and agent programs, with the types of backend
// that know them. The packages of those types hold what stands behind a name.
var presets = map[string][]string{
	"openai": {"openai"}, "azure": {"openai"}, "openrouter": {"openai"}, "anthropic": {"openai"}, "deepseek": {"openai"},
	"mistral": {"openai"}, "groq": {"openai"}, "ollama": {"openai"}, "lmstudio": {"openai"}, "vllm": {"openai"},
	"zhipu": {"openai"}, "zai": {"openai"},
	"gemini": {"openai", "command"},
	"claude": {"command"}, "codex": {"command"}, "opencode": {"command"}, "qwen": {"command"},
}

// Presets are the names that preset may have for a type of backend, sorted.
func Presets(backendType string) []string {
	return slices.DeleteFunc(sortedNames(presets), func(name string) bool { return !knows(backendType, name) })
}

// knows says whether a type of backend knows a preset. Type acp has the programs
// of type command, in the form that speaks its protocol, and has to be named: it
// is none of the types that a preset leads to by itself.
func knows(backendType, preset string) bool {
	if backendType == "acp" {
		backendType = "command"
	}
	return slices.Contains(presets[preset], backendType)
}

// fillTypes gives backends whose preset leaves no choice its type.
func fillTypes(cfg *Config) {
	for name, b := range cfg.Backends {
		if types := presets[b.Preset]; b.Type == "" && len(types) == 1 {
			b.Type = types[0]
			cfg.Backends[name] = b
		}
	}
}

// preset refuses one that its type does not know.
func (v *validator) preset(name string, b Backend) {
	s, set := v.won[id("backends", name, "preset")]
	if !set || b.Type != "" && knows(b.Type, b.Preset) {
		return
	}
	known := Presets(b.Type)
	switch {
	case b.Type == "":
		known = sortedNames(presets)
	case len(known) == 0:
		return // a type that uses no preset at all is told so
	}
	e := &Error{Problem: fmt.Sprintf("is %q, which is not known", clip(b.Preset)), Hint: "use one of " + strings.Join(known, ", ")}
	switch types := presets[b.Preset]; {
	case b.Type != "" && len(types) > 0:
		e = &Error{Problem: fmt.Sprintf("is %q, which a backend of type %s does not know", b.Preset, b.Type), Hint: "it belongs to type " + strings.Join(types, " or ")}
	case len(types) > 1:
		e = &Error{Problem: fmt.Sprintf("is %q, which is the name of a server and of a program", b.Preset), Hint: "add type: openai for the server, type: command for the program"}
	default:
		if near := Nearest(b.Preset, known); near != "" {
			e.Hint = didYouMean(near) + " There are " + strings.Join(known, ", ")
		}
	}
	v.accuse(e, s.origin, s.key())
}
