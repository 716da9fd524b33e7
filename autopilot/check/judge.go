package check

import (
	"cmp"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// judge reads the exit code of a validation that ran to its end in folder, and
// where the code alone misleads, its output.
func judge(folder string, v Validation, e Evidence) (Outcome, string) {
	if reason := unable(folder, v, e); reason != "" {
		return CouldNotCheck, reason
	}
	if foundNoTests(v, e) {
		return NothingToRun, "it found no tests"
	}
	if e.ExitCode == 0 {
		return Passed, ""
	}
	return Failed, ""
}

// The shell's own exit codes.
const (
	cannotExecute   = 126
	commandNotFound = 127
)

// absent is output that tells of a tool or a network which is not there, in the
// tools' own words at the start of a line, so that no failing test can say it by
// chance. A package that the code imports and nobody installed is not among
// them: it may be the agent's mistake.
var absent = lazily(`(?m)^(\S*python[\d.]*(\.exe)?: No module named pytest` +
	`|go: .*: dial tcp.*(lookup|connect)` +
	`|npm (ERR!|error) (code )?(ENOTFOUND|EAI_AGAIN)` +
	`|make: \S+: No such file or directory)`)

func unable(folder string, v Validation, e Evidence) string {
	switch {
	case e.ExitCode == 0:
		return ""
	case e.ExitCode == commandNotFound, e.ExitCode == cannotExecute:
		return "a program that it needs is missing or not executable; install it or correct the command"
	case absent.MatchString(e.Output):
		return "a tool, a file or the network that it needs is not there; install what is missing"
	case isNode(v) && !hasNodeModules(folder):
		return "the dependencies are not installed; install them first (worktree.setup does it in new worktrees)"
	}
	return ""
}

// nodeCommand begins with one of node's programs, also where it is the first of several.
var nodeCommand = lazily(`^(?:set -e\n)?(?:\( )?(npm|pnpm|yarn|bun|npx|node)\b`)

func isNode(v Validation) bool { return nodeCommand.MatchString(strings.TrimSpace(v.Command)) }

// hasNodeModules looks upwards, as node does. Without dependencies none are
// missing.
func hasNodeModules(folder string) bool {
	pkg, err := readPackage(folder)
	if err != nil || len(pkg.Dependencies)+len(pkg.DevDependencies) == 0 {
		return true
	}
	for {
		if exists(folder, "node_modules") || exists(folder, ".pnp.cjs") {
			return true
		}
		parent := filepath.Dir(folder)
		if parent == folder {
			return false
		}
		folder = parent
	}
}

// Exit code 5 is pytest's for "no tests collected", and unittest's since Python 3.12.
const pytestNoTests = 5

var (
	noTestsPython = lazily(`(?m)^(Ran 0 tests in |NO TESTS RAN|=* ?no tests ran|collected 0 items)`)
	noTestsNode   = lazily(`(?m)(Error: ` + npmDefault + `|^No tests found, exiting with code|^No test files found|^Error: No test files found|^(#|ℹ) tests 0$` +
		`|^  0 passing\b|^Tests: +(\d+ (skipped|todo), )+\d+ total$|^ +Tests  \d+ (skipped|todo)( \| \d+ todo)? \(\d+\)$)`)
	goNothing   = lazily(`(?m)(\[no test files\]|\[no tests to run\]|^no packages to test|matched no packages)`)
	goSomething = lazily(`(?m)^(ok|FAIL|---|panic:)\b|^---`)
	goEmpty     = lazily(`(?m)^ok\b.*\[no tests to run\]\r?$`)
	goNoneMeant = lazily(`-run[ =]["']?\^\$`) // the tests are only to be compiled
	cargoRuns   = lazily(`(?m)^running (\d+) tests?$`)
)

// foundNoTests is careful: output of other tests beside the empty ones means that something was run, and a failure is
// one unless it is the want of tests that made it.
func foundNoTests(v Validation, e Evidence) bool {
	out := e.Output
	switch {
	case len(e.FailedTests) > 0 || e.Counts != nil && e.Counts.Ran > 0:
		return false
	case e.ExitCode == pytestNoTests:
		return strings.Contains(v.Command, "pytest") || noTestsPython.MatchString(out)
	case e.ExitCode != 0:
		return failedForNoTests(e)
	case len(e.Results) > 0 || goRan(v, out):
		return false
	}
	return noTestsPython.MatchString(out) || noTestsNode.MatchString(out) || goNothing.MatchString(out) || onlyEmptyRuns(out)
}

// goRan says whether go test ran something. A package in which its filter matched nothing is ok as well; in an output that
// is not whole others may have had tests.
func goRan(v Validation, out string) bool {
	if strings.Contains(out, "[no tests to run]") && (goNoneMeant.MatchString(v.Command) || strings.Contains(out, "bytes left out …]")) {
		return true
	}
	return goSomething.MatchString(goEmpty.ReplaceAllString(out, ""))
}

var (
	failedNode = lazily(`(?m)(?:Error: ` + npmDefault + `|^Error: No test files found|^No test(?:s| files) found, exiting with code (\d+))`)
	failedMake = lazily(`(?m)^g?make(?:\[\d+\])?: \*\*\* .*Error (\d+)$`)
)

// failedForNoTests says whether a program ended with the code at hand since it found no tests. Make has a code of its own,
// and names the one that made it stop. Where jest or vitest ended with another, or with 0, something else was the cause.
func failedForNoTests(e Evidence) bool {
	code := strconv.Itoa(e.ExitCode)
	if made := failedMake.FindStringSubmatch(e.Output); made != nil {
		code = made[1]
	}
	return slices.ContainsFunc(failedNode.FindAllStringSubmatch(e.Output, -1), func(m []string) bool {
		return cmp.Or(m[1], "1") == code // npm's default script and mocha name no code, and end with 1
	})
}

func onlyEmptyRuns(out string) bool {
	runs := cargoRuns.FindAllStringSubmatch(out, -1)
	for _, run := range runs {
		if run[1] != "0" {
			return false
		}
	}
	return len(runs) > 0
}
