package check

import (
	"encoding/json"
	"strings"
)

// goFormat reads go test: plain, -v and -json.
type goFormat struct {
	sheet

	pending map[string]TestResult // of a package whose name comes after its tests
	ended   map[string]bool       // packages whose tests all ran; "" is the one at hand
}

func newGoFormat() *goFormat {
	return &goFormat{pending: map[string]TestResult{}, ended: map[string]bool{}}
}

var (
	goTestLine    = lazily(`^\s*--- (PASS|FAIL|SKIP): (\S+) \(`)
	goPackageLine = lazily(`^(ok  |FAIL)\t(\S+)(\s|$)`)
	goTestName    = lazily(`(?:^|\.)(?:Test|Fuzz|Example)[^./]*(?:/|$)`)
	goResults     = map[string]TestResult{
		"PASS": TestPassed, "FAIL": TestFailed, "SKIP": TestSkipped, "pass": TestPassed, "fail": TestFailed, "skip": TestSkipped, "ok  ": TestPassed,
	}
)

func isGoTest(name string) bool { return goTestName.MatchString(name) }

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
	if strings.HasPrefix(line, "ok  \t") || strings.HasPrefix(line, "FAIL\t") {
		m := goPackageLine.FindStringSubmatch(line)
		if m != nil {
			f.readPackage(m[2], goResults[m[1]])
		}
		return m != nil
	}
	return false
}

// dies tells a line with which the runtime ends a test program.
func dies(line string) bool {
	return strings.HasPrefix(line, "panic: ") || strings.HasPrefix(line, "fatal error: ")
}

// readPackage ends a package. One that failed counts by itself where none of its tests failed, and where it died: then
// the tests behind the one that did it were not run. A program that came to its end says FAIL, behind whatever a test
// printed without the end of a line; one that died does not.
func (f *goFormat) readPackage(name string, result TestResult) {
	named := false
	for _, res := range f.pending {
		named = named || res == TestFailed
	}
	f.settle(name + ".")
	if result == TestFailed && (!named || !f.ended[""]) {
		f.spoil(name)
	}
	delete(f.ended, "")
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
	case result == TestFailed && (!f.ended[event.Package] || !f.failedIn(event.Package+".")):
		f.spoil(event.Package)
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
func (f *goFormat) end() { f.settle("") }
