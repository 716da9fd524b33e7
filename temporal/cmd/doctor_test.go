package cmd

import (
	"strings"
	"testing"

	"go.temporal.io/api/enums/v1"

	"autopilot/temporal/flow"
	"autopilot/temporal/hub"
)

// TestDoctorSaysWhatAFleetLacks, with the command that puts it right.
func TestDoctorSaysWhatAFleetLacks(t *testing.T) {
	for name, c := range map[string]struct {
		has   func(*frontend, string)
		setup bool
		want  []string
	}{
		"nothing yet": {
			has: func(f *frontend, _ string) { f.attributes = map[string]enums.IndexedValueType{} },
			want: []string{
				"Server:         1.0.0", "Workers:        0\n  start one: autopilot-temporal worker --repository URL", ", workers for it: 0\n  start one: autopilot-temporal worker --repository ",
				"Namespace:      default, keeps ended sessions for 3 days", "Fairness:       unknown",
				"Attributes:     AutopilotSession, AutopilotState, AutopilotGate are missing, so list shows less\n  register them: autopilot-temporal doctor --setup",
			},
		},
		"all of it": {
			has: func(f *frontend, repository string) {
				f.attributes, f.builds = registered(), map[string]string{"autopilot": "1a2b"}
				f.pollers = map[string]int{flow.SessionQueue: 2, flow.GitQueue(repository): 1}
			},
			want: []string{"Workers:        2\n  1@host, seen ", "  2@host, seen ", ", workers for it: 1\n", "Version:        new sessions use build 1a2b of deployment autopilot", "Attributes:     registered"},
		},
		"no current version": {
			has:  func(f *frontend, _ string) { f.attributes, f.builds = registered(), map[string]string{"autopilot": ""} },
			want: []string{"Version:        deployment autopilot has no current version\n  set it: temporal worker deployment set-current-version --deployment-name autopilot --build-id ID"},
		},
		"set up": {
			has: func(f *frontend, _ string) {
				f.attributes, f.unknown = map[string]enums.IndexedValueType{"AutopilotState": 2}, 1
			},
			setup: true, want: []string{"Waiting for the server to load the search attributes (about a minute).\nAttributes:     registered"},
		},
		"set up where nobody may": {
			has: func(f *frontend, _ string) {
				f.attributes, f.denied = map[string]enums.IndexedValueType{"AutopilotState": 2}, true
			},
			setup: true, want: []string{"the server refuses: registering the search attributes: use tcld\n  register them in another way, as keywords: AutopilotSession, AutopilotGate"},
		},
		"a server that tells nothing of them": {
			has:  func(*frontend, string) {},
			want: []string{"Attributes:     the server refuses: no such method\n  register them in another way, as keywords: AutopilotSession, AutopilotState, AutopilotGate"},
		},
	} {
		m := newMine(t)
		c.has(m.server, hub.RepositoryID(m.hub))
		args := []string{"doctor"}
		if c.setup {
			args = append(args, "--setup")
		}
		out, _ := m.types(args...)
		for _, want := range c.want {
			if !strings.Contains(out, want) {
				t.Errorf("%s: it doesn't say %q:\n%s", name, want, out)
			}
		}
		if m.server.unknown != 0 {
			t.Errorf("%s: it didn't wait until the server knows what is registered", name)
		}
	}
}
