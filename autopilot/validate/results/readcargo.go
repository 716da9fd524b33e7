package results

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"autopilot/autopilot/lazyregexp"
	"autopilot/autopilot/shell"
)

// cargoFormat reads cargo test, with -q as well.
type cargoFormat struct {
	programReport

	target  string      // the binary that runs
	dying   bool        // it ran tests, and has not told their result
	begun   bool        // "running N tests" was seen
	last    *TestCounts // the latest result of the binary: a test may print one, too
	listing bool        // the list of failures is at hand
}

var (
	cargoTarget   = lazyregexp.New(`^\s+(?:Running(?: unittests)?|Doc-tests) (\S+)`)
	cargoBegins   = lazyregexp.New(`^running \d+ tests?$`)
	cargoTestLine = lazyregexp.New(`^test (.+?)(?: - should panic)? \.\.\. (ok|FAILED|ignored)`)
	cargoLast     = lazyregexp.New(`^test result: \w+\. (\d+) passed; (\d+) failed; (\d+) ignored;`)
	cargoResults  = map[string]TestResult{"ok": TestPassed, "FAILED": TestFailed, "ignored": TestSkipped}
)

func (f *cargoFormat) read(line string) bool {
	if f.listing {
		if name, is := strings.CutPrefix(line, "    "); is && name != "" && name[0] != ' ' {
			f.test(name, TestFailed)
			return true
		}
	}
	f.listing = line == "failures:"
	switch {
	case strings.HasPrefix(line, "running ") && cargoBegins.MatchString(line):
		f.settle()
		f.begun, f.Spoke = true, true
		return true
	case strings.HasPrefix(line, "test "):
		return f.readTest(line)
	case strings.HasPrefix(line, " ") && (strings.Contains(line, "Running ") || strings.Contains(line, "Doc-tests ")):
		m := cargoTarget.FindStringSubmatch(line)
		if m != nil {
			f.settle()
			f.target = m[1]
		}
		return m != nil
	}
	return f.listing && f.begun
}

func (f *cargoFormat) readTest(line string) bool {
	if m := cargoTestLine.FindStringSubmatch(line); m != nil {
		f.test(m[1], cargoResults[m[2]])
		f.dying = true
		return true
	}
	m := cargoLast.FindStringSubmatch(line)
	if m != nil {
		c := counted(m[1], m[2], m[3])
		f.last, f.dying = &c, false
		if !f.begun { // nothing tells where it begins: each counts
			f.settle()
		}
	}
	return m != nil
}

func (f *cargoFormat) test(name string, result TestResult) {
	f.note(strings.TrimPrefix(f.target+"::"+name, "::"), result)
}

// settle ends a target. One that died did not come to its result.
func (f *cargoFormat) settle() {
	if f.last != nil {
		f.sum(*f.last, 0)
	}
	if f.dying {
		f.addNonTestFailure(cmp.Or(f.target, "a test program of cargo"))
	}
	f.dying, f.begun, f.last = false, false, nil
}

func (f *cargoFormat) end() { f.settle() }

// counted makes counts of numbers as an output writes them.
func counted(passed, failed, skipped string) TestCounts {
	var c TestCounts
	c.Passed, _ = strconv.Atoi(passed)
	c.Failed, _ = strconv.Atoi(failed)
	c.Skipped, _ = strconv.Atoi(skipped)
	c.Ran = c.Passed + c.Failed
	return c
}

var (
	cargoValues = words("p package features F target manifest-path test bin bench example j jobs profile target-dir exclude color message-format config Z")
	cargoName   = lazyregexp.New(`^\S+\.rs::(\S+)$`)
)

func aloneCargo(_ string, list segment, test string) (segment, bool) {
	m := cargoName.FindStringSubmatch(test)
	if m == nil {
		return nil, false
	}
	flags, _, _ := splitFlags(list, cargoValues, nil, "--")
	return slices.Concat(flags, segment{"--", "--exact", shell.Quote(m[1])}), true
}
