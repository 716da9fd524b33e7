package doctor

import (
	"context"
	"fmt"
	"strings"

	"autopilot/autopilot/process"
	"autopilot/personas/command"
)

// mcpPrograms looks whether the MCP servers could be started, and which backends get none of them. None is started.
func mcpPrograms(_ context.Context, p *doctorInput) []diagnosis {
	if len(p.cfg.MCP.Servers) == 0 {
		return nil
	}
	var found []diagnosis
	for _, s := range p.backends().MCPServers() {
		c := process.Command{Argv: s.Command, Dir: p.repo.Root(), Env: s.Environ(p.host.Environ)}
		if err := c.Check(); err != nil {
			found = append(found, diagnosis{"mcp", "wrong", fmt.Sprintf("%s: %v", s.Name, err), "Its program stands in the configuration under mcp.servers." + s.Name + ".command."})
			continue
		}
		found = append(found, diagnosis{Name: "mcp", Status: "ok", Detail: fmt.Sprintf("%s: %s, tools of tier %s", s.Name, strings.Join(s.Command, " "), s.Tier)})
	}
	for _, one := range p.personaBackends {
		b, ok := one.made.(*command.Backend)
		if !ok {
			continue
		}
		if why, remedy := b.WithoutMCP(); why != "" {
			found = append(found, diagnosis{"mcp", "note", fmt.Sprintf("backend %s gets none of them: %s", one.name, why), remedy})
		}
	}
	return found
}
