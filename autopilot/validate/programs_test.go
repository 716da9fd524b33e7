package validate

import (
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"autopilot/autopilot/validate/results"
)

// printed is what a test program really printed.
type printed struct {
	program, name string
	code          int
	want          Outcome
	flaky         string
	output        []byte
}

var programCase = regexp.MustCompile(`^(.+), exit (\d+): ([\w-]+)(?:, flaky: (.+))?$`)

// programOutputs reads results/testdata/programs: a file for each test program, in it a section for each run, whose name tells the
// exit code, the outcome and the flaky tests.
func programOutputs(t *testing.T) []printed {
	files, _ := filepath.Glob("results/testdata/programs/*.txtar")
	if len(files) == 0 {
		t.Fatal("no files")
	}
	var all []printed
	for _, file := range files {
		archive, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range archive.Files {
			m := programCase.FindStringSubmatch(f.Name)
			if m == nil {
				t.Fatalf("%s: the section %q does not tell exit code and outcome", file, f.Name)
			}
			code, _ := strconv.Atoi(m[2])
			all = append(all, printed{strings.TrimSuffix(filepath.Base(file), ".txtar"), m[1], code, Outcome(m[3]), m[4], f.Data})
		}
	}
	return all
}

// judged is the verdict on an output with an exit code, read by some readers, or by all.
func (p printed) judged(code int, only ...string) Evidence {
	r := results.NewTestReader("/repo", only...)
	_, _ = r.Write(p.output)
	e := Evidence{ExitCode: code, Output: string(p.output)}
	e.take(r.Report(results.Reports{}))
	v := Validation{Command: "make test"}
	if p.program == "pytest" {
		v.Command = "make pytest"
	}
	e.Outcome, e.Reason = judge("", v, e)
	return e
}

// ownWords says whether tests print what other test programs say.
func (p printed) ownWords() bool { return strings.Contains(p.name, "words") }

// ownSummaries says whether whole summaries are among these: then only a command that names its program tells whose they are.
func (p printed) ownSummaries() bool { return p.ownWords() && p.name != "few-words" }

func TestEachProgramsOutputIsJudgedByItsLastWord(t *testing.T) {
	for _, p := range programOutputs(t) {
		t.Run(p.program+"/"+p.name, func(t *testing.T) {
			for _, only := range [][]string{{p.program}, nil} {
				if only == nil && p.ownSummaries() {
					continue
				}
				e := p.judged(p.code, only...)
				if flaky := strings.Join(e.FlakyTests, " "); e.Outcome != p.want || flaky != p.flaky {
					t.Errorf("read by %q: %s, flaky: %s; failed: %q, counts: %+v", only, e.Outcome, flaky, e.FailedTests, e.Counts)
				}
			}
		})
	}
}

func TestFailureWithExitCode0DoesNotPass(t *testing.T) {
	for _, p := range programOutputs(t) {
		e := p.judged(0)
		if p.want == Failed && p.name != "vitest-tap-none" && (e.Outcome != Failed || e.Reason == "") || p.want == NothingToRun && e.Outcome == Passed && p.name != "qq-none" {
			t.Errorf("%s/%s: %s (%s)", p.program, p.name, e.Outcome, e.Reason)
		}
	}
}

func TestLineOfOneProgramNeverCountsForAnother(t *testing.T) {
	for _, p := range programOutputs(t) {
		for _, tool := range results.Tools {
			if tool.Name == p.program || p.ownWords() {
				continue
			}
			if e := p.judged(0, tool.Name); e.tests.Spoke || len(e.Results) > 0 || e.Counts != nil || len(e.FailedTests) > 0 || e.Outcome != Passed {
				t.Errorf("%s reads of %s/%s: %+v %v %v %v", tool.Name, p.program, p.name, e.tests, e.Counts, e.Results, e.FailedTests)
			}
		}
	}
}

func TestOnlyTheCommandOfATestProgramTellsItsTestsWords(t *testing.T) {
	const said = "--- FAIL: TestX (0.00s)\nFAIL\tx\t0.1s\n.\n----\nRan 1 test in 0.1s\n\nOK\n"
	for command, want := range map[string]Outcome{"python -m unittest": Passed, "make test": Failed} {
		r := results.NewTestReader("", results.ReadersOf("", command)...)
		_, _ = r.Write([]byte(said))
		e := Evidence{}
		e.take(r.Report(results.Reports{}))
		if got, _ := judge("", Validation{Command: command}, e); got != want {
			t.Errorf("%s: %s, want %s", command, got, want)
		}
	}
}

func TestOtherProgramsAreNotTakenForTestPrograms(t *testing.T) {
	for output, want := range map[string]Outcome{
		"    Finished `dev` profile\n     Running `target/debug/check`\nall is well\n": Passed,
		"1..5\n":                       Passed,
		"Ran 3 checks in 0.1s\n\nOK\n": Passed,
		"DONE 12 files in 0.1s\n":      Passed,
		"3 files in 0.2s\n":            Passed,
		"1..0 # SKIP no database\n":    NothingToRun,
		"TAP version 13\n1..2\n":       Failed,
		"1..2\nok 1 a\n":               Failed,
	} {
		if e := (printed{output: []byte(output)}).judged(0); e.Outcome != want {
			t.Errorf("%q: %s (%s), want %s", output, e.Outcome, e.Reason, want)
		}
	}
}
