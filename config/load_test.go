package config

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// write puts a file under a folder of the test and gives its path.
func write(t *testing.T, dir, name, text string) string {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// project is Options for a repository with this autopilot.yaml and nothing else.
func project(t *testing.T, text string) Options {
	t.Helper()
	dir := t.TempDir()
	write(t, dir, ProjectFile, text)
	return Options{Root: dir}
}

func mustLoad(t *testing.T, opts Options) (*Config, Report) {
	t.Helper()
	cfg, report, err := Load(opts)
	if err != nil {
		t.Fatal(err)
	}
	return cfg, report
}

func TestDefaultsAreTheDocumentedOnes(t *testing.T) {
	cfg, report := mustLoad(t, Options{Root: t.TempDir(), UserDir: t.TempDir()})
	want := &Config{
		Rigor: "standard", Backend: "auto", Retries: 3, Parallel: 1, Turns: 200,
		Backends: map[string]Backend{},
		Prices:   map[string]Price{},
		Personas: map[string]Persona{},
		MCP:      MCP{Servers: map[string]MCPServer{}},
		Timeouts: Timeouts{Idle: 10 * time.Minute, Dispatch: time.Hour, Hook: 10 * time.Minute},
		Limits: Limits{
			MaxDispatches: 200, MaxDuration: 24 * time.Hour, MaxCostUSD: 20, MaxTokens: 20_000_000, Wait: "auto",
			Phase: PhaseLimits{MaxDispatches: 100, MaxDuration: 12 * time.Hour, MaxCostUSD: 10, MaxTokens: 15_000_000},
			Task:  TaskLimits{MaxDispatches: 20, MaxDuration: 6 * time.Hour, MaxCostUSD: 5, MaxTokens: 8_000_000},
		},
		Learnings: Learnings{Budget: 1000},
		Tasks:     Tasks{OnFailure: "keep"},
		Fix:       FixRounds{Auto: -1},
		Verify:    Verify{Blind: "on"},
		Validate:  Validate{Health: "warning"},
		Integrity: Integrity{OldTests: "on"},
		Notify:    Notify{On: []string{"question", "done", "stopped"}, Terminal: "auto", Desktop: "auto", Remind: 2 * time.Hour},
	}
	if diff := cmp.Diff(want, cfg, cmpopts.IgnoreUnexported(Config{})); diff != "" {
		t.Errorf("defaults differ (-want +got):\n%s", diff)
	}
	if len(report.Warnings)+len(report.Files) > 0 {
		t.Errorf("warnings %q, files %q: want none", report.Warnings, report.Files)
	}
}

func TestEveryKeyOfAFileArrives(t *testing.T) {
	cfg, _ := mustLoad(t, project(t, `
rigor: thorough
review_plans: true
backend: Local.v2
model: m0
backends:
  Local.v2: {type: openai, base_url: "http://127.0.0.1:8080/v1", model: m1, api_key_env: MY_Key, effort: low, stream: false}
  agent:
    type: command
    preset: claude
    command: [./agent.sh, --fast]
    env: {CODEX_Home: /x, lower: y}
  played: {type: replay, file: turns.yaml}
prices: {"Model:8b": {input: 0.5, cached: 0.1, output: 2}}
personas:
  planner: {backend: agent, model: big, agent: lean}
retries: 0
parallel: 4
turns: 10
timeouts: {idle: 90s, dispatch: 2h, validation: 30m, hook: 1m}
limits: {max_dispatches: 5, max_duration: 1h30m, max_cost_usd: 0.5, max_tokens: 1_000, wait: 30m,
  phase: {max_dispatches: 4, max_duration: 1h, max_cost_usd: 0.4, max_tokens: 900}, task: {max_dispatches: 3, max_duration: 30m, max_cost_usd: 0.3, max_tokens: 800}}
pause_every: 7
learnings: {budget: 0}
tasks: {on_failure: rollback}
fix: {auto: 2}
verify: {blind: off}
validate:
  health: fatal
  commands:
    - go test ./...
    - {command: npm test, dir: web/app}
integrity: {old_tests: announced}
mcp: {servers: {Docs: {command: [docs, --all], tier: read, tools: [look_up], env: [DOCS_Token], timeout: 30s}, b_2: {command: [b]}}}
worktree: {setup: "make deps", copy: [node_modules, .env.local]}
notify: {on: [limit], terminal: off, desktop: off, remind: 30m, command: [./Tell, it], detail: true,
  webhooks: [{url_env: SLACK_Url, format: slack}, {url: "https://h.example/Topic", secret_env: HOOK_Secret}]}
`))
	no := false
	want := &Config{
		Rigor: "thorough", ReviewPlans: true, Backend: "Local.v2", Model: "m0", Retries: 0, Parallel: 4, Turns: 10,
		Backends: map[string]Backend{
			"Local.v2": {Type: "openai", BaseURL: "http://127.0.0.1:8080/v1", Model: "m1", APIKeyEnv: "MY_Key", Effort: "low", Stream: &no, Env: map[string]string{}},
			"agent":    {Type: "command", Preset: "claude", Command: []string{"./agent.sh", "--fast"}, Env: map[string]string{"CODEX_Home": "/x", "lower": "y"}},
			"played":   {Type: "replay", File: "turns.yaml", Env: map[string]string{}},
		},
		Prices:   map[string]Price{"Model:8b": {Input: 0.5, Cached: 0.1, Output: 2}},
		Personas: map[string]Persona{"planner": {Backend: "agent", Model: "big", Agent: "lean"}},
		Timeouts: Timeouts{Idle: 90 * time.Second, Dispatch: 2 * time.Hour, Validation: 30 * time.Minute, Hook: time.Minute},
		Limits: Limits{
			MaxDispatches: 5, MaxDuration: 90 * time.Minute, MaxCostUSD: 0.5, MaxTokens: 1000, Wait: "30m",
			Phase: PhaseLimits{MaxDispatches: 4, MaxDuration: time.Hour, MaxCostUSD: 0.4, MaxTokens: 900},
			Task:  TaskLimits{MaxDispatches: 3, MaxDuration: 30 * time.Minute, MaxCostUSD: 0.3, MaxTokens: 800},
		},
		PauseEvery: 7,
		Tasks:      Tasks{OnFailure: "rollback"},
		Fix:        FixRounds{Auto: 2},
		Verify:     Verify{Blind: "off"},
		Validate:   Validate{Commands: Commands{List: []Command{{Command: "go test ./..."}, {Command: "npm test", Dir: "web/app"}}}, Health: "fatal"},
		Integrity:  Integrity{OldTests: "announced"},
		MCP: MCP{Servers: map[string]MCPServer{
			"Docs": {Command: []string{"docs", "--all"}, Tier: "read", Tools: []string{"look_up"}, Env: []string{"DOCS_Token"}, Timeout: 30 * time.Second},
			"b_2":  {Command: []string{"b"}},
		}},
		Worktree: Worktree{Setup: "make deps", Copy: []string{"node_modules", ".env.local"}},
		Notify: Notify{
			On: []string{"limit"}, Terminal: "off", Desktop: "off", Remind: 30 * time.Minute, Command: []string{"./Tell", "it"}, Detail: true,
			Webhooks: Webhooks{{URLEnv: "SLACK_Url", Format: "slack"}, {URL: "https://h.example/Topic", SecretEnv: "HOOK_Secret"}},
		},
	}
	if diff := cmp.Diff(want, cfg, cmpopts.IgnoreUnexported(Config{})); diff != "" {
		t.Errorf("configuration differs (-want +got):\n%s", diff)
	}
}

func TestLaterLayersWinKeyByKey(t *testing.T) {
	root, user := t.TempDir(), t.TempDir()
	userFile := write(t, user, UserFile, "retries: 1\nparallel: 2\nturns: 2\nmodel: user\nbackends: {b: {type: command, command: [a], env: {A: '1', B: '1'}}}\n")
	write(t, root, ProjectFile, "parallel: 3\nturns: 3\nmodel: project\nbackends: {b: {env: {B: '2'}}}\n")
	cfg, report := mustLoad(t, Options{
		Root: root, UserDir: user,
		Environ: []string{"AUTOPILOT_TURNS=4", "AUTOPILOT_MODEL=env", "AUTOPILOT_LIMITS_MAX_COST_USD=1.5"},
		Flags:   map[string]any{"model": "flag", "limits.max_duration": time.Hour},
	})
	sources := map[string]string{}
	for _, v := range report.Values {
		sources[v.Key] = v.Source
	}
	for key, want := range map[string]string{
		"rigor": "default", "retries": userFile + ":1", "parallel": "autopilot.yaml:1", "turns": "AUTOPILOT_TURNS", "model": "command line",
		"limits.max_cost_usd": "AUTOPILOT_LIMITS_MAX_COST_USD", "backends.b.env.A": userFile + ":5", "backends.b.env.B": "autopilot.yaml:4",
	} {
		if sources[key] != want {
			t.Errorf("%s comes from %q, want %q", key, sources[key], want)
		}
	}
	got := []any{cfg.Retries, cfg.Parallel, cfg.Turns, cfg.Model, cfg.Limits.MaxCostUSD, cfg.Limits.MaxDuration, cfg.Backends["b"].Env}
	want := []any{1, 3, 4, "flag", 1.5, time.Hour, map[string]string{"A": "1", "B": "2"}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("values differ (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{userFile, filepath.Join(root, ProjectFile)}, report.Files); diff != "" {
		t.Errorf("files differ (-want +got):\n%s", diff)
	}
}

// TestOnlySomePartsAreTheUsersOwn: of the others, the user's file and the environment set nothing; the repository's file and flags do.
func TestOnlySomePartsAreTheUsersOwn(t *testing.T) {
	root, user := t.TempDir(), t.TempDir()
	write(t, user, UserFile, "retries: 1\nturns: 2\nmodel: user\n")
	write(t, root, ProjectFile, "turns: 3\nvalidate: {commands: [a]}\n")
	cfg, _ := mustLoad(t, Options{
		Root: root, UserDir: user, Own: []string{"model", "backend"},
		Environ: []string{"AUTOPILOT_TURNS=4", "AUTOPILOT_BACKEND=claude", "AUTOPILOT_PARALLEL=5"}, Flags: map[string]any{"fix.auto": 2},
	})
	got := []any{cfg.Retries, cfg.Turns, cfg.Model, cfg.Backend, cfg.Parallel, cfg.Fix.Auto, cfg.Validate.Commands.String()}
	if diff := cmp.Diff([]any{3, 3, "user", "claude", 1, 2, "a"}, got); diff != "" {
		t.Errorf("values differ (-want +got):\n%s", diff)
	}
}

func TestNamedFileStandsInForTheProjectFile(t *testing.T) {
	opts := project(t, "retries: 1\nparallel: 5\n")
	opts.File = write(t, t.TempDir(), "other.yaml", "retries: 2\n")
	cfg, _ := mustLoad(t, opts)
	if cfg.Retries != 2 || cfg.Parallel != 1 {
		t.Errorf("retries %d, parallel %d: want 2 of the named file and the default 1", cfg.Retries, cfg.Parallel)
	}
	opts.File = filepath.Join(opts.Root, "gone.yaml")
	if _, _, err := Load(opts); err == nil || !strings.Contains(err.Error(), "gone.yaml: does not exist; name an existing file") {
		t.Errorf("missing named file: %v", err)
	}
}

func TestMisnamedFileIsSaid(t *testing.T) {
	root := t.TempDir()
	write(t, root, "autopilot.yml", "retries: 1\n")
	cfg, report := mustLoad(t, Options{Root: root})
	if cfg.Retries != 3 || len(report.Warnings) != 1 || !strings.Contains(report.Warnings[0], "autopilot.yml is not read; rename it to autopilot.yaml") {
		t.Errorf("retries %d, warnings %q", cfg.Retries, report.Warnings)
	}
}

func TestAllProblemsAreReportedTogether(t *testing.T) {
	opts := project(t, "retries: 11\nparallell: 2\n")
	opts.Environ = []string{"AUTOPILOT_TURNS=0"}
	_, _, err := Load(opts)
	want := `autopilot.yaml:1: retries must be from 0 to 10, not 11
autopilot.yaml:2: parallell is not a known key; did you mean parallel?
AUTOPILOT_TURNS: turns must be 1 or more, not 0`
	if err == nil || err.Error() != want {
		t.Errorf("got\n%v\nwant\n%s", err, want)
	}
	var e *Error
	if !errors.As(err, &e) || e.Key != "retries" || e.Origin.Line != 1 {
		t.Errorf("first problem is %+v, want key retries in line 1", e)
	}
}

func TestFlagsAreCheckedLikeFiles(t *testing.T) {
	cases := []struct {
		flags map[string]any
		want  string
	}{
		{map[string]any{"rigor": "quick"}, `command line: rigor must be one of fast, standard, thorough, not "quick"`},
		{map[string]any{"limits.max_tokens": 0}, "command line: limits.max_tokens must be 1 or more, not 0"},
		{map[string]any{"limits.max_duration": "soon"}, `command line: limits.max_duration must be a duration such as 90s, 10m or 2h, not "soon"`},
		{map[string]any{"backends.x.type": "openai"}, "command line: backends.x.type is not a key that a flag can set"},
		{map[string]any{"limits": 1}, "command line: limits is not a key that a flag can set"},
		{map[string]any{"nonsense": 1}, "command line: nonsense is not a key that a flag can set"},
		{map[string]any{"worktree.copy": []string{"../x"}}, `command line: worktree.copy must be a path inside the repository, which "../x" is not`},
	}
	for _, c := range cases {
		if _, _, err := Load(Options{Flags: c.flags}); err == nil || err.Error() != c.want {
			t.Errorf("%v: got %v, want %s", c.flags, err, c.want)
		}
	}
	cfg, _ := mustLoad(t, Options{Flags: map[string]any{"worktree.copy": []string{"a", "b"}, "limits.max_cost_usd": 3.0, "review_plans": true}})
	if len(cfg.Worktree.Copy) != 2 || cfg.Limits.MaxCostUSD != 3 || !cfg.ReviewPlans {
		t.Errorf("typed flags: %+v", cfg)
	}
}

func BenchmarkLoad(b *testing.B) {
	dir := b.TempDir()
	text := "retries: 2\nbackends: {local: {type: openai}}\n"
	if err := os.WriteFile(filepath.Join(dir, ProjectFile), []byte(text), 0o600); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, _, err := Load(Options{Root: dir}); err != nil {
			b.Fatal(err)
		}
	}
}
