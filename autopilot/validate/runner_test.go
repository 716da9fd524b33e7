//go:build unix

package validate

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func runner() Runner {
	return Runner{Now: func() time.Time { return time.Unix(1_700_000_000, 0).UTC() }}
}

func TestOutcomeOfARun(t *testing.T) {
	withDependencies := map[string]string{"package.json": `{"devDependencies":{"jest":"1"}}`}
	for _, tc := range []struct {
		name    string
		v       Validation
		files   map[string]string
		outcome Outcome
		code    int
	}{
		{"success", Validation{Command: "true"}, nil, Passed, 0},
		{"failure", Validation{Command: "echo broken; exit 3"}, nil, Failed, 3},
		{"in its folder", Validation{Command: "test -e x", Dir: "sub"}, map[string]string{"sub/x": ""}, Passed, 0},
		{"missing folder", Validation{Command: "true", Dir: "none"}, nil, CouldNotCheck, -1},
		{"missing program", Validation{Command: "no-such-program-at-all"}, nil, CouldNotCheck, 127},
		{"not executable", Validation{Command: "./x"}, map[string]string{"x": "x"}, CouldNotCheck, 126},
		{"no pytest", Validation{Command: "echo /usr/bin/python3: No module named pytest; exit 1"}, nil, CouldNotCheck, 1},
		{"no node_modules", Validation{Command: "npm () { return 1; }; npm run test"}, withDependencies, CouldNotCheck, 1},
		{"no node_modules, and more", Validation{Command: "set -e\n( npm () { return 1; }\nnpm run test\n)\n( ls\n)"}, withDependencies, CouldNotCheck, 1},
		{"time-out", Validation{Command: "sleep 60", Timeout: 50 * time.Millisecond}, nil, TimedOut, 143},
		{"pytest without tests", Validation{Command: "pytest () { return 5; }; pytest"}, nil, NothingToRun, 5},
		{"exit 5 of something else", Validation{Command: "exit 5"}, nil, Failed, 5},
		{"unittest without tests", Validation{Command: "echo; echo 'Ran 0 tests in 0.000s'; echo OK"}, nil, NothingToRun, 0},
		{"npm's default", Validation{Command: `echo "Error: no test specified" && exit 1`}, nil, NothingToRun, 1},
		{"jest without tests", Validation{Command: "echo 'No tests found, exiting with code 1'; exit 1"}, nil, NothingToRun, 1},
		{"jest without tests, by make", Validation{Command: "echo 'No tests found, exiting with code 1'; echo 'make: *** [Makefile:2: test] Error 1'; exit 2"}, nil, NothingToRun, 2},
		{"vitest without tests", Validation{Command: "echo 'No test files found, exiting with code 1'; exit 1"}, nil, NothingToRun, 1},
		{"mocha without tests", Validation{Command: "echo 'Error: No test files found: \"test\"'; exit 1"}, nil, NothingToRun, 1},
		{"jest that lets tests be missing, then tsc", Validation{Command: "echo 'No tests found, exiting with code 0'; echo 'a.ts(1,1): error TS2304'; exit 2"}, nil, Failed, 2},
		{"the same, by make", Validation{Command: "echo 'No tests found, exiting with code 0'; echo 'make: *** [Makefile:2: test] Error 2'; exit 2"}, nil, Failed, 2},
		{"vitest that lets tests be missing, then tsc", Validation{Command: "echo 'No test files found, exiting with code 0'; exit 1"}, nil, Failed, 1},
		{"node without tests, then eslint", Validation{Command: "echo 'ℹ tests 0'; echo '✖ 3 problems (3 errors, 0 warnings)'; exit 1"}, nil, Failed, 1},
		{"jest with tests, jest without, then a build", Validation{Command: "printf 'Test Suites: 1 passed, 1 total\nTests:       12 passed, 12 total\n'; echo 'No tests found, exiting with code 1'; exit 1"}, nil, Failed, 1},
		{"pytest with tests, then a linter's exit 5", Validation{Command: "pytest () { echo '===== 3 passed in 0.01s ====='; }; pytest && exit 5"}, nil, Failed, 5},
		{"pytest whose only module is skipped", Validation{Command: "pytest () { echo '===== 1 skipped in 0.01s ====='; return 5; }; pytest"}, nil, NothingToRun, 5},
		{"Go without tests", Validation{Command: `printf '?   \tx/y\t[no test files]\n'`}, nil, NothingToRun, 0},
		{"Go with some tests", Validation{Command: `printf '?   \tx/y\t[no test files]\nok  \tx/z\t0.1s\n'`}, nil, Passed, 0},
		{"Go whose filter matches no test", Validation{Command: `printf 'ok  \tx/z\t0.002s [no tests to run]\n?   \tx/y\t[no test files]\n'`}, nil, NothingToRun, 0},
		{"the same, with coverage", Validation{Command: `printf 'ok  \tx/z\t0.002s\tcoverage: 0.0%% of statements [no tests to run]\n'`}, nil, NothingToRun, 0},
		{"the same, -v", Validation{Command: `printf 'testing: warning: no tests to run\nPASS\nok  \tx/z\t(cached) [no tests to run]\n'`}, nil, NothingToRun, 0},
		{"the same, -json", Validation{Command: `printf '%s\n' '{"Action":"output","Package":"x","Output":"ok  \tx\t0.002s [no tests to run]\n"}' '{"Action":"pass","Package":"x"}'`}, nil, NothingToRun, 0},
		{"Go whose filter matches in one package", Validation{Command: `printf 'ok  \tx/z\t0.002s [no tests to run]\nok  \tx/y\t0.002s\n'`}, nil, Passed, 0},
		{"the same, -json", Validation{Command: `printf '%s\n' '{"Action":"output","Package":"x","Output":"ok  \tx\t0.002s [no tests to run]\n"}' '{"Action":"pass","Package":"y","Test":"TestA"}'`}, nil, Passed, 0},
		{"Go that is to compile tests alone", Validation{Command: `printf 'ok  \tx/z\t0.002s [no tests to run]\n' # go test -run '^$'`}, nil, Passed, 0},
		{"Go in so many packages that the output is not kept as a whole", Validation{Command: `yes 'ok  	x/z	0.002s [no tests to run]' | head -2000`}, nil, NothingToRun, 0},
		{"mocha whose filter matches no test", Validation{Command: `printf '\n\n  0 passing (2ms)\n\n'`}, nil, NothingToRun, 0},
		{"jest whose filter matches no test", Validation{Command: `printf 'Test Suites: 1 skipped, 0 of 1 total\nTests:       3 skipped, 3 total\n'`}, nil, NothingToRun, 0},
		{"jest without a match, and with one", Validation{Command: `printf 'Test Suites: 1 skipped, 0 of 1 total\nTests:       3 skipped, 3 total\nTest Suites: 1 passed, 1 total\nTests:       1 passed, 1 total\n'`}, nil, Passed, 0},
		{"vitest whose filter matches no test", Validation{Command: `printf ' Test Files  1 skipped (1)\n      Tests  3 skipped (3)\n'`}, nil, NothingToRun, 0},
		{"vitest with a match", Validation{Command: `printf ' Test Files  1 passed (1)\n      Tests  1 passed | 2 skipped (3)\n'`}, nil, Passed, 0},
		{"Go without tests, broken", Validation{Command: `printf '?   \tx/y\t[no test files]\nFAIL\tx/z [build failed]\n'; exit 1`}, nil, Failed, 1},
		{"cargo without tests", Validation{Command: `printf 'running 0 tests\n\ntest result: ok. 0 passed; 0 failed; 0 ignored;\n\nrunning 0 tests\n\ntest result: ok. 0 passed; 0 failed; 0 ignored;\n'`}, nil, NothingToRun, 0},
		{"cargo with tests", Validation{Command: `printf 'running 1 test\n\ntest result: ok. 1 passed; 0 failed; 0 ignored;\n\nrunning 0 tests\n\ntest result: ok. 0 passed; 0 failed; 0 ignored;\n'`}, nil, Passed, 0},
	} {
		t.Run(tc.name, func(t *testing.T) {
			e := runner().Run(t.Context(), tree(t, tc.files), tc.v)
			if e.Outcome != tc.outcome || e.ExitCode != tc.code {
				t.Errorf("got %+v", e)
			}
			if (e.Reason == "") != (e.Outcome == Passed || e.Outcome == Failed && e.ExitCode != 0) {
				t.Errorf("%s with reason %q", e.Outcome, e.Reason)
			}
			if e.Command != tc.v.Command || !e.StartedAt.Equal(time.Unix(1_700_000_000, 0)) {
				t.Errorf("the run is not told right: %+v", e)
			}
		})
	}
}

func TestMissingDependenciesAreNoFailure(t *testing.T) {
	root := tree(t, map[string]string{"web/package.json": `{"devDependencies":{"jest":"1"}}`, "plain/package.json": `{}`})
	v := Validation{Command: "npm run test"}
	failed := Evidence{ExitCode: 1}
	if outcome, reason := judge(filepath.Join(root, "web"), v, failed); outcome != CouldNotCheck || !strings.Contains(reason, "install") {
		t.Errorf("got %s, %s", outcome, reason)
	}
	if outcome, _ := judge(filepath.Join(root, "plain"), v, failed); outcome != Failed {
		t.Errorf("without dependencies: got %s", outcome)
	}
	if err := os.Mkdir(filepath.Join(root, "node_modules"), 0o755); err != nil {
		t.Fatal(err)
	}
	if outcome, _ := judge(filepath.Join(root, "web"), v, failed); outcome != Failed {
		t.Errorf("with node_modules above: got %s", outcome)
	}
}

func TestInterruptedRunIsNoFailure(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	r := runner()
	r.Live = writerFunc(func(b []byte) (int, error) { cancel(); return len(b), nil })
	if e := r.Run(ctx, t.TempDir(), Validation{Command: "echo a; sleep 60"}); e.Outcome != Interrupted {
		t.Errorf("got %+v", e)
	}
}

type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(b []byte) (int, error) { return f(b) }

func TestWholeOutputIsKeptInAFile(t *testing.T) {
	var live bytes.Buffer
	r := runner()
	r.OutputDir, r.Live = filepath.Join(t.TempDir(), "deep", "outputs"), &live
	e := r.Run(t.Context(), t.TempDir(), Validation{Command: "echo first; head -c 1000000 /dev/zero; echo; echo last; exit 1"})
	content, err := os.ReadFile(e.OutputFile)
	if err != nil {
		t.Fatal(err)
	}
	if len(content) != 1_000_012 || live.Len() != len(content) {
		t.Errorf("%d bytes in the file, %d live", len(content), live.Len())
	}
	if len(e.Output) > headSize+tailSize+100 || !strings.HasPrefix(e.Output, "first\n") || !strings.HasSuffix(e.Output, "last\n") {
		t.Errorf("an excerpt of %d bytes", len(e.Output))
	}
	if !strings.Contains(e.Output, "bytes left out") {
		t.Error("the gap is not marked")
	}
}

func TestOutputFolderThatCannotBeMadeIsCouldNotCheck(t *testing.T) {
	r := runner()
	r.OutputDir = filepath.Join(tree(t, map[string]string{"x": ""}), "x", "y")
	if e := r.Run(t.Context(), t.TempDir(), Validation{Command: "true"}); e.Outcome != CouldNotCheck || e.ExitCode != -1 {
		t.Errorf("got %+v", e)
	}
}

func TestEnvironmentDoesNotDependOnThisProgram(t *testing.T) {
	r := runner()
	r.Env = []string{"PATH=" + os.Getenv("PATH"), "AUTOPILOT_REPLY=/x", "GIT_DIR=/x", "GIT_AUTHOR_NAME=me", "WORD=kept"}
	e := r.Run(t.Context(), t.TempDir(), Validation{Command: "env"})
	if strings.Contains(e.Output, "AUTOPILOT_") || strings.Contains(e.Output, "GIT_DIR") {
		t.Errorf("leaked:\n%s", e.Output)
	}
	for _, want := range []string{"CI=true\n", "WORD=kept\n", "GIT_AUTHOR_NAME=me\n"} {
		if !strings.Contains(e.Output, want) {
			t.Errorf("%q is missing in\n%s", want, e.Output)
		}
	}
	r.Env = append(r.Env, "CI=")
	if e := r.Run(t.Context(), t.TempDir(), Validation{Command: "echo CI=$CI"}); e.Output != "CI=\n" {
		t.Errorf("the user's CI was changed: %q", e.Output)
	}
}

func TestEvidenceSurvivesJSON(t *testing.T) {
	e := runner().Run(t.Context(), t.TempDir(), Validation{Command: `printf '\377--- FAIL: TestA (0s)\nFAIL\tx\t0.1s\n'; exit 1`, Source: "go.mod"})
	content, err := json.Marshal(e)
	if err != nil {
		t.Fatal(err)
	}
	var back Evidence
	if err := json.Unmarshal(content, &back); err != nil {
		t.Fatal(err)
	}
	if !NoWorse(e, back) || back.Output != e.Output || back.Signature == "" {
		t.Errorf("got %+v, was %+v", back, e)
	}
}

func TestValidateDScripts(t *testing.T) {
	root := tree(t, map[string]string{
		".harness/validate.d/1-pass.sh":    "test \"$1\" = abc123 || exit 1\ntest -e marker\n",
		".harness/validate.d/2-fatal.sh":   "echo why; exit 1\n",
		".harness/validate.d/3-warn.sh":    "exit 2\n",
		".harness/validate.d/4-own.sh":     "#!/bin/sh\nexit 7\n",
		".harness/validate.d/5-missing.sh": "no-such-program-at-all\n",
		".harness/validate.d/6-killed.sh":  "kill -9 $$\n",
		".harness/validate.d/note.txt":     "",
		"marker":                           "",
	})
	evidence := runner().ValidateD(t.Context(), root, "abc123")
	var outcomes []Outcome
	for _, e := range evidence {
		outcomes = append(outcomes, e.Outcome)
	}
	want := []Outcome{Passed, Failed, Warned, Warned, CouldNotCheck, Failed}
	if len(outcomes) != len(want) {
		t.Fatalf("got %v", outcomes)
	}
	for i := range want {
		if outcomes[i] != want[i] {
			t.Errorf("%s: got %s, want %s", evidence[i].Command, outcomes[i], want[i])
		}
	}
	if evidence[1].Output != "why\n" || evidence[1].Command != ".harness/validate.d/2-fatal.sh abc123" {
		t.Errorf("got %+v", evidence[1])
	}
}

func TestValidateDFindsNothingInAnOddFolder(t *testing.T) {
	root := filepath.Join(t.TempDir(), "a[b]*")
	if err := os.MkdirAll(filepath.Join(root, ".harness", "validate.d"), 0o755); err != nil {
		t.Fatal(err)
	}
	if evidence := runner().ValidateD(t.Context(), root, "x"); len(evidence) != 0 {
		t.Errorf("got %v", evidence)
	}
	if err := os.WriteFile(filepath.Join(root, ".harness", "validate.d", "a.sh"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if evidence := runner().ValidateD(t.Context(), root, "x"); len(evidence) != 1 || evidence[0].Outcome != Passed {
		t.Errorf("got %v", evidence)
	}
}

func TestPreparationIsJudgedByItsExitCodeAlone(t *testing.T) {
	for command, want := range map[string]Outcome{
		"printf 'Ran 0 tests in 0.1s\n\nOK\n'":                               Passed,
		"printf 'Ran 1 test in 0.1s\n\nFAILED (failures=1)\n'":               Passed,
		"printf 'Ran 1 test in 0.1s\n\nOK\n'; exit 1":                        Failed,
		"echo 'No tests found, exiting with code 1'; no-such-program-at-all": CouldNotCheck,
	} {
		if e := runner().Run(t.Context(), t.TempDir(), Validation{Command: command, ByCode: true}); e.Outcome != want {
			t.Errorf("%s: %s, want %s", command, e.Outcome, want)
		}
	}
}
