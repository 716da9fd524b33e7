package config

import (
	"fmt"
	"slices"
	"strings"
)

// builtin are the names that backend may refer to without an entry under
// backends, besides those of presets.
var builtin = []string{"auto", "replay"}

// uses tells which types of backend use a key that not all of them do.
var uses = map[string][]string{
	"preset":      {"openai", "command", "acp"},
	"base_url":    {"openai", "command", "acp"},
	"api_key_env": {"openai", "command", "acp"},
	"window":      {"openai", "replay"},
	"env":         {"command", "acp"},
	"file":        {"replay"},
	"stream":      {"openai"},
	"effort":      {"openai"},
	"tools":       {"openai"},
	"agent":       {"command"},
	"pass_env":    {"openai", "replay", "command", "acp"},
	"sandbox":     {"openai", "replay"},
	"network":     {"openai", "replay"},
	"command":     {"command", "acp"},
	"interactive": {"command", "acp"},
}

// wants tells of which keys a type needs at least one.
var wants = map[string][]string{
	"command": {"command", "preset"},
	"acp":     {"command", "preset"},
}

// validate holds against each other what no single value shows: names that
// refer to something, and keys that need or exclude one another.
func validate(cfg *Config, won map[string]setting) []error {
	fillTypes(cfg)
	v := validator{cfg: cfg, won: won}
	for _, name := range sortedNames(cfg.Backends) {
		v.backend(name, cfg.Backends[name])
	}
	v.servers()
	v.reference(cfg.Backend, "backend")
	for _, name := range sortedNames(cfg.Personas) {
		v.reference(cfg.Personas[name].Backend, "personas", name, "backend")
		for _, other := range cfg.Personas[name].Fallback {
			v.reference(other, "personas", name, "fallback")
		}
	}
	return v.problems
}

type validator struct {
	layer
	cfg *Config
	won map[string]setting
}

func (v *validator) backend(name string, b Backend) {
	key, origin := "backends."+name, v.first("backends", name)
	if name == "auto" {
		v.accuse(&Error{Problem: "is a name with a meaning of its own", Hint: "give the backend another one"}, origin, key)
	}
	v.preset(name, b)
	if b.Type == "" && b.Preset != "" {
		return
	}
	if b.Type == "" {
		v.accuse(&Error{Problem: "has no type", Hint: "add type: with one of " + backendTypes() + ", or preset: with the name of a known server or program"}, origin, key)
		return
	}
	v.useless(name, b.Type)
	if needs := wants[b.Type]; needs != nil && !v.has(name, needs) {
		v.accuse(&Error{Problem: "does not say what to run", Hint: "add " + strings.Join(needs, " or ")}, origin, key)
	}
}

// useless refuses the keys of a backend that its type does not use.
func (v *validator) useless(backend, backendType string) {
	for _, i := range sortedNames(v.won) {
		s := v.won[i]
		if !strings.HasPrefix(i, id("backends", backend)+delimiter) {
			continue
		}
		if types := uses[s.path[2]]; types != nil && !slices.Contains(types, backendType) {
			v.accuse(&Error{Problem: "means nothing to a backend of type " + backendType, Hint: "it belongs to type " + strings.Join(types, " or ")}, s.origin, s.key())
		}
	}
}

// servers refuses an MCP server that cannot be started.
func (v *validator) servers() {
	for _, name := range sortedNames(v.cfg.MCP.Servers) {
		if _, set := v.won[id("mcp", "servers", name, "command")]; !set {
			v.accuse(&Error{Problem: "does not say what to run", Hint: "add command: [PROGRAM, ARGUMENT…]"}, v.first("mcp", "servers", name), "mcp.servers."+name)
		}
	}
}

func (v *validator) has(backend string, fields []string) bool {
	return slices.ContainsFunc(fields, func(f string) bool {
		_, set := v.won[id("backends", backend, f)]
		return set
	})
}

// first gives the place of a group: that of its first key.
func (v *validator) first(path ...string) Origin {
	var origins []Origin
	for _, i := range sortedNames(v.won) {
		if strings.HasPrefix(i, id(path...)+delimiter) {
			origins = append(origins, v.won[i].origin)
		}
	}
	return slices.MinFunc(origins, func(a, b Origin) int { return a.Line - b.Line })
}

// reference refuses a name of a backend that does not exist.
func (v *validator) reference(name string, path ...string) {
	if _, ours := v.cfg.Backends[name]; ours || name == "" || slices.Contains(builtin, name) || len(presets[name]) > 0 {
		return
	}
	known := slices.Compact(slices.Sorted(slices.Values(slices.Concat(builtin, sortedNames(presets), sortedNames(v.cfg.Backends)))))
	hint := "describe it under backends, or use one of " + strings.Join(known, ", ")
	if near := Nearest(name, known); near != "" {
		hint = didYouMean(near)
	}
	s := v.won[id(path...)]
	v.accuse(&Error{Problem: fmt.Sprintf("names the backend %q, which does not exist", clip(name)), Hint: hint}, s.origin, s.key())
}

func backendTypes() string {
	words := schema().child("backends").elem.child("type").allow
	return strings.ReplaceAll(words, "|", ", ")
}
