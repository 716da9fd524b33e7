package check

import (
	"cmp"
	"strconv"
	"strings"
)

// cargoFormat reads cargo test.
type cargoFormat struct {
	sheet

	target string // the binary that runs
	open   bool   // it ran tests, and has not told their result
}

var (
	cargoTarget   = lazily(`^\s+(?:Running(?: unittests)?|Doc-tests) (\S+)`)
	cargoTestLine = lazily(`^test (.+?)(?: - should panic)? \.\.\. (ok|FAILED|ignored)`)
	cargoLast     = lazily(`^test result: \w+\. (\d+) passed; (\d+) failed; (\d+) ignored;`)
	cargoResults  = map[string]TestResult{"ok": TestPassed, "FAILED": TestFailed, "ignored": TestSkipped}
)

func (f *cargoFormat) read(line string) bool {
	if strings.HasPrefix(line, "test ") {
		if m := cargoTestLine.FindStringSubmatch(line); m != nil {
			f.note(strings.TrimPrefix(f.target+"::"+m[1], "::"), cargoResults[m[2]])
			f.open = true
			return true
		}
		if m := cargoLast.FindStringSubmatch(line); m != nil {
			f.state(counted(m[1], m[2], m[3]))
			f.open = false
			return true
		}
	}
	if strings.HasPrefix(line, " ") && (strings.Contains(line, "Running ") || strings.Contains(line, "Doc-tests ")) {
		if m := cargoTarget.FindStringSubmatch(line); m != nil {
			f.end()
			f.target = m[1]
			return true
		}
	}
	return false
}

// end: a target that died did not come to its result.
func (f *cargoFormat) end() {
	if f.open {
		f.spoil(cmp.Or(f.target, "a test program of cargo"))
	}
	f.open = false
}

// counted makes counts of numbers as an output writes them.
func counted(passed, failed, skipped string) TestCounts {
	var c TestCounts
	c.Passed, _ = strconv.Atoi(passed)
	c.Failed, _ = strconv.Atoi(failed)
	c.Skipped, _ = strconv.Atoi(skipped)
	c.Ran = c.Passed + c.Failed
	return c
}
