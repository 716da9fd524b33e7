package worker

import (
	"autopilot/cmd/app"
	"autopilot/cmd/console"
	"autopilot/config"
)

// Own are the parts of the configuration that a worker's own machine sets: who plays the personas, and with what. All else is the
// repository's or the session's, so that each worker does its steps alike.
var Own = []string{"backend", "backends", "mcp", "model", "personas", "prices"}

// Settings are the configuration of a session in a working tree, on this machine.
func Settings(h *console.Host, root string, session map[string]any) (*config.Config, error) {
	cfg, _, err := app.LoadConfig(h, root, "", session, Own...)
	return cfg, err
}
