package results

import (
	"path"
	"slices"
	"strconv"
	"strings"

	"autopilot/autopilot/lazyregexp"
	"autopilot/autopilot/shell"
)

// unittestFormat reads Python's unittest, plain and -v.
type unittestFormat struct {
	programReport

	pending string // the test whose docstring, then result, stands on the next line
	ran     int    // one more than the summary says; 0 outside one
	blank   bool   // its one empty line was seen
	dots    int    // tests that passed, by the line of progress
}

var (
	unittestFailure = lazyregexp.New(`^(?:FAIL|ERROR): (\S+) \(([\w.<>]+)\)(.*)$`)
	unittestVerbose = lazyregexp.New(`^(\w+) \(([\w.<>]+)\)(?: \.\.\. (ok|FAIL|ERROR|skipped .*|expected failure|unexpected success))?$`)
	unittestResult  = lazyregexp.New(` \.\.\. (ok|FAIL|ERROR|skipped .*|expected failure|unexpected success)$`)
	unittestRan     = lazyregexp.New(`^Ran (\d+) tests? in `)
	unittestLast    = lazyregexp.New(`^(OK|FAILED|NO TESTS RAN)(?: \((.*)\))?$`)
	unittestDots    = lazyregexp.New(`^[.sFExu]+$`)
	unittestNumber  = lazyregexp.New(`(failures|errors|skipped|expected failures|unexpected successes)=(\d+)`)
)

// unittestName: since Python 3.11 the method stands in the parentheses as well.
func unittestName(method, class string) string {
	if strings.HasSuffix(class, "."+method) || method == "setUpClass" || method == "tearDownClass" {
		return class
	}
	return class + "." + method
}

func unittestResultOf(word string) TestResult {
	switch {
	case word == "ok":
		return TestPassed
	case strings.HasPrefix(word, "skipped"), word == "expected failure":
		return TestSkipped
	}
	return TestFailed
}

func (f *unittestFormat) read(line string) bool {
	if strings.HasPrefix(line, "FAIL: ") || strings.HasPrefix(line, "ERROR: ") {
		return f.readFailure(line)
	}
	if (strings.HasSuffix(line, ")") || strings.Contains(line, " ... ")) && f.readVerbose(line) {
		f.ran = 0
		return true
	}
	return f.readLast(line)
}

func (f *unittestFormat) readFailure(line string) bool {
	m := unittestFailure.FindStringSubmatch(line)
	if m != nil {
		if name := unittestName(m[1], m[2]); strings.HasPrefix(m[2], "unittest.loader.") {
			f.addNonTestFailure(name)
		} else {
			f.note(name+m[3], TestFailed)
		}
	}
	return m != nil
}

func (f *unittestFormat) readVerbose(line string) bool {
	if m := unittestVerbose.FindStringSubmatch(line); m != nil {
		if f.pending = unittestName(m[1], m[2]); m[3] != "" {
			f.note(f.pending, unittestResultOf(m[3]))
			f.pending = ""
		}
		return true
	}
	if m := unittestResult.FindStringSubmatch(line); m != nil && f.pending != "" {
		f.note(f.pending, unittestResultOf(m[1]))
		f.pending = ""
		return true
	}
	return false
}

// readLast takes the summary: how many tests ran, an empty line, and how they ended.
func (f *unittestFormat) readLast(line string) bool {
	if strings.HasPrefix(line, "Ran ") {
		m := unittestRan.FindStringSubmatch(line)
		if m != nil {
			f.ran, _ = strconv.Atoi(m[1])
			f.ran, f.blank = f.ran+1, false
		}
		return m != nil
	}
	if f.ran > 0 && line == "" && !f.blank {
		f.blank = true
		return true
	}
	if m := unittestLast.FindStringSubmatch(line); m != nil && f.ran > 0 {
		f.summary(m[1], m[2])
		return true
	}
	f.ran = 0
	if unittestDots.MatchString(line) {
		f.dots += strings.Count(line, ".")
	}
	return false
}

func (f *unittestFormat) summary(word, numbers string) {
	c := TestCounts{Ran: f.ran - 1}
	for _, n := range unittestNumber.FindAllStringSubmatch(numbers, -1) {
		of, _ := strconv.Atoi(n[2])
		if n[1] == "skipped" || n[1] == "expected failures" {
			c.Skipped += of
		} else {
			c.Failed += of
		}
	}
	// Which of the skipped tests count as run differs from version to version, and with where they were skipped.
	c.Ran = max(c.Ran-c.Skipped, c.Failed, min(c.Ran, f.dots))
	c.Passed, f.ran, f.dots = max(0, c.Ran-c.Failed), 0, 0
	if word == "NO TESTS RAN" {
		f.none(unittestNoTests)
	}
	if word == "FAILED" && c.Failed == 0 {
		f.Bad = true
	}
	f.sum(c, 0)
}

// unittestNoTests is the exit code for no tests, since Python 3.12.
const unittestNoTests = 5

var unittestID = lazyregexp.New(`^[\w.]+`)

func aloneUnittest(_ string, list segment, test string) (segment, bool) {
	name := unittestID.FindString(test)
	if !strings.Contains(name, ".") {
		return nil, false
	}
	if last := path.Ext(name); !strings.HasPrefix(last, ".test") {
		name += ".*" // a class, in whose preparation something failed
	}
	return append(slices.Clone(list), "-k", shell.Quote("*"+name)), true
}
