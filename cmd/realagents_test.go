//go:build unix

package cmd_test

import (
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"time"

	programs "autopilot/personas/command"
)

// realAgents are the programs that .ci/agents installs, as they are configured here.
var realAgents = []struct {
	name, program, config string
	undone                bool // a verifier's command can write, which is undone then; else the program refuses that too
	all                   bool // the supervisor is killed with autopilot, as killall does it
}{
	{"claude", "claude", "preset: claude, model: claude-sonnet-4-5, env: {IS_SANDBOX: '1'}", false, true},
	{"codex", "codex", "preset: codex, model: m1", false, false},
	{"opencode", "opencode", "preset: opencode, model: m1, env: {OPENCODE_DISABLE_MODELS_FETCH: '1'}", true, false},
	{"gemini", "gemini", "type: command, preset: gemini, model: gemini-2.5-pro", false, true},
	{"acp", "gemini", "type: acp, preset: gemini, model: gemini-2.5-pro", true, false},
}

// TestRealAgents has each program carry out a spec of two phases, against a server that plays its model: once it is told
// to wait, once it is killed in the middle of a command, and whoever may only read tries to write all the same. It takes
// a minute, so it has to be asked for: go test ./... -run RealAgents.
func TestRealAgents(t *testing.T) {
	if asked := flag.Lookup("test.run").Value.String(); !strings.Contains(asked, "RealAgents") {
		t.Skip("the real agent programs run where -run RealAgents asks for them")
	}
	for _, agent := range realAgents {
		t.Run(agent.name, func(t *testing.T) {
			program, err := filepath.Abs(filepath.Join("..", ".tools", "agents", agent.program, "node_modules", ".bin", agent.program))
			if err != nil {
				t.Fatal(err)
			}
			if _, err := os.Stat(program); err != nil {
				t.Skipf("%s is not installed: `make agents` does that", agent.program)
			}
			t.Parallel()
			j := newRealJourney(t, agent.config+", command: ['"+program+"']")
			began := time.Now()
			j.isKilledInTheMiddle(agent.all && runtime.GOOS == "linux")
			j.comesToItsEnd()
			j.wroteNothingElse(agent.undone)
			j.leavesNothing()
			u := j.state(t).Usage
			t.Logf("%d dispatches, %d tokens, %.2f USD, %s", u.Dispatches, u.InputTokens+u.OutputTokens, u.CostUSD, time.Since(began).Round(time.Second))
		})
	}
}

func TestRealAgentsAreInstalledInTheVersionsThatWereTried(t *testing.T) {
	script, err := os.ReadFile(filepath.Join("..", ".ci", "agents"))
	if err != nil {
		t.Fatal(err)
	}
	for _, agent := range realAgents {
		preset, ok := programs.PresetOf(agent.program)
		if want := regexp.MustCompile(`(?m)^` + agent.program + ` .*@` + regexp.QuoteMeta(preset.Version) + `$`); !ok || !want.Match(script) {
			t.Errorf("%s is not installed in version %s by .ci/agents", agent.program, preset.Version)
		}
	}
}
