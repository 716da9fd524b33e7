package app

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"autopilot/cmd/console"
	"autopilot/config"
	"autopilot/personas/command"
	"autopilot/personas/openai"
)

// Server is where a backend of type openai asks, and with which key.
type Server struct {
	Preset   openai.Preset
	address  string // "": OpenAI's own
	Variable string // that holds the key, or should
	Key      string
	NeedsKey bool
}

// Server finds out what the configuration of a backend leaves to its preset and to the environment.
func (b *Backends) Server(described config.Backend) Server {
	preset, _ := openai.PresetOf(cmp.Or(described.Preset, "openai"))
	s := Server{Preset: preset, address: described.BaseURL, Variable: described.APIKeyEnv}
	if s.address == "" && described.Preset != "" {
		s.address = preset.Address(b.Host.Getenv)
	}
	if s.Variable != "" {
		s.Key = b.Host.Getenv(s.Variable)
	} else {
		s.Variable, s.Key = preset.Key(b.Host.Getenv)
	}
	s.NeedsKey = preset.NeedsKey && (s.IsOwn() || preset.AddressEnd != "")
	return s
}

// At is the address that is asked; "" where nothing names it.
func (s Server) At() string { return cmp.Or(s.address, s.Preset.BaseURL) }

// IsOwn says whether that is the preset's own address, and no other server of its kind.
func (s Server) IsOwn() bool { return s.At() == s.Preset.BaseURL }

// openai makes the model of a backend of type openai. The texts are what no record may show.
func (b *Backends) openai(name string, described config.Backend) (*openai.Model, []string, error) {
	s := b.Server(described)
	lacks := func(format string, args ...any) (*openai.Model, []string, error) {
		return nil, nil, unusable("backend "+name+" "+format, args...)
	}
	switch {
	case described.Model == "":
		return lacks("has no model: name one with --model, or model in autopilot.yaml")
	case s.address == "" && s.Preset.AddressEnd != "":
		return lacks("needs an address: set %s, or base_url in its configuration", s.Preset.AddressEnv)
	case s.Key == "" && s.NeedsKey && described.Preset == "":
		return lacks("needs a key: set %s, or the address of a server that wants none", s.Variable)
	case s.Key == "" && s.NeedsKey:
		return lacks("needs a key: set %s", s.Variable)
	}
	options := b.Asking(s, described)
	options.Idle, options.Waiting, options.Guessing = b.Cfg.Timeouts.Idle, b.waiting(name), b.guessing(name)
	options.MaxWait = b.maxWait()
	model, err := openai.New(options)
	if err != nil {
		return nil, nil, console.UsageError("%v", err)
	}
	if s.Key == "" {
		return model, nil, nil
	}
	if !model.Priced() {
		b.tell("info", "backend %s: no price is known for %s, so its tokens count and its cost does not; prices in autopilot.yaml can name one.", name, described.Model)
	}
	return model, []string{s.Key}, nil
}

// Asking is how a server is asked.
func (b *Backends) Asking(s Server, described config.Backend) openai.Options {
	return openai.Options{
		BaseURL: s.address, APIKey: s.Key, Model: described.Model, Quirks: s.Preset.Quirks, Effort: described.Effort, Prices: b.prices(),
		NoStream: described.Stream != nil && !*described.Stream, Now: b.Host.Now, Sleep: b.Host.Pause,
	}
}

// prices are the configuration's own, the one of a dated version before that of its model.
func (b *Backends) prices() []openai.Price {
	var prices []openai.Price
	for _, name := range slices.Backward(slices.Sorted(maps.Keys(b.Cfg.Prices))) {
		p := b.Cfg.Prices[name]
		if p.Cached == 0 {
			p.Cached = p.Input
		}
		prices = append(prices, openai.Price{Model: name, Input: p.Input, Cached: p.Cached, Output: p.Output})
	}
	return prices
}

// isServer says whether a name that the configuration does not describe is that of a known server. The one that is the
// name of a program too is the server where its key is there.
func (b *Backends) isServer(name string) bool {
	preset, ok := openai.PresetOf(name)
	if _, program := command.PresetOf(name); ok && program {
		_, key := preset.Key(b.Host.Getenv)
		return key != ""
	}
	return ok
}

// autoServer is the first known server whose key the environment has, but OpenAI's own; "" where it has none. Whoever
// names no model cannot use it.
func (b *Backends) autoServer() (name string, usable bool) {
	for _, name := range openai.Presets() {
		preset, _ := openai.PresetOf(name)
		_, key := preset.Key(b.Host.Getenv)
		if name != "openai" && preset.NeedsKey && key != "" && preset.Address(b.Host.Getenv) != "" {
			return name, cmp.Or(b.Model, b.Cfg.Model) != ""
		}
	}
	return "", false
}

// builtIn are the names that need no description.
func builtIn() string {
	names := append(openai.Presets(), command.Presets()...)
	slices.Sort(names)
	return strings.Join(slices.Compact(names), ", ")
}
