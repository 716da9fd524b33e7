package doctor

import (
	"context"
	"slices"
	"strings"

	"autopilot/autopilot/process"
)

// sandbox says whether the commands of the built-in agent are confined, where it plays a persona. A backend that
// demands it and cannot have it was told of before.
func sandbox(ctx context.Context, p *doctorInput) []diagnosis {
	var open, confined []string
	for _, one := range p.personaBackends {
		switch wish := one.described.Sandbox; {
		case one.err != nil || one.described.Type != "openai" || slices.Contains(append(open, confined...), one.name):
		case wish == "" && (one.described.Network == nil || *one.described.Network), wish == "off":
			open = append(open, one.name)
		default:
			confined = append(confined, one.name)
		}
	}
	if len(open)+len(confined) == 0 {
		return nil
	}
	err := process.ProbeSandbox(ctx, p.host.Environ)
	return sandboxed(open, confined, err)
}

// sandboxed tells of the backends without and with the wish for a sandbox; err is why there is none.
func sandboxed(open, confined []string, err error) []diagnosis {
	var found []diagnosis
	switch {
	case len(confined) > 0 && err == nil:
		found = append(found, diagnosis{Name: "sandbox", Status: "ok", Detail: "bubblewrap works here, and confines the commands of " + strings.Join(confined, ", ")})
	case len(confined) > 0:
		found = append(found, diagnosis{"sandbox", "note", "the commands of " + strings.Join(confined, ", ") + " are not confined", err.Error()})
	}
	switch {
	case len(open) > 0 && err == nil:
		found = append(found, diagnosis{"sandbox", "note", "the commands of " + strings.Join(open, ", ") + " run with all of your rights", "bubblewrap works here: sandbox: auto in that backend confines them to the working tree."})
	case len(open) > 0:
		found = append(found, diagnosis{"sandbox", "note", "the commands of " + strings.Join(open, ", ") + " run with all of your rights", "Run it in a container or a virtual machine, or have a sandbox: " + err.Error()})
	}
	return found
}
