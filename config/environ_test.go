package config

import (
	"strings"
	"testing"

	"autopilot/autopilot/words"

	"github.com/google/go-cmp/cmp"
)

func TestVariablesSetEveryKindOfValue(t *testing.T) {
	cfg, report := mustLoad(t, Options{Environ: []string{
		"HOME=/x", "AUTOPILOT_MODEL=123", "AUTOPILOT_REVIEW_PLANS=true", "AUTOPILOT_RETRIES= 2 ", "AUTOPILOT_TIMEOUTS_IDLE=5m",
		"AUTOPILOT_WORKTREE_COPY=[a, b]", "AUTOPILOT_VALIDATE_COMMANDS=echo a: b", "AUTOPILOT_PARALLEL=",
	}})
	got := []any{cfg.Model, cfg.ReviewPlans, cfg.Retries, words.Short(cfg.Timeouts.Idle), cfg.Worktree.Copy, cfg.Validate.Commands.String(), cfg.Parallel}
	if diff := cmp.Diff([]any{"123", true, 2, "5m", []string{"a", "b"}, "echo a: b", 1}, got); diff != "" {
		t.Errorf("values differ (-want +got):\n%s", diff)
	}
	if len(report.Warnings) > 0 {
		t.Errorf("warnings %q", report.Warnings)
	}
}

func TestCommandsOfAVariable(t *testing.T) {
	for text, want := range map[string]Commands{
		"none":                      {None: true},
		"None":                      {None: true},
		"go test":                   {List: []Command{{Command: "go test"}}},
		"[a, {command: b, dir: c}]": {List: []Command{{Command: "a"}, {Command: "b", Dir: "c"}}},
	} {
		cfg, _ := mustLoad(t, Options{Environ: []string{"AUTOPILOT_VALIDATE_COMMANDS=" + text}})
		if diff := cmp.Diff(want, cfg.Validate.Commands); diff != "" {
			t.Errorf("%s (-want +got):\n%s", text, diff)
		}
	}
}

func TestBadVariableIsAnErrorWithItsName(t *testing.T) {
	for entry, want := range map[string]string{
		"AUTOPILOT_RETRIES=many":        `AUTOPILOT_RETRIES: retries must be a whole number, not "many"`,
		"AUTOPILOT_WORKTREE_COPY=[a":    "AUTOPILOT_WORKTREE_COPY: worktree.copy must be a list such as [a, b]",
		"AUTOPILOT_WORKTREE_COPY=../x":  `AUTOPILOT_WORKTREE_COPY: worktree.copy must be a path inside the repository, which "../x" is not`,
		"AUTOPILOT_VALIDATE_COMMANDS=[": "AUTOPILOT_VALIDATE_COMMANDS: validate.commands must be a list such as [a, b]",
		"AUTOPILOT_BACKEND=nowhere":     `AUTOPILOT_BACKEND: backend names the backend "nowhere", which does not exist; describe it under backends, or use one of ` + knownBackends,
	} {
		if _, _, err := Load(Options{Environ: []string{entry}}); err == nil || err.Error() != want {
			t.Errorf("%s:\ngot  %v\nwant %s", entry, err, want)
		}
	}
}

func TestUnknownVariableIsAWarning(t *testing.T) {
	for name, want := range map[string]string{
		"AUTOPILOT_LIMITS_MAX_TOKEN":  "did you mean AUTOPILOT_LIMITS_MAX_TOKENS?",
		"AUTOPILOT_QQQQQQQQQQQQQQQQQ": "autopilot config lists the keys",
		"AUTOPILOT_BACKENDS_X_TYPE":   "backends and personas are described in autopilot.yaml",
		"AUTOPILOT_RIGOR":             "or use --fast or --thorough",
	} {
		_, report := mustLoad(t, Options{Environ: []string{name + "=1"}})
		if len(report.Warnings) != 1 || !strings.HasPrefix(report.Warnings[0], name+" is ") || !strings.HasSuffix(report.Warnings[0], want) {
			t.Errorf("%s: warnings %q, want one ending in %q", name, report.Warnings, want)
		}
	}
}

func TestWarningsComeAlsoWithErrors(t *testing.T) {
	_, report, err := Load(Options{Environ: []string{"AUTOPILOT_WHATEVER=1", "AUTOPILOT_TURNS=x"}})
	if err == nil || len(report.Warnings) != 1 {
		t.Errorf("error %v, warnings %q", err, report.Warnings)
	}
}

func TestVariablesOfADispatchAreNotConfiguration(t *testing.T) {
	var env []string
	for name := range told {
		env = append(env, name+"=fast")
	}
	cfg, report := mustLoad(t, Options{Environ: env})
	if cfg.Rigor != "standard" || len(report.Warnings) > 0 {
		t.Errorf("rigor %s, warnings %q", cfg.Rigor, report.Warnings)
	}
	for _, k := range Keys() {
		if told[k.Env] {
			t.Errorf("%s is documented as set by %s, which belongs to dispatches", k.Name, k.Env)
		}
	}
}
