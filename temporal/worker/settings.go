package worker

import (
	"autopilot/cmd/console"
	"autopilot/config"
)

// Own are the parts of the configuration that a worker's own machine sets: who plays the personas, and with what. All else is the
// repository's or the session's, so that each worker does its steps alike.
var Own = []string{"backend", "backends", "mcp", "model", "personas", "prices"}

// Settings are the configuration of a session in a working tree, on this machine.
func Settings(h *console.Host, root string, session map[string]any) (*config.Config, error) {
	users, err := config.UserDir(h.Environ)
	if err != nil || h.NoUserConfig {
		users = "" // no home: there is no file of the user's
	}
	cfg, _, err := config.Load(config.Options{Root: root, UserDir: users, Environ: h.Environ, Flags: session, Own: Own})
	return cfg, err
}
