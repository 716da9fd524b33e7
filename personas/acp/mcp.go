package acp

import (
	"os/exec"

	acp "github.com/coder/acp-go-sdk"

	"autopilot/personas/command"
)

// servers are the MCP servers of a session. The protocol hands variables on with
// their values; the program that gets them has them in its environment anyway.
// It has no way to name the tools that are wanted, so that a server of which only
// some are is left out.
func servers(t command.Turn) []acp.McpServer {
	list := []acp.McpServer{} // programs want the list, if an empty one
	for _, s := range t.Servers {
		if len(s.Tools) > 0 {
			t.Said.Notice("the MCP server " + s.Name + " is left out: the Agent Client Protocol cannot offer only some of its tools")
			continue
		}
		one := acp.McpServerStdio{Name: s.Name, Command: s.Command[0], Args: append([]string{}, s.Command[1:]...), Env: []acp.EnvVariable{}}
		if path, err := exec.LookPath(one.Command); err == nil {
			one.Command = path // the protocol wants the whole path
		}
		for _, name := range s.Env {
			if value := t.Getenv(name); value != "" {
				one.Env = append(one.Env, acp.EnvVariable{Name: name, Value: value})
			}
		}
		list = append(list, acp.McpServer{Stdio: &one})
	}
	return list
}
