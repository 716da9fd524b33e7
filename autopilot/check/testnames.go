package check

import (
	"bytes"
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// TestResult is how one test ended.
type TestResult string

// The results of a test.
const (
	TestPassed  TestResult = "pass"
	TestFailed  TestResult = "fail"
	TestSkipped TestResult = "skip"
)

// maxNames bounds what is kept of an output that prints names without end.
const maxNames = 50_000

// Tests reads the names of tests and how they ended from the output of go test
// (plain, -v, -json), pytest and cargo test. Go names are package.Test, and a
// package that failed without a failed test (it did not build, it panicked)
// stands under its own name. Where the output names none the map is empty.
func Tests(output string) map[string]TestResult {
	r := newNameReader()
	_, _ = r.Write([]byte(output))
	r.flush()
	return r.results
}

// nameReader is a writer that reads test names line by line.
type nameReader struct {
	results map[string]TestResult
	pending map[string]TestResult // of a Go package whose name comes after its tests
	target  string                // the binary that cargo is running
	line    []byte
}

func newNameReader() *nameReader {
	return &nameReader{results: map[string]TestResult{}, pending: map[string]TestResult{}}
}

// maxLine is more than any line that names a test; the rest of a longer one is
// passed over.
const maxLine = 64 << 10

func (r *nameReader) Write(b []byte) (int, error) {
	n := len(b)
	for {
		part, rest, found := bytes.Cut(b, []byte("\n"))
		r.line = append(r.line, part[:min(len(part), maxLine-len(r.line))]...)
		if !found {
			return n, nil
		}
		r.read(strings.TrimSuffix(string(r.line), "\r"))
		r.line, b = r.line[:0], rest
	}
}

func (r *nameReader) flush() {
	r.read(string(r.line))
	r.line = r.line[:0]
	// Without the package's line (the run was cut off) the bare names must do.
	r.settle("")
}

func (r *nameReader) failed() []string {
	r.flush()
	var names []string
	for _, name := range slices.Sorted(maps.Keys(r.results)) {
		if r.results[name] == TestFailed {
			names = append(names, name)
		}
	}
	return names
}

var (
	goTestLine    = regexp.MustCompile(`^\s*--- (PASS|FAIL|SKIP): (\S+) \(`)
	goPackageLine = regexp.MustCompile(`^(ok|FAIL)\s+([^\s\[]+/?\S*)(\s|$)`)
	pytestVerbose = regexp.MustCompile(`^(?:\[gw\d+\] \[ *\d+%\] )?(\S+::.+?) (PASSED|FAILED|ERROR|SKIPPED|XFAIL|XPASS)(\s|$)`)
	pytestXdist   = regexp.MustCompile(`^\[gw\d+\] \[ *\d+%\] (PASSED|FAILED|ERROR|SKIPPED) (\S+::.+)$`)
	pytestSummary = regexp.MustCompile(`^(FAILED|ERROR) (\S+?\.py(?:::.+?)?)(?: - .*)?$`)
	cargoTarget   = regexp.MustCompile(`^\s+(?:Running(?: unittests)?|Doc-tests) (\S+)`)
	cargoTestLine = regexp.MustCompile(`^test (.+?)(?: - should panic)? \.\.\. (ok|FAILED|ignored)`)
	resultOfWord  = map[string]TestResult{
		"PASS": TestPassed, "FAIL": TestFailed, "SKIP": TestSkipped, "pass": TestPassed, "fail": TestFailed, "skip": TestSkipped,
		"PASSED": TestPassed, "FAILED": TestFailed, "ERROR": TestFailed, "SKIPPED": TestSkipped, "XFAIL": TestSkipped, "XPASS": TestPassed,
		"ok": TestPassed, "ignored": TestSkipped,
	}
)

func (r *nameReader) read(line string) {
	if strings.HasPrefix(line, "{") {
		r.readJSON(line)
	} else if m := goTestLine.FindStringSubmatch(line); m != nil {
		r.pending[m[2]] = resultOfWord[m[1]]
	} else if m := goPackageLine.FindStringSubmatch(line); m != nil {
		r.readPackage(m[2], resultOfWord[m[1]])
	} else if m := pytestXdist.FindStringSubmatch(line); m != nil {
		r.note(m[2], resultOfWord[m[1]])
	} else if m := pytestVerbose.FindStringSubmatch(line); m != nil {
		r.note(m[1], resultOfWord[m[2]])
	} else if m := pytestSummary.FindStringSubmatch(line); m != nil {
		r.note(m[2], TestFailed)
	} else if m := cargoTarget.FindStringSubmatch(line); m != nil {
		r.target = m[1]
	} else if m := cargoTestLine.FindStringSubmatch(line); m != nil {
		r.note(strings.TrimPrefix(r.target+"::"+m[1], "::"), resultOfWord[m[2]])
	}
}

func (r *nameReader) readPackage(name string, result TestResult) {
	named := false
	for _, res := range r.pending {
		named = named || res == TestFailed
	}
	r.settle(name + ".")
	if result == TestFailed && !named {
		r.note(name, TestFailed)
	}
}

// readJSON takes go test -json; a failed package counts by itself only where
// none of its tests failed.
func (r *nameReader) readJSON(line string) {
	var event struct{ Action, Package, Test string }
	if json.Unmarshal([]byte(line), &event) != nil || event.Package == "" {
		return
	}
	result, is := resultOfWord[event.Action]
	switch {
	case !is:
	case event.Test != "":
		r.note(event.Package+"."+event.Test, result)
	case result == TestFailed && !r.failedIn(event.Package+"."):
		r.note(event.Package, result)
	}
}

func (r *nameReader) failedIn(prefix string) bool {
	for name, result := range r.results {
		if result == TestFailed && strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return false
}

func (r *nameReader) settle(prefix string) {
	for name, result := range r.pending {
		r.note(prefix+name, result)
	}
	clear(r.pending)
}

// note keeps a failure whatever else is said of the same name.
func (r *nameReader) note(name string, result TestResult) {
	if r.results[name] == TestFailed || len(r.results) >= maxNames && result != TestFailed {
		return
	}
	r.results[name] = result
}
