//go:build unix

package command

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"autopilot/personas"
)

var tiers = map[string]personas.Persona{
	"reviewer": {Name: personas.Reviewer, May: []string{personas.MayRead}},
	"planner":  {Name: personas.Planner, May: []string{personas.MayRead, personas.MayPlan}},
	"executor": {Name: personas.Executor, May: []string{personas.MayRead, personas.MayWrite, personas.MayRun}},
}

func TestPersonaDecidesWhatAProgramMayDo(t *testing.T) {
	for preset, want := range map[string]map[string]string{
		"claude":   {"reviewer": "--permission-mode default --disallowedTools Edit,Write,NotebookEdit", "planner": "--permission-mode acceptEdits", "executor": "--dangerously-skip-permissions"},
		"codex":    {"reviewer": `sandbox_mode="read-only"`, "planner": `sandbox_mode="workspace-write"`, "executor": `network_access=true`},
		"opencode": {"reviewer": `OPENCODE_PERMISSION={"edit":"deny"}`, "planner": "--auto", "executor": "--auto"},
		"gemini":   {"reviewer": "--approval-mode default", "planner": "--approval-mode auto_edit", "executor": "--approval-mode yolo"},
		"qwen":     {"reviewer": "--approval-mode default", "planner": "--approval-mode auto-edit", "executor": "--approval-mode yolo"},
	} {
		p, _ := PresetOf(preset)
		for persona, part := range want {
			b := New(Options{Preset: &p, Environ: []string{}})
			c := b.call(tiers[persona])
			all := strings.Join(append(b.argv(c, "", ""), b.environ(c, nil)...), " ")
			if !strings.Contains(all, part) {
				t.Errorf("%s as %s lacks %q: %s", preset, persona, part, all)
			}
			if persona != "executor" && (strings.Contains(all, "--dangerously") || strings.Contains(all, "yolo") || strings.Contains(all, "network_access=true")) {
				t.Errorf("%s as %s may do what the executor may: %s", preset, persona, all)
			}
		}
	}
}

func TestServerAndKeyArePassedAsEachProgramExpectsThem(t *testing.T) {
	for preset, want := range map[string][]string{
		"claude":   {"ANTHROPIC_BASE_URL=http://127.0.0.1:4010", "ANTHROPIC_API_KEY=the-key-of-mine", "--model", "m1"},
		"codex":    {`model_providers.autopilot.base_url="http://127.0.0.1:4010/v1"`, `model_providers.autopilot.env_key="MINE"`, `model_provider="autopilot"`, "MINE=the-key-of-mine", `model="m1"`},
		"opencode": {`"baseURL":"http://127.0.0.1:4010/v1"`, `"apiKey":"the-key-of-mine"`, "autopilot/m1", `"models":{"m1":{"name":"m1"}}`},
		"gemini":   {"GOOGLE_GEMINI_BASE_URL=http://127.0.0.1:4010", "GEMINI_API_KEY=the-key-of-mine", "m1"},
		"qwen":     {"OPENAI_BASE_URL=http://127.0.0.1:4010/v1", "OPENAI_API_KEY=the-key-of-mine", "--auth-type", "openai", "m1"},
	} {
		p, _ := PresetOf(preset)
		b := New(Options{
			Preset: &p, Model: "m1", BaseURL: "http://127.0.0.1:4010/v1", KeyEnv: "MINE", Env: map[string]string{"MORE": "1"},
			Environ: []string{"MINE=the-key-of-mine", "CLAUDECODE=1", "GEMINI_CLI=1", "ANTHROPIC_AUTH_TOKEN=old", "GOOGLE_API_KEY=old", "CODEX_API_KEY=old", "OPENCODE_API_KEY=old", "GROQ_API_KEY=old", "AWS_SECRET_ACCESS_KEY=old", "DASHSCOPE_API_KEY=old"},
		})
		c := b.call(tiers["executor"])
		all := "\n" + strings.Join(append(b.argv(c, "", ""), b.environ(c, nil)...), "\n") + "\n"
		for _, part := range append(want, "MORE=1") {
			if !strings.Contains(all, part) {
				t.Errorf("%s lacks %q:%s", preset, part, all)
			}
		}
		if strings.Contains(all, "=old\n") || strings.Contains(all, "\nCLAUDECODE=1\n") || strings.Contains(all, "\nGEMINI_CLI=1\n") {
			t.Errorf("%s gets another key, or what a session around it left:%s", preset, all)
		}
	}
}

func TestWithoutAKeyTheProgramKeepsItsOwnLogIn(t *testing.T) {
	b := New(Options{Preset: &claude, Environ: []string{"ANTHROPIC_AUTH_TOKEN=mine", "CLAUDECODE=1"}})
	if env := b.environ(b.call(tiers["executor"]), nil); !slices.Contains(env, "ANTHROPIC_AUTH_TOKEN=mine") || slices.Contains(env, "CLAUDECODE=1") {
		t.Errorf("the environment is %q", env)
	}
	b = New(Options{Preset: &codex, KeyEnv: "OPENAI_API_KEY", Environ: []string{"OPENAI_API_KEY=mine"}})
	if env := b.environ(b.call(tiers["executor"]), nil); !slices.Contains(env, "OPENAI_API_KEY=mine") {
		t.Errorf("the key that is configured was dropped: %q", env)
	}
}

// fake makes a program of a script, of which each run appends its arguments to a file.
func fake(t *testing.T, script string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "fake")
	write(t, path, "#!/bin/sh\necho \"$*\" >> args\n"+script)
	if err := os.Chmod(path, 0o755); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestReplyIsMendedInTheSameConversation(t *testing.T) {
	for preset, c := range map[string]struct {
		before, bad, good, resumed string
		cost                       float64
	}{
		"claude": {
			"", `{"type":"assistant","message":{"id":"m1","usage":{"input_tokens":100}},"session_id":"s-7"}` + "\n" +
				`{"type":"result","session_id":"s-7","result":"no reply\n~~~json\n{\"status\":\"well\"}\n~~~","usage":{"input_tokens":100,"output_tokens":5},"total_cost_usd":0.25}`,
			`{"type":"result","session_id":"s-7","result":"` + fence + `","usage":{"input_tokens":60,"output_tokens":5},"total_cost_usd":0.375}`, "--resume s-7", 0.375,
		},
		"codex": {
			`{"type":"thread.started","thread_id":"s-7"}` + "\n", `{"type":"item.completed","item":{"type":"agent_message","text":"~~~json\n{\"status\":\"well\"}\n~~~"}}` + "\n" +
				`{"type":"turn.completed","usage":{"input_tokens":100,"output_tokens":5}}`,
			`{"type":"item.completed","item":{"type":"agent_message","text":"` + fence + `"}}` + "\n" +
				`{"type":"turn.completed","usage":{"input_tokens":160,"output_tokens":10}}`, "exec resume --json", 0,
		},
	} {
		t.Run(preset, func(t *testing.T) {
			d := world(t)
			var used personas.Usage
			d.OnUsage = func(u personas.Usage) { used = used.Add(u) }
			write(t, filepath.Join(d.Dir, "bad"), c.before+c.bad+"\n")
			write(t, filepath.Join(d.Dir, "good"), c.before+c.good+"\n")
			p, _ := PresetOf(preset)
			b := New(Options{Preset: &p, Argv: []string{fake(t, "cat > got.md; if test -e n; then cat good; else touch n; cat bad; fi"), "--mine"}})
			out := play(t, b, d)
			wantKind(t, out, personas.GotReply)
			if out.Usage.InputTokens != 160 || out.Usage.OutputTokens != 10 || out.Usage.CostUSD != c.cost || used != out.Usage || out.Turns != 2 {
				t.Errorf("it used %+v in %d runs, and %+v was told", out.Usage, out.Turns, used)
			}
			first, second, _ := strings.Cut(read(t, d.Dir, "args"), "\n")
			if strings.Contains(first, "resume") || !strings.Contains(second, c.resumed) || !strings.Contains(second, "s-7") || !strings.Contains(first, "--mine") {
				t.Errorf("it was started with %q, then with %q", first, second)
			}
			if got := read(t, d.Dir, "got.md"); !strings.Contains(got, "Your reply could not be taken") {
				t.Errorf("it was asked %q", got)
			}
		})
	}
}

func TestSettingsStandInAFileOfTheDispatch(t *testing.T) {
	for server, file := range map[string]string{
		"":                      "$GEMINI_CLI_SYSTEM_DEFAULTS_PATH",
		"http://127.0.0.1:4010": "$GEMINI_CLI_HOME/.gemini/settings.json", // gemini heeds no defaults of an ordinary user's
	} {
		d := world(t)
		script := `cp "` + file + `" copied; echo "${GEMINI_CLI_HOME:-none}" > home; echo '` + done + `' > "$AUTOPILOT_REPLY"`
		b := New(Options{
			Preset: &gemini, Argv: []string{fake(t, script)}, BaseURL: server, KeyEnv: "MINE",
			Environ: []string{"PATH=" + os.Getenv("PATH"), "MINE=the-key-of-mine"},
		})
		wantKind(t, play(t, b, d), personas.GotReply)
		settings := read(t, d.Dir, "copied")
		for _, part := range []string{`"enableAutoUpdate":false`, `"usageStatisticsEnabled":false`, `"selectedType":"gemini-api-key"`} {
			if !strings.Contains(settings, part) {
				t.Errorf("%s is not in %s", part, settings)
			}
		}
		if home := strings.TrimSpace(read(t, d.Dir, "home")); (home == "none") != (server == "") || server != "" && !strings.HasPrefix(home, d.OutDir) {
			t.Errorf("with the server %q its home is %s", server, home)
		}
	}
}

func TestToolsOfAProgramAreCounted(t *testing.T) {
	d := world(t)
	write(t, filepath.Join(d.Dir, "events"), playedEvents["codex"])
	out := play(t, New(Options{Preset: &codex, Argv: []string{fake(t, "cat events")}}), d)
	wantKind(t, out, personas.GotReply)
	if out.Metrics.ToolCalls != 2 || out.Metrics.ToolFailures != 1 || !out.Metrics.ToldTools || out.Metrics.ToldAll {
		t.Errorf("counted %+v", out.Metrics)
	}
}

func TestKeyOfAPresetReachesNoRecord(t *testing.T) {
	d := world(t)
	b := New(Options{Preset: &claude, Argv: []string{fake(t, `echo "key $ANTHROPIC_API_KEY"; exit 1`)}, KeyEnv: "MINE", Environ: []string{"PATH=" + os.Getenv("PATH"), "MINE=abcdefgh-1234"}})
	wantKind(t, play(t, b, d), personas.Crashed, "key [secret]")
	if log := read(t, d.AttemptDir, "output.log"); strings.Contains(log, "abcdefgh") {
		t.Errorf("the key is in the log: %s", log)
	}
}

func TestProgramThatIsNotInstalledIsToldApart(t *testing.T) {
	for _, name := range Presets() {
		p, _ := PresetOf(name)
		if err := New(Options{Preset: &p, Environ: []string{"PATH=/nowhere"}}).Check(t.TempDir()); err == nil || !strings.Contains(err.Error(), p.Program) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, ok := PresetOf("cat"); ok {
		t.Error("a preset that does not exist was found")
	}
}

func TestConversationGoesOnAsEachProgramWantsIt(t *testing.T) {
	for preset, want := range map[string]string{
		"claude": " --resume s-7", "codex": " s-7 -", "opencode": " --session s-7", "gemini": " --resume s-7", "qwen": " --resume s-7",
	} {
		p, _ := PresetOf(preset)
		b := New(Options{Preset: &p, Environ: []string{}, Argv: []string{"/opt/it", "--mine"}})
		c := b.call(tiers["executor"])
		fresh := strings.Join(b.argv(c, "", ""), " ")
		c.session = "s-7"
		again := strings.Join(b.argv(c, "", ""), " ")
		if !strings.Contains(again, want) || strings.Contains(fresh, "s-7") || !strings.HasPrefix(again, "/opt/it ") || !strings.Contains(fresh, " --mine") {
			t.Errorf("%s is started as\n%s\nand goes on as\n%s", preset, fresh, again)
		}
	}
}

func TestVersionIsAskedFor(t *testing.T) {
	for script, want := range map[string]string{
		"echo '2.1.330 (Claude Code)'":         "2.1.330",
		"echo noise >&2; echo codex-cli 0.1.2": "0.1.2",
		"echo 'node: not found'; exit 127":     "",
		"echo 1.2.3; exit 1":                   "",
	} {
		p := claude
		b := New(Options{Preset: &p, Argv: []string{fake(t, script), "--mine"}})
		got, err := b.Version(t.Context(), t.TempDir())
		if got != want || (err == nil) != (want != "") {
			t.Errorf("%s: %q, %v", script, got, err)
		}
	}
	if _, err := New(Options{Argv: []string{"/no/such/program"}}).Version(t.Context(), t.TempDir()); err == nil {
		t.Error("a program that is not there has a version")
	}
	if New(Options{Argv: []string{"x"}}).Preset() != nil {
		t.Error("a program of no preset has one")
	}
}

func TestProgramIsToldWhichOfItsAgentsIsToWork(t *testing.T) {
	for _, name := range Presets() {
		p, _ := PresetOf(name)
		b := New(Options{Preset: &p, Agent: "lean", Environ: []string{}})
		told := strings.Contains(strings.Join(b.argv(b.call(tiers["executor"]), "", ""), " ")+" ", " --agent lean ")
		if want := name == "claude" || name == "opencode"; told != want || b.TakesAgent() != want {
			t.Errorf("%s is told: %v, and takes one: %v", name, told, b.TakesAgent())
		}
		b.o.Agent = ""
		if all := strings.Join(b.argv(b.call(tiers["executor"]), "", ""), " "); strings.Contains(all, "--agent") {
			t.Errorf("%s without one: %s", name, all)
		}
	}
	own := New(Options{Argv: []string{"./agent.sh", "--as={agent}"}, Agent: "lean"})
	if got := own.argv(call{}, "", ""); got[1] != "--as=lean" || !own.TakesAgent() || !WantsAgent(own.o.Argv) || WantsAgent([]string{"agent"}) {
		t.Errorf("a program of one's own is started as %q", got)
	}
	if claude.In(Form{Program: "claude-agent-acp"}).Agents {
		t.Error("another form of a program takes its agents")
	}
}
