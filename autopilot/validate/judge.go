package validate

import (
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"autopilot/autopilot/lazyregexp"
	"autopilot/autopilot/project"
	"autopilot/autopilot/validate/results"
)

// judge decides how a validation ended that ran to its end in folder; nothing else does. Each test program that the
// command names, or else whose header or summary stands in the output, is read by its own reader, and its last summary is
// its word. A failure in one of them is a failure, whatever the exit code is; so is another exit code than 0, unless no
// test ran and it is the one by which a program says so. With exit code 0 the validation passes where a test ran or no
// test program spoke; where they spoke and found no tests, or only skipped ones, there was nothing to run. The exit code of a
// command that cannot fail says nothing: there a test has to be seen.
func judge(folder string, v Validation, e Evidence) (Outcome, string) {
	if reason := unable(folder, v, e); reason != "" {
		return CouldNotCheck, reason
	}
	switch run := e.tests; {
	case v.ByCode && e.ExitCode == 0:
		return Passed, ""
	case v.ByCode:
		return Failed, ""
	case (run.Bad || len(e.FailedTests) > 0) && e.ExitCode == 0:
		return Failed, "its exit code is 0, but its output reports failed tests"
	case run.Bad || len(e.FailedTests) > 0, e.ExitCode != 0 && (run.Ran || !endsForNoTests(v, e)):
		return Failed, ""
	case e.ExitCode == 0 && !run.Ran && !run.Spoke && v.CannotFail() && results.Tests(v.Command):
		return NothingToRun, "it exits with 0 whatever happens, and no test was seen to run"
	case e.ExitCode == 0 && (run.Ran || !run.Spoke || goNoneMeant.MatchString(v.Command)):
		return Passed, ""
	case e.Counts != nil && e.Counts.Skipped > 0:
		return NothingToRun, fmt.Sprintf("it ran no test; %d skipped", e.Counts.Skipped)
	}
	return NothingToRun, "it found no tests"
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
var absent = lazyregexp.New(`(?m)^(\S*python[\d.]*(\.exe)?: No module named pytest` +
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
var nodeCommand = lazyregexp.New(`^(?:set -e\n)?(?:\( )?(npm|pnpm|yarn|bun|npx|node)\b`)

func isNode(v Validation) bool { return nodeCommand.MatchString(strings.TrimSpace(v.Command)) }

// hasNodeModules looks upwards, as node does. Without dependencies none are
// missing.
func hasNodeModules(folder string) bool {
	pkg, err := project.ReadPackage(folder)
	if err != nil || len(pkg.Dependencies)+len(pkg.DevDependencies) == 0 {
		return true
	}
	for {
		if results.Exists(folder, "node_modules") || results.Exists(folder, ".pnp.cjs") {
			return true
		}
		parent := filepath.Dir(folder)
		if parent == folder {
			return false
		}
		folder = parent
	}
}

var (
	goNoneMeant = lazyregexp.New(`-run[ =]["']?\^\$`) // the tests are only to be compiled
	failedMake  = lazyregexp.New(`(?m)^g?make(?:\[\d+\])?: \*\*\* .*Error (\d+)$`)
)

// endsForNoTests says whether a program ended with the code at hand since it found no tests. Make has a code of its own,
// and names the one that made it stop. Where jest or vitest ended with another, or with 0, something else was the cause.
func endsForNoTests(v Validation, e Evidence) bool {
	code := e.ExitCode
	if made := failedMake.FindStringSubmatch(e.Output); made != nil {
		code, _ = strconv.Atoi(made[1])
	}
	return slices.Contains(e.tests.Wants, code) ||
		code == results.PytestNoTests && strings.Contains(v.Command, "pytest") // with -qq it says nothing
}
