package check

import (
	"strconv"
	"strings"
)

// unittestFormat reads Python's unittest, plain and -v.
type unittestFormat struct {
	sheet

	pending string // the test whose docstring, then result, stands on the next line
	ran     int    // one more than the summary says; 0 outside one
}

var (
	unittestFailure = lazily(`^(?:FAIL|ERROR): (\S+) \(([\w.<>]+)\)(.*)$`)
	unittestVerbose = lazily(`^(\w+) \(([\w.<>]+)\)(?: \.\.\. (ok|FAIL|ERROR|skipped .*|expected failure|unexpected success))?$`)
	unittestResult  = lazily(` \.\.\. (ok|FAIL|ERROR|skipped .*|expected failure|unexpected success)$`)
	unittestRan     = lazily(`^Ran (\d+) tests? in `)
	unittestLast    = lazily(`^(?:OK|FAILED)(?: \((.*)\))?$`)
	unittestNumber  = lazily(`(failures|errors|skipped|expected failures|unexpected successes)=(\d+)`)
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
	if strings.HasSuffix(line, ")") || strings.Contains(line, " ... ") {
		return f.readVerbose(line)
	}
	return f.readLast(line)
}

func (f *unittestFormat) readFailure(line string) bool {
	m := unittestFailure.FindStringSubmatch(line)
	if m != nil {
		if name := unittestName(m[1], m[2]); strings.HasPrefix(m[2], "unittest.loader.") {
			f.spoil(name)
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
	return f.readLast(line)
}

func (f *unittestFormat) readLast(line string) bool {
	if !strings.HasPrefix(line, "Ran ") && f.ran == 0 {
		return false
	}
	if m := unittestRan.FindStringSubmatch(line); m != nil {
		f.ran, _ = strconv.Atoi(m[1])
		f.ran++
		return true
	}
	m := unittestLast.FindStringSubmatch(line)
	if m == nil || f.ran == 0 {
		return false
	}
	c := TestCounts{Ran: f.ran - 1}
	for _, n := range unittestNumber.FindAllStringSubmatch(m[1], -1) {
		of, _ := strconv.Atoi(n[2])
		if n[1] == "skipped" || n[1] == "expected failures" {
			c.Skipped += of
		} else {
			c.Failed += of
		}
	}
	c.Ran -= c.Skipped
	c.Passed, f.ran = max(0, c.Ran-c.Failed), 0
	f.state(c)
	return true
}

func (f *unittestFormat) end() {}
