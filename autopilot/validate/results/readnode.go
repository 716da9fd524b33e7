package results

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"autopilot/autopilot/lazyregexp"
	"autopilot/autopilot/shell"
)

// nodeFormat reads the spec reporter of node's runner; its others are TAP and JUnit XML.
type nodeFormat struct {
	programReport

	suites []string // names of the open suites, the outer first
	noted  []int    // tests that were noted in each
	fails  []int    // of them, those that failed
	over   bool     // what follows says again what failed
	totals nodeTotals
}

// nodeTotals are the last lines of node's runner, one a number, which stand together.
type nodeTotals struct {
	begun  bool
	counts TestCounts
}

// read takes such a line without its mark. Only whole says that all were read.
func (t *nodeTotals) read(line string) (whole bool) {
	word, number, _ := strings.Cut(line, " ")
	n, err := strconv.Atoi(number)
	switch {
	case word == "tests" && err == nil:
		*t = nodeTotals{begun: true}
		return false
	case word == "duration_ms" && t.begun:
		t.begun, t.counts.Ran = false, t.counts.Passed+t.counts.Failed
		return true
	case word == "pass":
		t.counts.Passed = n
	case word == "fail", word == "cancelled":
		t.counts.Failed += n
	case word == "skipped", word == "todo":
		t.counts.Skipped += n
	}
	t.begun = t.begun && err == nil
	return false
}

var (
	nodeSuite = lazyregexp.New(`^((?:  )*)▶ (.+?)(?: \([\d.]+ms\))?$`)
	nodeTest  = lazyregexp.New(`^((?:  )*)(✔|✖|﹣|⚠) (.+?) \(\d+\.\d+ms\)(?: # (.*))?$`) // mocha has whole milliseconds
)

func (f *nodeFormat) read(line string) bool {
	if number, is := strings.CutPrefix(line, "ℹ "); is {
		f.over = false
		if f.totals.read(number) {
			f.sum(f.totals.counts, 0)
			if f.lists {
				f.stated = nil // they count a test that holds others beside these
			}
		}
		return true
	}
	f.totals.begun = false
	text := strings.TrimLeft(line, " ")
	switch {
	case strings.HasPrefix(text, "▶ "):
		if m := nodeSuite.FindStringSubmatch(line); m != nil {
			f.suite(len(m[1])/2, m[2], strings.HasSuffix(line, "ms)"))
			return true
		}
	case line == "✖ failing tests:":
		f.over = true
		return true
	case line == "Failed tests:": // the reporter dot names no test before
		f.overrule()
		return true
	case strings.HasPrefix(text, "✔ "), strings.HasPrefix(text, "✖ "), strings.HasPrefix(text, "﹣ "), strings.HasPrefix(text, "⚠ "):
		m := nodeTest.FindStringSubmatch(line)
		if m != nil && !f.over {
			f.test(len(m[1])/2, m[3], nodeResult(m[2], m[4]))
		}
		return m != nil
	}
	return false
}

func nodeResult(mark, directive string) TestResult {
	switch {
	case mark == "﹣", strings.HasPrefix(directive, "SKIP"), strings.HasPrefix(directive, "TODO"):
		return TestSkipped
	case mark == "✔":
		return TestPassed
	}
	return TestFailed
}

// suite opens a suite; with a duration, as older versions write it, it is the end of one.
func (f *nodeFormat) suite(depth int, name string, ended bool) {
	f.over = false
	if ended && depth < len(f.suites) && f.suites[depth] == name {
		f.cut(depth)
		return
	}
	f.cut(depth)
	f.suites, f.noted, f.fails = append(f.suites, name), append(f.noted, 0), append(f.fails, 0)
}

// test takes a result; that of a suite comes behind its tests, and counts by itself only where none of them failed.
func (f *nodeFormat) test(depth int, name string, result TestResult) {
	if depth < len(f.suites) && f.suites[depth] == name {
		noted, failed := f.noted[depth], f.fails[depth]
		f.cut(depth)
		if noted > 0 && (result != TestFailed || failed > 0) {
			return
		}
	}
	f.cut(depth)
	f.again(strings.Join(append(slices.Clip(f.suites), name), " > "), result)
	for i := range f.suites {
		f.noted[i]++
		if result == TestFailed {
			f.fails[i]++
		}
	}
}

func (f *nodeFormat) cut(depth int) {
	depth = min(depth, len(f.suites))
	f.suites, f.noted, f.fails = f.suites[:depth], f.noted[:depth], f.fails[:depth]
}

func aloneNode(folder string, list segment, test string) (segment, bool) {
	at := slices.IndexFunc(list, func(w string) bool { return bare(w) == "--test" })
	name := leaf(test)
	if at < 0 || Exists(folder, name) {
		return nil, false // a file that fails as a whole is no test
	}
	kept := slices.DeleteFunc(slices.Clone(list[at+1:]), func(w string) bool {
		return strings.HasPrefix(w, "--test-reporter") || strings.HasPrefix(w, "--test-coverage") || w == "--experimental-test-coverage"
	})
	pattern := "--test-name-pattern=" + shell.Quote("^"+regexp.QuoteMeta(name)+"$")
	return slices.Concat(list[:at+1], segment{pattern}, kept), true
}
