package personas

import (
	"slices"
	"testing"
)

func TestPersonaGrantsTiers(t *testing.T) {
	all := []MCPServer{{Name: "r", Tier: TierRead}, {Name: "w", Tier: TierWrite}, {Name: "d", Tier: TierDestructive}, {Name: "u", Tier: "unknown"}}
	for _, c := range []struct {
		may  []string
		want string
	}{
		{nil, ""},
		{[]string{MayRead}, "r"},
		{[]string{MayRead, MayPlan}, "r"},
		{[]string{MayRead, MayRun}, "r"},
		{[]string{MayRead, MayWrite}, "rw"},
		{[]string{MayRead, MayWrite, MayRun}, "rwdu"},
	} {
		got := ""
		for _, s := range MCPFor(all, Persona{May: c.may}) {
			got += s.Name
		}
		if got != c.want {
			t.Errorf("%v gets %q, want %q", c.may, got, c.want)
		}
	}
}

func TestServerGetsTheEnvironmentWithoutOtherSecrets(t *testing.T) {
	s := MCPServer{Env: []string{"ITS_TOKEN", "ITS_PIN"}}
	environ := []string{"PATH=/bin", "ITS_TOKEN=one", "ITS_PIN=two", "OTHER_TOKEN=three", "AUTOPILOT_MODEL=four"}
	if got, want := s.Environ(environ), environ[:3]; !slices.Equal(got, want) {
		t.Errorf("it gets %v, want %v", got, want)
	}
	if got := MCPSecrets([]MCPServer{s}, environ); !slices.Equal(got, []string{"one", "two"}) {
		t.Errorf("the values that it gets by name are %v", got)
	}
}
