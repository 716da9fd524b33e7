package results

import (
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"autopilot/autopilot/lazyregexp"
	"autopilot/autopilot/shell"
)

// goFormat reads go test: plain, -v and -json, and what gotestsum makes of it. The line of a package is the last word on
// its tests.
type goFormat struct {
	programReport

	pending map[string]TestResult // of a package whose name comes after its tests
	ended   map[string]bool       // packages whose tests all ran; "" is the one at hand
	listed  map[string]int        // the failures that gotestsum lists, with the number of the run again
	before  int                   // failures that it counted in the runs before
	last    *TestCounts           // its latest summary
}

func newGoFormat() *goFormat {
	return &goFormat{pending: map[string]TestResult{}, ended: map[string]bool{}, listed: map[string]int{}}
}

var (
	goTestLine    = lazyregexp.New(`^\s*--- (PASS|FAIL|SKIP): (\S+) \(`)
	goPackageLine = lazyregexp.New(`^(ok  |FAIL|\?   )\t(\S+)(\s|$)`)
	goSumLine     = lazyregexp.New(`^DONE (?:(\d+) runs, )?(\d+) tests?(?:, (\d+) skipped)?(?:, (\d+) failures?)?(?:, (\d+) errors?)? in [\d.]+s$`)
	goSumTest     = lazyregexp.New(`^=== FAIL: (\S+) (\S+?)(?: \(re-run (\d+)\))? \([\d.]+s\)$`)
	goTestName    = lazyregexp.New(`(?:^|\.)(?:Test|Fuzz|Example)[^./]*(?:/|$)`)
	goResults     = map[string]TestResult{
		"PASS": TestPassed, "FAIL": TestFailed, "SKIP": TestSkipped, "pass": TestPassed, "fail": TestFailed, "skip": TestSkipped, "ok  ": TestPassed,
	}
)

func IsGoTest(name string) bool { return goTestName.MatchString(name) }

func (f *goFormat) read(line string) bool {
	switch {
	case strings.HasPrefix(line, "{"):
		return f.readJSON(line)
	case strings.HasPrefix(line, "=== RUN "):
		f.lists = true
		return true
	case dies(line):
		f.ended[""] = false
		return true
	case strings.HasSuffix(line, "FAIL") && len(f.pending) > 0:
		f.ended[""] = true
		return true
	}
	if strings.Contains(line, "--- ") {
		if m := goTestLine.FindStringSubmatch(line); m != nil {
			if len(f.pending) < maxNames || m[1] == "FAIL" && len(f.pending) < 2*maxNames {
				f.pending[shortened(m[2])] = goResults[m[1]]
			}
			f.ended[""] = false
			return true
		}
	}
	if strings.HasPrefix(line, "ok  \t") || strings.HasPrefix(line, "FAIL\t") || strings.HasPrefix(line, "?   \t") {
		m := goPackageLine.FindStringSubmatch(line)
		if m != nil {
			f.readPackage(m[2], goResults[m[1]], line)
		}
		return m != nil
	}
	if line == "no packages to test" || strings.HasSuffix(line, " matched no packages") {
		f.none(0)
		return true
	}
	return f.readSum(line)
}

// readSum takes what gotestsum says. It counts the failures of all its runs together: what failed in the last one failed,
// and the others passed when it ran them again.
func (f *goFormat) readSum(line string) bool {
	if m := goSumTest.FindStringSubmatch(line); m != nil {
		run, _ := strconv.Atoi(m[3])
		f.listed[strings.TrimPrefix(m[1]+"."+m[2], "..")] = run
		return true
	}
	m := goSumLine.FindStringSubmatch(line)
	if m == nil {
		return false
	}
	runs, _ := strconv.Atoi(m[1])
	if runs == 0 {
		f.settleSum()
	}
	c, errors := counted(m[2], m[4], m[3]), counted("", m[5], "").Failed
	all := c.Failed + errors
	c.Failed, c.Passed = all-f.before, max(0, c.Passed-all-c.Skipped)
	c.Ran, f.before, f.last = c.Passed+c.Failed, all, &c
	for name, run := range f.listed {
		if f.flake(name); run == max(0, runs-1) {
			f.note(name, TestFailed)
		}
	}
	clear(f.listed)
	return true
}

// settleSum ends the runs of gotestsum with the last of its summaries.
func (f *goFormat) settleSum() {
	if f.last != nil {
		f.settle("")
		f.sum(*f.last, 0)
	}
	f.before, f.last = 0, nil
}

// dies tells a line with which the runtime ends a test program.
func dies(line string) bool {
	return strings.HasPrefix(line, "panic: ") || strings.HasPrefix(line, "fatal error: ")
}

// readPackage ends a package. One that failed counts by itself where none of its tests failed, and where it died: then
// the tests behind the one that did it were not run. A program that came to its end says FAIL, behind whatever a test
// printed without the end of a line; one that died does not.
func (f *goFormat) readPackage(name string, result TestResult, line string) {
	switch {
	case result == "", strings.Contains(line, "[no tests to run]"):
		f.none(0)
	case result == TestPassed:
		f.passed()
	}
	named := false
	for _, res := range f.pending {
		named = named || res == TestFailed
	}
	f.settle(name + ".")
	if result == TestFailed {
		if f.Spoke = true; !named || !f.ended[""] {
			f.addNonTestFailure(name)
		}
	}
	delete(f.ended, "")
}

// passed ends a package that is well: what looks like a failure was printed by a test. Without -v nothing tells how many
// tests it ran.
func (f *goFormat) passed() {
	f.Spoke, f.Ran = true, f.Ran || len(f.pending) == 0
	maps.DeleteFunc(f.pending, func(_ string, result TestResult) bool { return result == TestFailed })
}

func (f *goFormat) readJSON(line string) bool {
	var event struct{ Action, Package, Test, Output string }
	if json.Unmarshal([]byte(line), &event) != nil || event.Package == "" || event.Action == "" {
		return false
	}
	f.lists = f.lists || event.Test != ""
	result, is := goResults[event.Action]
	switch {
	case event.Action == "output" && dies(event.Output):
		f.ended[event.Package] = false
	case event.Action == "output" && event.Test == "" && strings.HasSuffix(strings.TrimSpace(event.Output), "FAIL"):
		f.ended[event.Package] = true
	case !is:
	case event.Test != "":
		f.note(event.Package+"."+event.Test, result)
	case result != TestFailed:
		f.Spoke = true
	case !f.ended[event.Package] || !f.failedIn(event.Package+"."):
		f.Spoke = true
		f.addNonTestFailure(event.Package)
	}
	return true
}

func (f *goFormat) failedIn(prefix string) bool {
	for name, result := range f.results {
		if result == TestFailed && strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return false
}

func (f *goFormat) settle(prefix string) {
	for name, result := range f.pending {
		f.note(prefix+name, result)
	}
	clear(f.pending)
}

// end: without the package's line (the run was cut off) the bare names must do.
func (f *goFormat) end() {
	f.settle("")
	f.settleSum()
}

var goName = lazyregexp.New(`^(?:(\S*?)\.)?((?:Test|Fuzz|Example)[^./\s]*(?:/\S*)?)$`)

// What go test has beside packages: flags with a value of their own, and those that have no place in a run of one test.
var (
	goValues = words("run skip tags timeout count cpu parallel p bench benchtime covermode coverpkg coverprofile o exec ldflags gcflags " +
		"asmflags mod modfile overlay pkgdir toolexec vet shuffle list outputdir cpuprofile memprofile blockprofile mutexprofile trace fuzz fuzztime C")
	goDropped = words("run count bench cover covermode coverpkg coverprofile shuffle list fuzz fuzztime v")
)

func aloneGo(_ string, list segment, test string) (segment, bool) {
	kept, packages, tail := splitFlags(list, goValues, goDropped, "-args")
	m := goName.FindStringSubmatch(test)
	switch {
	case strings.ContainsAny(test, " \t"):
		return nil, false
	case m == nil: // a package
		return slices.Concat(kept, segment{"-count=1", shell.Quote(test)}, tail), true
	case m[1] != "":
		packages = segment{shell.Quote(m[1])}
	}
	if !slices.Contains(kept, "-json") {
		kept = append(kept, "-v")
	}
	parts := strings.Split(m[2], "/")
	for i, p := range parts {
		parts[i] = "^" + regexp.QuoteMeta(p) + "$"
	}
	return slices.Concat(kept, segment{"-count=1", "-run", shell.Quote(strings.Join(parts, "/"))}, packages, tail), true
}
