package command

import (
	"maps"
	"path/filepath"
	"slices"
	"strings"
)

// The arguments and variables of a program change from week to week: Version says
// what they were tried with, and what the user adds comes behind them.

// claude's tools work without asking in the executor's mode only. In the mode
// default a tool that would have to ask is refused, and the dispatch goes on.
var claude = Preset{
	Name: "claude", Program: "claude", Version: "2.1.330", Agents: true, NotAsRoot: "IS_SANDBOX", dialect: dialect{event: readClaude, threadCost: true, final: true},
	credentials: []string{"ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "CLAUDE_CODE_OAUTH_TOKEN"},
	arguments: func(c call) []string {
		return slices.Concat([]string{"-p", "--output-format", "stream-json", "--verbose"}, claudeServers(c), map[tier][]string{
			mayRead: {"--permission-mode", "default", "--disallowedTools", "Edit,Write,NotebookEdit"},
			mayPlan: {"--permission-mode", "acceptEdits"},
			mayWork: {"--dangerously-skip-permissions"},
		}[c.tier], Flag("--agent", c.agent), Flag("--model", c.model), Flag("--resume", c.session), c.more)
	},
	environment: func(c call) map[string]string {
		return with(map[string]string{
			"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1", "DISABLE_AUTOUPDATER": "1", "DISABLE_TELEMETRY": "1", "DISABLE_ERROR_REPORTING": "1",
		}, map[string]string{"ANTHROPIC_BASE_URL": withoutVersion(c.baseURL), "ANTHROPIC_API_KEY": c.key})
	},
}

// codex has a sandbox: nothing outside the working tree is written. Its network
// is open to the executor, because tests that listen on the machine itself need it.
var codex = Preset{
	Name: "codex", Program: "codex", Version: "0.169.0", Confined: true, dialect: dialect{event: readCodex, threadUsage: true, final: true},
	credentials: []string{"OPENAI_API_KEY", "CODEX_API_KEY"},
	arguments: func(c call) []string {
		command := []string{"exec"}
		conversation := []string{"-"}
		if c.session != "" {
			command, conversation = append(command, "resume"), []string{c.session, "-"}
		}
		sandbox := map[tier]string{mayRead: "read-only", mayPlan: "workspace-write", mayWork: "workspace-write"}[c.tier]
		return slices.Concat(command, []string{"--json"}, codexFlags([]Setting{
			{"approval_policy", "never"}, {"sandbox_mode", sandbox}, {"sandbox_workspace_write.network_access", c.tier == mayWork},
		}), codexFlags(CodexSettings(c.seen())), codexFlags(codexServers(c)), c.more, conversation)
	},
	environment: func(call) map[string]string { return nil },
}

// opencode stops at a permission that it would have to ask for, so --auto stands
// in each mode; what is denied stays so.
var opencode = Preset{
	Name: "opencode", Program: "opencode", Version: "1.18.33", Agents: true, dialect: dialect{event: readOpencode},
	arguments: func(c call) []string {
		model := c.model
		if c.baseURL != "" && model != "" {
			model = "autopilot/" + model
		}
		title := Flag("--title", "autopilot")
		if c.session != "" {
			title = nil
		}
		return slices.Concat([]string{"run", "--format", "json", "--auto"}, title, Flag("--agent", c.agent), Flag("--model", model), Flag("--session", c.session), c.more)
	},
	environment: func(c call) map[string]string {
		denied := ""
		if c.tier == mayRead {
			denied = `{"edit":"deny"}`
		}
		return with(map[string]string{
			"OPENCODE_DISABLE_AUTOUPDATE": "1", "OPENCODE_DISABLE_LSP_DOWNLOAD": "1",
		}, map[string]string{"OPENCODE_PERMISSION": denied, "OPENCODE_CONFIG_CONTENT": opencodeConfig(c)})
	},
}

// opencodeConfig describes a server, and MCP servers, to opencode; "": there is nothing to say.
func opencodeConfig(c call) string {
	config := opencodeServers(c)
	maps.Copy(config, opencodeServer(c))
	if len(config) == 0 {
		return ""
	}
	return asJSON(config)
}

func opencodeServer(c call) map[string]any {
	if c.baseURL == "" || c.model == "" {
		return nil
	}
	options := map[string]any{"baseURL": c.baseURL}
	if c.key != "" {
		options["apiKey"] = c.key
	}
	return map[string]any{
		"model": "autopilot/" + c.model, "small_model": "autopilot/" + c.model,
		"provider": map[string]any{"autopilot": map[string]any{
			"npm": "@ai-sdk/openai-compatible", "name": "autopilot", "options": options,
			"models": map[string]any{c.model: map[string]any{"name": c.model}},
		}},
	}
}

// gemini offers no tool that writes or runs commands unless its mode allows it.
// With a server of the user's it takes the key only where its settings say so,
// and heeds a file of defaults only where root alone could have written it. So
// it gets a home of its own then, whose settings are these.
var gemini = Preset{
	Name: "gemini", Program: "gemini", Version: "0.61.0", dialect: dialect{event: readGemini, final: true},
	credentials: []string{"GEMINI_API_KEY", "GOOGLE_API_KEY"},
	settings:    func(c call) string { return quiet(c, "gemini-api-key", geminiServers(c)) },
	settingsAt:  "home/.gemini/settings.json",
	arguments: func(c call) []string {
		mode := map[tier]string{mayRead: "default", mayPlan: "auto_edit", mayWork: "yolo"}[c.tier]
		return slices.Concat([]string{"-o", "stream-json", "--skip-trust", "--approval-mode", mode}, Flag("--model", c.model), Flag("--resume", c.session), c.more)
	},
	environment: func(c call) map[string]string {
		defaults, home := c.file, ""
		if c.baseURL != "" {
			defaults, home = "", filepath.Dir(filepath.Dir(c.file))
		}
		return with(map[string]string{"GEMINI_TELEMETRY_ENABLED": "false"}, map[string]string{
			"GEMINI_CLI_HOME": home, "GEMINI_CLI_SYSTEM_DEFAULTS_PATH": defaults,
			"GOOGLE_GEMINI_BASE_URL": withoutVersion(c.baseURL), "GEMINI_API_KEY": c.key,
		})
	},
}

// qwen is made from gemini, and speaks to servers like OpenAI's.
var qwen = Preset{
	Name: "qwen", Program: "qwen", Version: "0.24.4", dialect: dialect{event: readClaude, final: true},
	credentials: []string{"OPENAI_API_KEY"}, settingsAt: "settings.json",
	settings: func(c call) string {
		return quiet(c, "openai", `,"memory":{"enableManagedAutoMemory":false,"enableManagedAutoDream":false}`+geminiServers(c))
	},
	arguments: func(c call) []string {
		mode := map[tier]string{mayRead: "default", mayPlan: "auto-edit", mayWork: "yolo"}[c.tier]
		var auth []string
		if c.baseURL != "" || c.keyEnv != "" {
			auth = Flag("--auth-type", "openai")
		}
		return slices.Concat([]string{"-o", "stream-json", "--approval-mode", mode}, auth, Flag("--model", c.model), Flag("--resume", c.session), c.more)
	},
	environment: func(c call) map[string]string {
		return with(map[string]string{"QWEN_TELEMETRY_ENABLED": "false"}, map[string]string{
			"QWEN_CODE_SYSTEM_DEFAULTS_PATH": c.file, "OPENAI_BASE_URL": c.baseURL, "OPENAI_API_KEY": c.key,
		})
	},
}

// quiet are settings of gemini and of what is made from it: no updates, no
// statistics, and where a key or a server is configured, that the key is what the
// program logs in with. They are defaults, so that the user's own settings win.
func quiet(c call, auth, more string) string {
	login := ""
	if c.keyEnv != "" || c.baseURL != "" {
		login = `,"security":{"auth":{"selectedType":"` + auth + `"}}`
	}
	return `{"general":{"enableAutoUpdate":false,"enableAutoUpdateNotification":false},` +
		`"privacy":{"usageStatisticsEnabled":false},"telemetry":{"enabled":false}` + login + more + "}\n"
}

// withoutVersion takes the version off an address whose program adds it by itself.
func withoutVersion(address string) string {
	address = strings.TrimSuffix(address, "/")
	for _, version := range []string{"/v1", "/v1beta"} {
		address = strings.TrimSuffix(address, version)
	}
	return address
}
