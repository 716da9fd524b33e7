package command

import "cmp"

// Setting is a key of codex's configuration, with dots between its groups, and what JSON and TOML write alike: a text, a
// number, true or false, a list of texts.
type Setting struct {
	Key   string
	Value any
}

// CodexSettings are what codex is told in each of its forms: no updates and no statistics, an end to its tries, the model,
// and a server where one is configured. It reads the key from the variable itself.
func CodexSettings(c Call) []Setting {
	all := []Setting{
		{"check_for_update_on_startup", false},
		{"analytics.enabled", false},
		{"otel.exporter", "none"},
		{"features.unbounded_connection_retries", false},
	}
	if c.Model != "" {
		all = append(all, Setting{"model", c.Model})
	}
	if c.BaseURL == "" && c.KeyEnv == "" {
		return all
	}
	const server = "model_providers.autopilot."
	all = append(all,
		Setting{"model_provider", "autopilot"},
		Setting{server + "name", "autopilot"},
		Setting{server + "base_url", cmp.Or(c.BaseURL, "https://api.openai.com/v1")},
		Setting{server + "wire_api", "responses"},
	)
	if c.KeyEnv != "" {
		all = append(all, Setting{server + "env_key", c.KeyEnv})
	}
	return all
}

// codexFlags gives codex's flag for each setting.
func codexFlags(settings []Setting) []string {
	var flags []string
	for _, s := range settings {
		flags = append(flags, "-c", s.Key+"="+asJSON(s.Value))
	}
	return flags
}
