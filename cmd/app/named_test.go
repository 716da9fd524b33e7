package app

import (
	"testing"

	"autopilot/autopilot/machine"
	"autopilot/cmd/console"
	"autopilot/sessions"
)

func TestASlipIsNamed(t *testing.T) {
	h := &console.Host{Dir: t.TempDir()}
	all := []sessions.Summary{{State: machine.State{SpecPath: "docs/limits.md"}}, {State: machine.State{SpecPath: "docs/spec.md"}}}
	for name, slip := range map[string]bool{"docs/spce.md": true, "limts": true, "import": false, "ab": false, "docs/none.md": false, "docs/limit.md": true} {
		if err := nearest(h, h.Dir, all, name, name); (err != nil) != slip {
			t.Errorf("%s: %v", name, err)
		}
	}
}
