package personas

import (
	"slices"
	"strings"
	"time"
)

// MCPServer is a program that offers tools over the Model Context Protocol, on
// its standard streams. The built-in agent starts it for each dispatch that uses
// it; an agent program that takes such servers starts it by itself.
type MCPServer struct {
	Name    string        // letters, digits, '_' and '-'
	Command []string      // the program, looked up in PATH or from the working tree, and its arguments
	Env     []string      // names of variables with secrets that it gets all the same
	Tier    Tier          // of its tools
	Tools   []string      // by the server's own names; empty: all
	Timeout time.Duration // of one call; 0: two minutes
}

// grants says whether the persona may use a server's tools of a tier. One that is
// not known counts as the highest. A persona that may plan writes nothing but
// plans, which nobody can hold a server to.
func (p Persona) grants(tier Tier) bool {
	switch tier {
	case TierRead:
		return p.Allows(MayRead)
	case TierWrite:
		return p.Allows(MayWrite)
	}
	return p.Allows(MayWrite) && p.Allows(MayRun)
}

// MCPFor gives those of the servers whose tier a persona has.
func MCPFor(servers []MCPServer, p Persona) []MCPServer {
	return slices.DeleteFunc(slices.Clone(servers), func(s MCPServer) bool { return !p.grants(s.Tier) })
}

// Environ is the environment of a server: all that holds no secret, and what is
// named. Variables that configure autopilot are left out.
func (s MCPServer) Environ(environ []string) []string {
	return slices.DeleteFunc(slices.Clone(environ), func(kv string) bool {
		name, value, _ := strings.Cut(kv, "=")
		return !slices.Contains(s.Env, name) && (IsSecret(name, value) || strings.HasPrefix(name, "AUTOPILOT_"))
	})
}

// MCPSecrets are the values of the variables that servers get by name.
func MCPSecrets(servers []MCPServer, environ []string) []string {
	var values []string
	for _, kv := range environ {
		name, value, _ := strings.Cut(kv, "=")
		if slices.ContainsFunc(servers, func(s MCPServer) bool { return slices.Contains(s.Env, name) }) {
			values = append(values, value)
		}
	}
	return values
}
