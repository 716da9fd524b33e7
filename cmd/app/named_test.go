package app

import (
	"testing"

	"autopilot/autopilot/machine"
	"autopilot/sessions"
)

func TestAFolderIsNoBeginningOfASpec(t *testing.T) {
	all := []sessions.Summary{{State: machine.State{SpecPath: "docs/limits.md"}, Slug: "limits"}}
	for name, want := range map[string]string{"docs": "docs", "docs/lim": "/r/docs/limits.md", "lim": "/r/docs/limits.md"} {
		if got, err := meant("/r", all, name, name); got != want || err != nil {
			t.Errorf("%s: %s, %v", name, got, err)
		}
	}
}

func TestASlipIsNamed(t *testing.T) {
	root := t.TempDir()
	all := []sessions.Summary{{State: machine.State{SpecPath: "docs/limits.md"}}, {State: machine.State{SpecPath: "docs/spec.md"}}}
	for name, slip := range map[string]bool{"docs/spce.md": true, "limts": true, "import": false, "ab": false, "docs/none.md": false, "docs/limit.md": true} {
		if err := nearest(root, all, name, name); (err != nil) != slip {
			t.Errorf("%s: %v", name, err)
		}
	}
}
