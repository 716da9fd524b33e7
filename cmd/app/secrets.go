package app

import (
	"io"
	"slices"
	"strings"

	"autopilot/cmd/console"
	"autopilot/config"
	"autopilot/personas"
)

// MaskOf takes the secrets of the environment out of texts, and what the configuration names as one. Cfg may be nil.
func MaskOf(h *console.Host, cfg *config.Config) *personas.Mask {
	var named []string
	if cfg != nil {
		for _, b := range cfg.Backends {
			named = append(append(named, b.APIKeyEnv), b.PassEnv...)
		}
		for _, s := range cfg.MCP.Servers {
			named = append(named, s.Env...)
		}
		named = append(named, noticeVariables(cfg)...)
	}
	var values []string
	for _, kv := range h.Environ {
		if name, value, _ := strings.Cut(kv, "="); slices.Contains(named, name) {
			values = append(values, value)
		}
	}
	return personas.NewMask(h.Environ, values...)
}

// noticeVariables are those that hold addresses and secrets of notices.
func noticeVariables(cfg *config.Config) (names []string) {
	for _, w := range cfg.Notify.Webhooks {
		names = append(names, w.URLEnv, w.SecretEnv)
	}
	return names
}

// AgentsEnviron is the environment that agents, and the checks of what they wrote, get: the user's without the variables of notices.
func AgentsEnviron(h *console.Host, cfg *config.Config) []string {
	withheld := noticeVariables(cfg)
	return slices.DeleteFunc(slices.Clone(h.Environ), func(kv string) bool {
		name, _, _ := strings.Cut(kv, "=")
		return name != "" && slices.Contains(withheld, name)
	})
}

// Masking is a mask as those take it who write output down as it comes.
func Masking(m *personas.Mask) func(io.Writer) io.WriteCloser {
	return func(to io.Writer) io.WriteCloser { return m.Writer(to) }
}
