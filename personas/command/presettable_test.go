//go:build unix

package command

import (
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"autopilot/personas"
)

func TestTelemetryAndUpdatesAreOff(t *testing.T) {
	for preset, want := range map[string][]string{
		"claude": {"DISABLE_TELEMETRY=1", "DISABLE_AUTOUPDATER=1", "DISABLE_ERROR_REPORTING=1", "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1"},
		"codex":  {"analytics.enabled=false", `otel.exporter="none"`, "check_for_update_on_startup=false"},
		"opencode": {
			"OPENCODE_DISABLE_AUTOUPDATE=1", "OPENCODE_DISABLE_LSP_DOWNLOAD=1",
		},
		"gemini": {"GEMINI_TELEMETRY_ENABLED=false", `"enableAutoUpdate":false`, `"enableAutoUpdateNotification":false`, `"usageStatisticsEnabled":false`, `"telemetry":{"enabled":false}`},
		"qwen": {
			"QWEN_TELEMETRY_ENABLED=false", `"enableAutoUpdate":false`, `"usageStatisticsEnabled":false`, `"telemetry":{"enabled":false}`,
			`"enableManagedAutoMemory":false`,
		},
	} {
		p, _ := PresetOf(preset)
		b := New(Options{Preset: &p, Environ: []string{"DISABLE_TELEMETRY=", "QWEN_TELEMETRY_ENABLED=true", "GEMINI_TELEMETRY_ENABLED=true"}})
		c := b.call(tiers["executor"])
		settings := ""
		if p.settings != nil {
			settings = p.settings(c)
		}
		env := b.environ(c, nil)
		for _, part := range want {
			name, _, isVariable := strings.Cut(part, "=")
			last := ""
			for _, kv := range env {
				if strings.HasPrefix(kv, name+"=") {
					last = kv
				}
			}
			if isVariable && last != "" && last != part || !slices.Contains(append(env, b.argv(c, "", "")...), part) && !strings.Contains(settings, part) {
				t.Errorf("%s is started without %s", preset, part)
			}
		}
	}
}

func TestVariablesOfASessionAroundAreTakenOut(t *testing.T) {
	var environ []string
	for _, name := range nested {
		environ = append(environ, name+"=around")
	}
	for _, preset := range Presets() {
		p, _ := PresetOf(preset)
		b := New(Options{Preset: &p, Environ: append(environ, "KEPT=around")})
		env := b.environ(b.call(tiers["executor"]), nil)
		for _, name := range nested {
			if slices.Contains(env, name+"=around") {
				t.Errorf("%s gets %s", preset, name)
			}
		}
		if !slices.Contains(env, "KEPT=around") {
			t.Errorf("%s lacks what belongs to nobody's session", preset)
		}
	}
}

func TestOwnPersonasHaveTheirTiers(t *testing.T) {
	set, err := personas.Load(nil)
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[personas.Name]tier{
		personas.Planner: mayPlan, personas.Executor: mayWork, personas.Verifier: mayRead, personas.Reviewer: mayRead,
	} {
		if got := tierOf(set.For(name, personas.Work)); got != want {
			t.Errorf("the %s is of tier %d, want %d", name, got, want)
		}
	}
	if got := tierOf(set.For(personas.Verifier, personas.Diagnosis)); got != mayRead {
		t.Errorf("who diagnoses is of tier %d", got)
	}
}

func TestPresetNamesTheVersionThatItWasTriedWith(t *testing.T) {
	for _, name := range Presets() {
		if p, _ := PresetOf(name); !regexp.MustCompile(`^\d+\.\d+\.\d+$`).MatchString(p.Version) {
			t.Errorf("%s was tried with %q", name, p.Version)
		}
	}
}

func TestReplyIsMendedInTheConversationOfEachProgram(t *testing.T) {
	for preset, c := range map[string]struct{ says, resumed string }{
		"opencode": {`{"type":"text","sessionID":"s-7","part":{"text":"TEXT"}}` + "\n" + `{"type":"step_finish","sessionID":"s-7","part":{"reason":"stop"}}`, "--session s-7"},
		"gemini": {
			`{"type":"init","session_id":"s-7"}` + "\n" + `{"type":"message","role":"assistant","content":"TEXT"}` + "\n" + `{"type":"result","status":"success"}`,
			"--resume s-7",
		},
		"qwen": {`{"type":"result","session_id":"s-7","is_error":false,"result":"TEXT"}`, "--resume s-7"},
	} {
		d := world(t)
		write(t, filepath.Join(d.Dir, "bad"), strings.ReplaceAll(c.says, "TEXT", `~~~json\n{\"status\":\"well\"}\n~~~`)+"\n")
		write(t, filepath.Join(d.Dir, "good"), strings.ReplaceAll(c.says, "TEXT", fence)+"\n")
		p, _ := PresetOf(preset)
		out := play(t, New(Options{Preset: &p, Argv: []string{fake(t, "if test -e n; then cat good; else touch n; cat bad; fi")}}), d)
		if out.Kind != personas.GotReply || out.Turns != 2 {
			t.Errorf("%s: %+v", preset, out)
		}
		if first, second, _ := strings.Cut(read(t, d.Dir, "args"), "\n"); strings.Contains(first, "s-7") || !strings.Contains(second, c.resumed) {
			t.Errorf("%s was started with %q, then with %q", preset, first, second)
		}
	}
}
