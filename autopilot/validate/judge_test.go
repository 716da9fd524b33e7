package validate

import (
	"testing"

	"autopilot/autopilot/validate/results"
)

// TestACodeThatSaysNothingIsNoProof: where a command exits with 0 whatever happens, its tests have to be seen.
func TestACodeThatSaysNothingIsNoProof(t *testing.T) {
	for _, c := range []struct {
		command, output string
		want            Outcome
	}{
		{"pytest --nope || true", "ERROR: usage: pytest [options]\npytest: error: unrecognized arguments: --nope\n", NothingToRun},
		{"mvn -o -B test || true", "[INFO] Scanning for projects...\n[ERROR] The build could not read 1 project\n", NothingToRun},
		{"npx vitest run; true", "failed to load config from /repo/vitest.config.js\n", NothingToRun},
		{"cargo test | cat", "error: could not compile `m` (lib) due to 1 previous error\n", NothingToRun},
		{"pytest -q || true", "1 passed in 0.01s\n", Passed},
		{"mvn -q test", "", Passed}, // the code is that of Maven, which prints nothing where all is well
		{"./check.sh || true", "fine\n", Passed},
	} {
		r := results.NewTestReader("/repo", results.ReadersOf("", c.command)...)
		_, _ = r.Write([]byte(c.output))
		e := Evidence{Output: c.output}
		e.take(r.Report(results.Reports{}))
		if got, why := judge("", Validation{Command: c.command}, e); got != c.want {
			t.Errorf("%s: %s (%s), want %s", c.command, got, why, c.want)
		}
	}
}
