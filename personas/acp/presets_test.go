//go:build unix

package acp

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"autopilot/personas"
	"autopilot/personas/command"
)

func TestKnownProgramsAreStartedToSpeakTheProtocol(t *testing.T) {
	if _, ok := PresetOf("cat"); ok {
		t.Error("cat is no known program")
	}
	want := map[string][]string{ // words of its arguments, and of its environment behind env
		"claude":   {"claude-agent-acp", "env", "ANTHROPIC_MODEL=m1", "ANTHROPIC_BASE_URL=http://h:1\n", "ANTHROPIC_API_KEY=secret-value", "DISABLE_TELEMETRY=1"},
		"codex":    {"codex-acp", "env", "MODEL_PROVIDER=autopilot", `"base_url":"http://h:1/v1"`, `"env_key":"MY_KEY"`, `"model":"m1"`, `"analytics":{"enabled":false}`},
		"opencode": {"opencode acp", "env", `"edit":"deny"`, `"bash":"ask"`, `"apiKey":"secret-value"`},
		"gemini":   {"gemini --acp --skip-trust --model m1", "env", "GOOGLE_GEMINI_BASE_URL=http://h:1\n", "GEMINI_API_KEY=secret-value", "GEMINI_TELEMETRY_ENABLED=false"},
		"qwen":     {"qwen --acp --auth-type openai --model m1", "env", "OPENAI_BASE_URL=http://h:1/v1", "OPENAI_API_KEY=secret-value"},
	}
	if len(forms) != len(want) {
		t.Errorf("presets %v", forms)
	}
	for name, words := range want {
		t.Run(name, func(t *testing.T) {
			argv, env := started(t, name)
			at := slices.Index(words, "env")
			if !slices.Equal(strings.Fields(argv), strings.Fields(words[0])) {
				t.Errorf("it was started as %q, want %q", argv, words[0])
			}
			for _, word := range words[at+1:] {
				if !strings.Contains(env, word) {
					t.Errorf("%q is not in its environment:\n%s", word, env)
				}
			}
		})
	}
}

// started gives the command line and the environment with which a known program is started for the verifier: in its
// place stands a script that writes down both.
func started(t *testing.T, name string) (argv, env string) {
	t.Helper()
	preset, ok := PresetOf(name)
	if !ok {
		t.Fatal("it is not known")
	}
	d, _ := world(t)
	d.Persona = verifier
	bin := t.TempDir()
	script := "#!/bin/sh\necho $(basename $0) $* > argv\nenv > env\n"
	if err := os.WriteFile(filepath.Join(bin, preset.Program), []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	out := play(t, command.Options{
		Preset: &preset, Model: "m1", BaseURL: "http://h:1/v1", KeyEnv: "MY_KEY", Environ: []string{"PATH=" + bin + ":" + os.Getenv("PATH"), "MY_KEY=secret-value"},
	}, d)
	wantKind(t, out, personas.Crashed, "in the middle of its turn")
	return read(t, d.Dir, "argv"), read(t, d.Dir, "env")
}
