package cmd

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestTheServerIsFoundAsTemporalsCLIFindsIt reads a configuration file with profiles, and variables that go before it.
func TestTheServerIsFoundAsTemporalsCLIFindsIt(t *testing.T) {
	for name, c := range map[string]struct {
		args, vars string
		other      bool   // the second server is asked
		space      string // in which namespace
	}{
		"the default profile":     {space: "mine"},
		"a profile by flag":       {args: "--profile work", other: true, space: "theirs"},
		"a profile by variable":   {vars: "TEMPORAL_PROFILE=work", other: true, space: "theirs"},
		"the flag goes first":     {args: "--profile work", vars: "TEMPORAL_PROFILE=default", other: true, space: "theirs"},
		"a namespace by variable": {args: "--profile work", vars: "TEMPORAL_NAMESPACE=ours", other: true, space: "ours"},
		"an address by variable":  {vars: "TEMPORAL_ADDRESS=OTHER", other: true, space: "mine"},
		"no file":                 {vars: "TEMPORAL_CONFIG_FILE=none TEMPORAL_ADDRESS=OTHER", other: true, space: "default"},
	} {
		t.Run(name, func(t *testing.T) {
			m, other := newMine(t), serve(t)
			m.profiles(fmt.Sprintf("[profile.default]\naddress = %q\nnamespace = \"mine\"\n[profile.work]\naddress = %q\nnamespace = \"theirs\"\n", m.server.address, other.address))
			setAll(t, strings.ReplaceAll(c.vars, "OTHER", other.address))
			said, code := m.types(append([]string{"list"}, strings.Fields(c.args)...)...)
			asked, not := m.server, other
			if c.other {
				asked, not = other, m.server
			}
			if code != 0 || asked.space != c.space || not.space != "" {
				t.Errorf("asked in the namespace %q, not %q; and the other server in %q\n%d: %s", asked.space, c.space, not.space, code, said)
			}
		})
	}
}

// profiles writes the configuration file of Temporal's CLI, which has the address.
func (m *mine) profiles(text string) {
	m.Helper()
	_ = os.Unsetenv("TEMPORAL_ADDRESS") // newMine brings it back
	file := filepath.Join(m.TempDir(), "temporal.toml")
	put(m.T, file, text)
	m.Setenv("TEMPORAL_CONFIG_FILE", file)
}

// setAll sets variables, as words.
func setAll(t *testing.T, vars string) {
	t.Helper()
	for _, kv := range strings.Fields(vars) {
		name, value, _ := strings.Cut(kv, "=")
		t.Setenv(name, value)
	}
}
