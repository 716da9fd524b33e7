package blind

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"autopilot/autopilot/machine"
	"autopilot/autopilot/validate"
	"autopilot/personas"
)

func TestAQuoteIsWordForWord(t *testing.T) {
	const text = "## Limits\n\nA name has **at most**\n20 letters, `MAX_NAME`. More is *refused*."
	for quote, want := range map[string]bool{
		"A name has at most 20 letters":             true,
		"a name has `at most` 20 letters, MAX_NAME": true,
		"More is refused.":                          true,
		"\"More is refused\"":                       true,
		"A name has up to 20 letters":               false,
		"refused":                                   false, // a word is said of anything
		"":                                          false,
	} {
		if got := Quoted(quote, text); got != want {
			t.Errorf("%q: %t", quote, got)
		}
	}
}

func TestWhatDoesNotStartSaysNothingOfTheCode(t *testing.T) {
	for output, want := range map[string]string{
		"Traceback:\nModuleNotFoundError: No module named 'app'": machine.CheckCouldNot,
		"  File \"t.py\", line 1\nSyntaxError: invalid syntax":   machine.CheckCouldNot,
		"AssertionError: 3 != 4":                                 machine.CheckFailed,
		"app: error: no such rule":                               machine.CheckFailed,
		"error: the file is empty":                               machine.CheckFailed,
		"blind/t_test.go:9:7: undefined: Parse":                  machine.CheckCouldNot,
		"    parse_test.go:14: got 3 rules, want 4":              machine.CheckFailed,
		"error[E0425]: cannot find function `parse`":             machine.CheckCouldNot,
		"Error: Cannot find module './parse'":                    machine.CheckCouldNot,
		"t.sh: 2: Syntax error: end of file unexpected":          machine.CheckCouldNot,
		"sh: 0: cannot open t.sh: No such file":                  machine.CheckCouldNot,
		"":                                                       machine.CheckFailed,
	} {
		if got := outcomeOf(validate.Evidence{Outcome: validate.Failed, Output: output}); got != want {
			t.Errorf("%q: %s", output, got)
		}
	}
	for outcome, want := range map[validate.Outcome]string{
		validate.Passed: machine.CheckPassed, validate.TimedOut: machine.CheckCouldNot, validate.CouldNotCheck: machine.CheckCouldNot,
	} {
		if got := outcomeOf(validate.Evidence{Outcome: outcome}); got != want {
			t.Errorf("%s: %s", outcome, got)
		}
	}
}

func TestAnExportHasNoTestsAndNoPlans(t *testing.T) {
	for file, want := range map[string]bool{
		"lint.go": false, "go.mod": false, "README.md": false, "docs/spec.md": false, "docs/plans.md": false,
		"lint_test.go": true, "testdata/a.csv": true, "docs/plans/p.md": true, ".harness/out/x": true, "tests/test_a.py": true,
	} {
		if got := hidden(file, []string{"docs/plans"}); got != want {
			t.Errorf("%s: hidden %t", file, got)
		}
	}
}

func TestACheckHasAHomeOfItsOwnAndNoKeys(t *testing.T) {
	old := t.TempDir()
	if err := os.Mkdir(filepath.Join(old, "go"), 0o755); err != nil {
		t.Fatal(err)
	}
	mask := personas.NewMask(nil, "sesame-open-4711")
	got := Environment([]string{"PATH=/bin", "HOME=" + old, "KEY=sesame-open-4711", "CARGO_HOME=/c"}, "/new", mask)
	want := []string{"CARGO_HOME=/c", "GOPATH=" + filepath.Join(old, "go"), "PATH=/bin", "HOME=/new"}
	if !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}
