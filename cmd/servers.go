package cmd

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"autopilot/autopilot"
	"autopilot/cmd/console"
	"autopilot/config"
	"autopilot/personas/agent"
	"autopilot/personas/command"
	"autopilot/personas/openai"
)

// server is where a backend of type openai asks, and with which key.
type server struct {
	preset   openai.Preset
	address  string // "": OpenAI's own
	variable string // that holds the key, or should
	key      string
	needsKey bool
}

// server finds out what the configuration of a backend leaves to its preset and to the environment.
func (b *backends) server(described config.Backend) server {
	preset, _ := openai.PresetOf(cmp.Or(described.Preset, "openai"))
	s := server{preset: preset, address: described.BaseURL, variable: described.APIKeyEnv}
	if s.address == "" && described.Preset != "" {
		s.address = preset.Address(b.host.Getenv)
	}
	if s.variable != "" {
		s.key = b.host.Getenv(s.variable)
	} else {
		s.variable, s.key = preset.Key(b.host.Getenv)
	}
	s.needsKey = preset.NeedsKey && (s.isOwn() || preset.AddressEnd != "")
	return s
}

// at is the address that is asked; "" where nothing names it.
func (s server) at() string { return cmp.Or(s.address, s.preset.BaseURL) }

// isOwn says whether that is the preset's own address, and no other server of its kind.
func (s server) isOwn() bool { return s.at() == s.preset.BaseURL }

// openai makes the model of a backend of type openai. The texts are what no record may show.
func (b *backends) openai(name string, described config.Backend) (agent.Model, []string, error) {
	s := b.server(described)
	lacks := func(format string, args ...any) (agent.Model, []string, error) {
		return nil, nil, &autopilot.NoBackendError{Named: true, Reason: fmt.Sprintf("backend "+name+" "+format, args...)}
	}
	switch {
	case described.Model == "":
		return lacks("has no model: name one with --model, or model in autopilot.yaml")
	case s.address == "" && s.preset.AddressEnd != "":
		return lacks("needs an address: set %s, or base_url in its configuration", s.preset.AddressEnv)
	case s.key == "" && s.needsKey && described.Preset == "":
		return lacks("needs a key: set %s, or the address of a server that wants none", s.variable)
	case s.key == "" && s.needsKey:
		return lacks("needs a key: set %s", s.variable)
	}
	options := b.asking(s, described)
	options.Idle, options.Waiting, options.Guessing = b.cfg.Timeouts.Idle, b.waiting(name), b.guessing(name)
	options.MaxWait = b.maxWait()
	model, err := openai.New(options)
	if err != nil {
		return nil, nil, console.UsageError("%v", err)
	}
	if s.key == "" {
		return model, nil, nil
	}
	if b.report != nil && !model.Priced() {
		b.report.Report(autopilot.Note{Event: "info", Text: fmt.Sprintf("backend %s: no price is known for %s, so its tokens count and its cost does not; prices in autopilot.yaml can name one.", name, described.Model)})
	}
	return model, []string{s.key}, nil
}

// asking is how a server is asked.
func (b *backends) asking(s server, described config.Backend) openai.Options {
	return openai.Options{
		BaseURL: s.address, APIKey: s.key, Model: described.Model, Quirks: s.preset.Quirks, Effort: described.Effort, Prices: b.prices(),
		NoStream: described.Stream != nil && !*described.Stream, Now: b.host.Now, Sleep: b.host.Pause,
	}
}

// prices are the configuration's own, the one of a dated version before that of its model.
func (b *backends) prices() []openai.Price {
	var prices []openai.Price
	for _, name := range slices.Backward(slices.Sorted(maps.Keys(b.cfg.Prices))) {
		p := b.cfg.Prices[name]
		if p.Cached == 0 {
			p.Cached = p.Input
		}
		prices = append(prices, openai.Price{Model: name, Input: p.Input, Cached: p.Cached, Output: p.Output})
	}
	return prices
}

// isServer says whether a name that the configuration does not describe is that of a known server. The one that is the
// name of a program too is the server where its key is there.
func (b *backends) isServer(name string) bool {
	preset, ok := openai.PresetOf(name)
	if _, program := command.PresetOf(name); ok && program {
		_, key := preset.Key(b.host.Getenv)
		return key != ""
	}
	return ok
}

// autoServer is the first known server whose key the environment has, but OpenAI's own; "" where it has none. Whoever
// names no model cannot use it.
func (b *backends) autoServer() (name string, usable bool) {
	for _, name := range openai.Presets() {
		preset, _ := openai.PresetOf(name)
		_, key := preset.Key(b.host.Getenv)
		if name != "openai" && preset.NeedsKey && key != "" && preset.Address(b.host.Getenv) != "" {
			return name, cmp.Or(b.model, b.cfg.Model) != ""
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
