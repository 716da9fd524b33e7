package app

import (
	"cmp"
	"maps"
	"slices"

	"autopilot/personas"
	"autopilot/personas/command"
)

// MCPServers are the configured MCP servers, by name.
func (b *Backends) MCPServers() []personas.MCPServer {
	var servers []personas.MCPServer
	for _, name := range slices.Sorted(maps.Keys(b.Cfg.MCP.Servers)) {
		s := b.Cfg.MCP.Servers[name]
		servers = append(servers, personas.MCPServer{
			Name: name, Command: b.rooted(s.Command), Env: s.Env, Tier: personas.Tier(cmp.Or(s.Tier, string(personas.TierDestructive))), Tools: s.Tools, Timeout: s.Timeout,
		})
	}
	return servers
}

// mcpSecrets are the values that MCP servers get by name: no record holds them.
func (b *Backends) mcpSecrets() []string { return personas.MCPSecrets(b.MCPServers(), b.Host.Environ) }

// withoutMCP says, once, that a program gets none of the configured servers.
func (b *Backends) withoutMCP(name string, made *command.Backend) {
	if why, remedy := made.WithoutMCP(); why != "" && len(b.Cfg.MCP.Servers) > 0 {
		b.tell("warning", "backend %s gets no MCP servers: %s. %s", name, why, remedy)
	}
}
