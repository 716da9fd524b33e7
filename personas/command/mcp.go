package command

import (
	"math"
	"os"
	"slices"

	"autopilot/autopilot/jsonedit"
	"autopilot/personas"
)

// MCP servers reach each program in its own form, and never through a file of
// the user's. A variable with a secret is handed on by its name alone: each
// program fills its value in by itself.

// names says whether a server gets a variable by its name.
func (c call) names(variable string) bool {
	return slices.ContainsFunc(c.servers, func(s personas.MCPServer) bool { return slices.Contains(s.Env, variable) })
}

// eachServer describes each server by its name.
func (c call) eachServer(describe func(s personas.MCPServer) map[string]any) map[string]any {
	all := map[string]any{}
	for _, s := range c.servers {
		all[s.Name] = describe(s)
	}
	return all
}

// variables are the named variables of a server, as references.
func variables(s personas.MCPServer, before, after string) map[string]string {
	env := map[string]string{}
	for _, name := range s.Env {
		env[name] = before + name + after
	}
	return env
}

// claudeServers gives the flags of claude. Those take several values, so that
// another flag has to follow. Where claude asks, the tools are allowed by name.
func claudeServers(c call) []string {
	if len(c.servers) == 0 {
		return nil
	}
	described := c.eachServer(func(s personas.MCPServer) map[string]any {
		return map[string]any{"type": "stdio", "command": s.Command[0], "args": arguments(s), "env": variables(s, "${", "}")}
	})
	flags := []string{"--mcp-config", asJSON(map[string]any{"mcpServers": described})}
	if c.tier == mayWork {
		return flags
	}
	flags = append(flags, "--allowedTools")
	for _, s := range c.servers {
		whole := "mcp__" + s.Name
		if len(s.Tools) == 0 {
			flags = append(flags, whole)
		}
		for _, tool := range s.Tools {
			flags = append(flags, whole+"__"+tool)
		}
	}
	return flags
}

// codexServers are the settings of codex with the servers.
func codexServers(c call) []Setting {
	var all []Setting
	for _, s := range c.servers {
		set := func(key string, value any) {
			all = append(all, Setting{"mcp_servers." + s.Name + "." + key, value})
		}
		set("command", s.Command[0])
		set("args", arguments(s))
		set("default_tools_approval_mode", "approve") // whoever configured the server knew what it does
		if len(s.Env) > 0 {
			set("env_vars", s.Env)
		}
		if len(s.Tools) > 0 {
			set("enabled_tools", s.Tools)
		}
		if s.Timeout > 0 {
			set("tool_timeout_sec", int(math.Ceil(s.Timeout.Seconds())))
		}
	}
	return all
}

// opencodeServers is the part of opencode's configuration with the servers.
func opencodeServers(c call) map[string]any {
	if len(c.servers) == 0 {
		return map[string]any{}
	}
	tools := map[string]any{}
	for _, s := range c.servers {
		for _, tool := range s.Tools {
			tools[s.Name+"_*"], tools[s.Name+"_"+tool] = false, true
		}
	}
	config := map[string]any{"mcp": c.eachServer(func(s personas.MCPServer) map[string]any {
		return map[string]any{"type": "local", "command": s.Command, "environment": variables(s, "{env:", "}"), "enabled": true}
	})}
	if len(tools) > 0 {
		config["tools"] = tools
	}
	return config
}

// geminiServers is the part of the settings of gemini, and of what is made from
// it, with the servers. Trusted ones are not asked about.
func geminiServers(c call) string {
	if len(c.servers) == 0 {
		return ""
	}
	return `,"mcpServers":` + asJSON(c.eachServer(func(s personas.MCPServer) map[string]any {
		server := map[string]any{"command": s.Command[0], "args": arguments(s), "env": variables(s, "${", "}"), "trust": true}
		if len(s.Tools) > 0 {
			server["includeTools"] = s.Tools
		}
		if s.Timeout > 0 {
			server["timeout"] = s.Timeout.Milliseconds()
		}
		return server
	}))
}

// WithoutMCP says why the program gets no MCP servers, and what to do; "": it does.
func (b *Backend) WithoutMCP() (why, remedy string) {
	switch {
	case b.o.Speaker != nil:
		return "", ""
	case b.o.Preset == nil:
		return "nothing is known of its program", "Name a preset, or give the servers to the program yourself."
	case b.o.Preset.Name == "gemini" && b.o.BaseURL == "" && os.Geteuid() != 0:
		return "gemini reads no settings but its own where the backend has no base_url", "Put the servers into ~/.gemini/settings.json."
	}
	return "", ""
}

func arguments(s personas.MCPServer) []string { return append([]string{}, s.Command[1:]...) }

// asJSON is JSON on one line; what is described here always has it.
func asJSON(v any) string { return string(jsonedit.Compact(v)) }
