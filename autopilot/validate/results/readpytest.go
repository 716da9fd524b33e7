package results

import (
	"fmt"
	"maps"
	"path/filepath"
	"strconv"
	"strings"

	"autopilot/autopilot/lazyregexp"
	"autopilot/autopilot/shell"
)

// pytestFormat reads pytest: its last line, its short summary, -v, -rA, and pytest-xdist's lines. Tests may run pytest
// themselves and print what it says: a session that begins within another one is theirs, and a session's last summary
// counts.
type pytestFormat struct {
	programReport

	deep   int                   // sessions that have begun and not ended
	last   *TestCounts           // the latest summary of the outer session
	inner  *TestCounts           // that of one within it
	failed map[string]TestResult // what failed before the latest summary, as programReport.open has it
}

var (
	pytestVerbose = lazyregexp.New(`^(?:\[gw\d+\] \[ *\d+%\] )?(\S+::.+?) (PASSED|FAILED|ERROR|SKIPPED|XFAIL|XPASS|RERUN)(\s|$)`)
	pytestXdist   = lazyregexp.New(`^\[gw\d+\] \[ *\d+%\] (PASSED|FAILED|ERROR|SKIPPED|XFAIL|XPASS|RERUN) (\S+::.+?)\s*$`)
	pytestSummary = lazyregexp.New(`^(PASSED|FAILED|ERROR|XFAIL|XPASS|RERUN) (\S+?\.py(?:::[^\[]*?(?:\[.*?\])?)?)(?: - .*)?$`)
	pytestBegins  = lazyregexp.New(`^(.* )?=+ test session starts =+$`)
	pytestLast    = lazyregexp.New(`^(=+ )?(no tests ran|(?:\d+ (?:passed|failed|errors?|skipped|xfailed|xpassed|deselected|warnings?|reruns?|rerun)(?:, )?)+) in [\d.]+s\b`)
	pytestNumber  = lazyregexp.New(`(\d+) (passed|failed|errors?|skipped|xfailed|xpassed|rerun)\b`)
	pytestResults = map[string]TestResult{
		"PASSED": TestPassed, "FAILED": TestFailed, "ERROR": TestFailed, "SKIPPED": TestSkipped, "XFAIL": TestSkipped, "XPASS": TestPassed,
	}
)

// PytestNoTests is pytest's exit code for no tests.
const PytestNoTests = 5

func (f *pytestFormat) read(line string) bool {
	if strings.HasSuffix(line, "=") && pytestBegins.MatchString(line) {
		f.begin()
		return true
	}
	if strings.Contains(line, "::") {
		if m := pytestXdist.FindStringSubmatch(line); m != nil {
			f.test(m[2], m[1])
			return true
		}
		if m := pytestVerbose.FindStringSubmatch(line); m != nil {
			f.test(m[1], m[2])
			return true
		}
	}
	if strings.Contains(line, ".py") {
		if m := pytestSummary.FindStringSubmatch(line); m != nil {
			f.test(m[2], m[1])
			return true
		}
	}
	if strings.Contains(line, " in ") {
		if m := pytestLast.FindStringSubmatch(line); m != nil {
			f.readLast(m[1] != "", m[2])
			return true
		}
	}
	return false
}

func (f *pytestFormat) test(name, word string) {
	switch {
	case word == "RERUN":
		f.flake(name)
	case strings.Contains(name, "::"):
		f.note(name, pytestResults[word])
	default:
		f.addNonTestFailure(name)
	}
}

func (f *pytestFormat) begin() {
	f.Spoke = true
	if f.deep++; f.deep == 1 {
		f.settle()
	}
}

// readLast takes a summary. With -q it has no frame, and nothing tells where its session begins: each counts, unless it
// stands within a session that has one.
func (f *pytestFormat) readLast(framed bool, text string) {
	c, rerun := pytestCounts(text)
	switch {
	case framed && f.deep > 1:
		f.deep--
		f.inner = &c
		return
	case framed:
		f.deep, f.last = 0, &c
		f.keep()
	case f.deep > 0:
		return
	default:
		f.settle()
		f.sum(c, 0)
	}
	if c.Ran == 0 {
		f.none(PytestNoTests)
	}
	if rerun > 0 && c.Failed == 0 && len(f.flaky) == 0 {
		f.flake(pytestReruns(rerun))
	}
}

// pytestReruns stands for tests that pytest-rerunfailures does not name.
func pytestReruns(n int) string {
	return fmt.Sprintf("%d rerun of pytest's own (-rR names the tests)", n)
}

func pytestCounts(text string) (c TestCounts, rerun int) {
	for _, m := range pytestNumber.FindAllStringSubmatch(text, -1) {
		n, _ := strconv.Atoi(m[1])
		switch m[2] {
		case "passed", "xpassed":
			c.Passed += n
		case "skipped", "xfailed":
			c.Skipped += n
		case "rerun":
			rerun += n
		default:
			c.Failed += n
		}
	}
	c.Ran = c.Passed + c.Failed
	return c, rerun
}

// keep puts the failures up to a summary aside, until it is known to be the session's last one.
func (f *pytestFormat) keep() {
	if f.failed == nil {
		f.failed = map[string]TestResult{}
	}
	maps.Copy(f.failed, f.open)
	f.open = nil
}

// settle ends a session with the summary that came last in it.
func (f *pytestFormat) settle() {
	if f.last == nil {
		return
	}
	after := f.open
	f.open = f.failed
	f.sum(*f.last, 0)
	f.open, f.failed, f.last = after, nil, nil
}

// end: where the outer session has no summary, one within it was not taken apart rightly, or it died.
func (f *pytestFormat) end() {
	if f.last == nil && f.deep > 0 && f.inner != nil {
		f.last = f.inner
		f.keep()
	}
	f.settle()
}

// What pytest has beside paths: flags with a value of their own, and those that have no place in a run of one test (a
// report that would be overwritten, a coverage that one test does not reach).
var (
	pytestValues = words("rootdir c p o W k m basetemp ignore ignore-glob confcutdir deselect tb maxfail durations n numprocesses dist timeout " +
		"import-mode color log-level log-cli-level junitxml junit-xml junit-prefix cov cov-report cov-config cov-fail-under override-ini r")
	pytestDropped = words("junitxml junit-xml junit-prefix cov cov-report cov-config cov-fail-under cov-branch cov-append lf last-failed ff failed-first sw stepwise")
)

func alonePytest(folder string, list segment, test string) (segment, bool) {
	file, _, _ := strings.Cut(test, "::")
	if !strings.HasSuffix(file, ".py") {
		return nil, false
	}
	kept := pruned(list, pytestValues, pytestDropped, func(w string) bool {
		place, _, node := strings.Cut(bare(w), "::")
		return node || Exists(folder, filepath.FromSlash(place)) || strings.Contains(place, "*")
	})
	return append(kept, shell.Quote(test)), true
}
