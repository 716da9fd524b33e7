package app

import (
	"context"

	"autopilot/autopilot/process"
	"autopilot/cmd/console"
	"autopilot/config"
	"autopilot/personas/agent/toolbox"
)

// confinement is how the commands of the built-in agent are kept to the working tree. Whether they can be is tried.
func (b *Backends) confinement(name string, described config.Backend) (toolbox.Confinement, error) {
	c := toolbox.Confinement{Network: described.Network == nil || *described.Network}
	wish := described.Sandbox
	switch {
	case !c.Network && wish == "off":
		return c, console.UsageError("backend %s: commands are kept from the network by a sandbox alone\nLeave sandbox: off out, or network: false", name)
	case !c.Network:
		wish = "required"
	case wish == "" || wish == "off":
		return c, nil
	}
	err := process.ProbeSandbox(context.Background(), b.Host.Environ)
	c.Sandbox = err == nil
	switch {
	case err == nil:
	case wish == "required":
		return c, unusable("backend %s wants its commands in a sandbox: %v", name, err)
	case !b.unconfined:
		b.unconfined = true
		b.tell("warning", "Commands of the agent run without a sandbox: %v", err)
	}
	return c, nil
}
