package acp

import (
	"encoding/json"
	"strings"

	"autopilot/personas"
	"autopilot/personas/command"
)

// forms are how the known programs are had to speak the protocol. Those of two
// are programs of their own. What they were tried with is in Version.
//
// claude asks its server ten times, also with a key that is refused, and the
// protocol does not show it: fewer have to do.
//
// opencode allows itself all unless it is told to ask, and ends its turn when the
// answer is no: what a persona may never do is denied without a question.
var forms = map[string]command.Form{
	"claude": {
		Program: "claude-agent-acp", Version: "0.100.0",
		Arguments: func(command.Call) []string { return nil },
		Environment: func(c command.Call) map[string]string {
			return map[string]string{"ANTHROPIC_MODEL": c.Model, "CLAUDE_CODE_MAX_RETRIES": "4"}
		},
	},
	"codex": {
		Program: "codex-acp", Version: "2.6.0", Confined: true,
		Arguments:   func(command.Call) []string { return nil },
		Environment: codexEnvironment,
	},
	"opencode": {
		Program: "opencode", Version: "1.18.33",
		Arguments: func(command.Call) []string { return []string{"acp"} },
		Environment: func(c command.Call) map[string]string {
			edit, run := "deny", "deny"
			if c.Persona.Allows(personas.MayWrite) || c.Persona.Allows(personas.MayPlan) {
				edit = "ask"
			}
			if c.Persona.Allows(personas.MayRun) {
				run = "ask"
			}
			return map[string]string{"OPENCODE_PERMISSION": `{"edit":"` + edit + `","bash":"` + run + `","webfetch":"` + run + `","external_directory":"allow"}`}
		},
	},
	"gemini": {
		Program: "gemini", Version: "0.61.0",
		Arguments: func(c command.Call) []string {
			return append([]string{"--acp", "--skip-trust"}, command.Flag("--model", c.Model)...)
		},
	},
	"qwen": {
		Program: "qwen", Version: "0.24.4",
		Arguments: func(c command.Call) []string {
			auth := ""
			if c.BaseURL != "" || c.KeyEnv != "" {
				auth = "openai"
			}
			return append(append([]string{"--acp"}, command.Flag("--auth-type", auth)...), command.Flag("--model", c.Model)...)
		},
	},
}

// PresetOf finds a known program by its name, in the form that speaks the
// protocol.
func PresetOf(name string) (command.Preset, bool) {
	form, ok := forms[name]
	preset, known := command.PresetOf(name)
	if !ok || !known {
		return command.Preset{}, false
	}
	return preset.In(form), true
}

// codexEnvironment has the settings that codex takes as arguments elsewhere.
func codexEnvironment(c command.Call) map[string]string {
	config := map[string]any{}
	for _, s := range command.CodexSettings(c) {
		nest(config, s.Key, s.Value)
	}
	text, err := json.Marshal(config)
	if err != nil {
		return nil
	}
	env := map[string]string{"CODEX_CONFIG": string(text)}
	if server, ok := config["model_provider"].(string); ok {
		env["MODEL_PROVIDER"] = server
	}
	return env
}

// nest puts a value into the groups that its key names.
func nest(config map[string]any, key string, value any) {
	group, rest, deeper := strings.Cut(key, ".")
	if !deeper {
		config[key] = value
		return
	}
	inner, ok := config[group].(map[string]any)
	if !ok {
		inner = map[string]any{}
		config[group] = inner
	}
	nest(inner, rest, value)
}
