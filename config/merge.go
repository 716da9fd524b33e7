package config

import (
	"fmt"
	"strings"
	"unicode"

	"github.com/go-viper/mapstructure/v2"
	"github.com/spf13/viper"
)

// delimiter separates the names of a key inside viper. A name of the user's
// may hold a dot, so that viper's own delimiter would tear it apart.
const delimiter = "/"

// merge lays the layers over each other, lowest first, and fills the struct.
// It also returns, by id, the settings that won.
func merge(layers []layer) (*Config, map[string]setting, error) {
	v := viper.NewWithOptions(viper.KeyDelimiter(delimiter))
	won := map[string]setting{}
	for _, l := range layers {
		for _, s := range l.settings {
			v.Set(fold(s.id()), s.value)
			won[s.id()] = s
		}
	}
	cfg := &Config{}
	if err := v.UnmarshalExact(cfg, strictly); err != nil {
		return nil, nil, fmt.Errorf("putting the configuration together: %w", err)
	}
	cfg.Personas, cfg.Backends, cfg.Prices = unfolded(cfg.Personas), unfolded(cfg.Backends), unfolded(cfg.Prices)
	cfg.MCP.Servers = unfolded(cfg.MCP.Servers)
	for name, b := range cfg.Backends {
		b.Env = unfolded(b.Env)
		cfg.Backends[name] = b
	}
	return cfg, won, nil
}

// strictly keeps viper from guessing: the values already have their types.
func strictly(c *mapstructure.DecoderConfig) {
	c.TagName = "key"
	c.WeaklyTypedInput = false
	c.DecodeHook = nil
}

// fold writes a name in lower case so that its own case can be brought back:
// viper forgets case, and names of backends and variables have one. The mark
// cannot occur in a name.
func fold(name string) string {
	var b strings.Builder
	for _, r := range name {
		if unicode.IsUpper(r) {
			b.WriteByte('^')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}

func unfold(name string) string {
	parts := strings.Split(name, "^")
	for i, p := range parts[1:] {
		parts[i+1] = strings.ToUpper(p[:1]) + p[1:]
	}
	return strings.Join(parts, "")
}

func unfolded[V any](m map[string]V) map[string]V {
	out := make(map[string]V, len(m))
	for name, v := range m {
		out[unfold(name)] = v
	}
	return out
}
