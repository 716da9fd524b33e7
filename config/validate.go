package config

import (
	"fmt"
	"slices"
	"strings"
)

// builtin are the names that backend may refer to without an entry under
// backends.
var builtin = []string{"auto", "openai", "replay"}

// uses tells which types of backend use a key that not all of them do.
var uses = map[string][]string{
	"file":        {"replay"},
	"stream":      {"openai"},
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
	v := validator{cfg: cfg, won: won}
	for _, name := range sortedNames(cfg.Backends) {
		v.backend(name, cfg.Backends[name])
	}
	v.reference(cfg.Backend, "backend")
	for _, name := range sortedNames(cfg.Personas) {
		v.reference(cfg.Personas[name].Backend, "personas", name, "backend")
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
	if b.Type == "" {
		v.accuse(&Error{Problem: "has no type", Hint: "add type: with one of " + backendTypes()}, origin, key)
		return
	}
	for _, field := range sortedNames(uses) {
		if s, set := v.won[id("backends", name, field)]; set && !slices.Contains(uses[field], b.Type) {
			hint := "it belongs to type " + strings.Join(uses[field], " or ")
			v.accuse(&Error{Problem: "means nothing to a backend of type " + b.Type, Hint: hint}, s.origin, s.key())
		}
	}
	if needs := wants[b.Type]; needs != nil && !v.has(name, needs) {
		v.accuse(&Error{Problem: "does not say what to run", Hint: "add " + strings.Join(needs, " or ")}, origin, key)
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
	if _, ours := v.cfg.Backends[name]; ours || name == "" || slices.Contains(builtin, name) {
		return
	}
	known := append(slices.Clone(builtin), sortedNames(v.cfg.Backends)...)
	hint := "describe it under backends, or use one of " + strings.Join(known, ", ")
	if near := nearest(name, known); near != "" {
		hint = didYouMean(near)
	}
	s := v.won[id(path...)]
	v.accuse(&Error{Problem: fmt.Sprintf("names the backend %q, which does not exist", clip(name)), Hint: hint}, s.origin, s.key())
}

func backendTypes() string {
	words := schema.child("backends").elem.child("type").allow
	return strings.ReplaceAll(words, "|", ", ")
}
