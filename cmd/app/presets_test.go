//go:build unix

package app

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"autopilot/cmd/console"
	"autopilot/config"
	"autopilot/personas"
)

// pathWith is a PATH of one folder with programs of these names.
func pathWith(t *testing.T, names ...string) string {
	t.Helper()
	dir := t.TempDir()
	for _, name := range names {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/sh\n"), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return "PATH=" + dir
}

func TestKnownProgramNeedsNoConfiguration(t *testing.T) {
	own := map[string]config.Backend{
		"mine":   {Type: "command", Preset: "claude", Env: map[string]string{"IS_SANDBOX": "1"}},
		"keyed":  {Type: "command", Preset: "codex", APIKeyEnv: "MINE"},
		"placed": {Type: "command", Preset: "codex", Command: []string{"./no/such/codex"}},
		"wrong":  {Type: "command", Preset: "cat"},
		"empty":  {Type: "command"},
		"spoken": {Type: "acp", Preset: "codex"},
		"any":    {Type: "acp", Command: []string{"some-agent", "--acp"}},
	}
	for _, c := range []struct {
		backend string
		cfg     map[string]config.Backend
		env     []string
		want    string // the backend's name, or a part of the error
	}{
		{"codex", nil, []string{pathWith(t, "codex")}, "codex"},
		{"codex", nil, []string{pathWith(t, "claude")}, "backend codex: "},
		{"gemini", nil, []string{pathWith(t, "gemini")}, "gemini"},
		{"claude", nil, []string{pathWith(t, "claude"), "IS_SANDBOX=1"}, "claude"},
		{"auto", nil, []string{pathWith(t, "claude", "codex"), "IS_SANDBOX=1"}, "codex"},
		{"auto", nil, []string{pathWith(t, "claude", "codex"), "OPENAI_API_KEY=x"}, "openai"},
		{"auto", nil, []string{pathWith(t, "opencode", "claude")}, "Installed: claude, opencode. Such a program works without asking"},
		{"mine", own, []string{pathWith(t, "claude")}, "mine"},
		{"keyed", own, []string{pathWith(t, "codex"), "MINE=x"}, "keyed"},
		{"keyed", own, []string{pathWith(t, "codex")}, "backend keyed needs a key: set MINE"},
		{"placed", own, []string{pathWith(t, "codex")}, "no/such/codex"},
		{"spoken", own, []string{pathWith(t, "codex-acp")}, "spoken"},
		{"spoken", own, []string{pathWith(t, "codex")}, "cannot start codex-acp"},
		{"any", own, []string{pathWith(t, "some-agent")}, "any"},
		{"wrong", own, nil, `there is no agent program "cat"`},
		{"empty", own, nil, "names no command"},
		{"nonesuch", own, nil, `there is no backend "nonesuch". There are: any, empty, keyed, mine, placed, spoken, wrong, `},
	} {
		name, _, err := choose(t, Backends{Name: c.backend, Model: "m", Cfg: &config.Config{Backend: "auto", Backends: c.cfg}}, c.env...)
		if got := answer(name, err); got != c.want && !(err != nil && strings.Contains(got, c.want)) {
			t.Errorf("%s with %v: %s, want %s", c.backend, c.env, got, c.want)
		}
	}
}

func answer(name string, err error) string {
	if err != nil {
		return err.Error()
	}
	return name
}

func TestClaudeAsRootIsRefusedBeforeItRefuses(t *testing.T) {
	for _, environ := range [][]string{nil, {"IS_SANDBOX=yes"}} {
		_, _, err := choose(t, Backends{Name: "claude"}, append(environ, pathWith(t, "claude"))...)
		if os.Geteuid() != 0 {
			if err != nil {
				t.Error(err)
			}
			continue
		}
		if err == nil || !strings.Contains(err.Error(), `claude refuses to work as root`) || !strings.Contains(err.Error(), `env: {IS_SANDBOX: "1"}`) {
			t.Errorf("with %q: got %v", environ, err)
		}
	}
}

func TestAgentOfAPersonaGoesToTheProgramThatHasIt(t *testing.T) {
	own := map[string]config.Backend{
		"mine": {Type: "command", Command: []string{"opencode", "--as", "{agent}"}}, "bare": {Type: "command", Command: []string{"opencode"}},
		"lean": {Type: "command", Preset: "opencode", Agent: "lean"}, "server": {Type: "openai", BaseURL: "http://127.0.0.1:1/v1"},
	}
	for _, c := range []struct {
		backend, flag, agent string
		want                 string // the backend's agent, or a part of the error
	}{
		{"opencode", "", "build", "build"},
		{"lean", "", "", "lean"},
		{"lean", "", "build", "build"},
		{"mine", "", "build", "build"},
		{"mine", "", "", "no agent is named"},
		{"bare", "", "build", "Add {agent} to command"},
		{"gemini", "", "build", "gemini cannot be told which agent is to work, and build is named"},
		{"server", "", "build", "a backend of type openai cannot be told"},
		{"opencode", "server", "build", ""},
	} {
		b := Backends{Name: c.flag, Model: "m", Cfg: &config.Config{Backends: own, Personas: map[string]config.Persona{"executor": {Backend: c.backend, Agent: c.agent}}}}
		_, _, err := choose(t, b, pathWith(t, "opencode", "gemini"))
		b.Host = &console.Host{}
		_, described, _ := b.Chosen(personas.Persona{Name: personas.Executor})
		if got := answer(described.Agent, err); got != c.want && !(err != nil && strings.Contains(got, c.want)) {
			t.Errorf("%s %s with %q: %s, want %s", c.flag, c.backend, c.agent, got, c.want)
		}
	}
	b := Backends{Host: &console.Host{Now: time.Now}, Cfg: &config.Config{Personas: map[string]config.Persona{"executor": {Backend: "opencode", Agent: "build", Fallback: []string{"claude"}}}}}
	executor := personas.Persona{Name: personas.Executor}
	b.Limited(executor, "opencode", time.Time{})
	if name, described, err := b.Chosen(executor); name != "claude" || described.Agent != "" || err != nil {
		t.Errorf("what takes over is %s with the agent %q, %v", name, described.Agent, err)
	}
}
