package check

import (
	"strconv"
	"strings"
)

// pytestFormat reads pytest: its last line, its short summary, -v, -rA, and pytest-xdist's lines.
type pytestFormat struct{ sheet }

var (
	pytestVerbose = lazily(`^(?:\[gw\d+\] \[ *\d+%\] )?(\S+::.+?) (PASSED|FAILED|ERROR|SKIPPED|XFAIL|XPASS)(\s|$)`)
	pytestXdist   = lazily(`^\[gw\d+\] \[ *\d+%\] (PASSED|FAILED|ERROR|SKIPPED|XFAIL|XPASS) (\S+::.+?)\s*$`)
	pytestSummary = lazily(`^(PASSED|FAILED|ERROR|XFAIL|XPASS) (\S+?\.py(?:::[^\[]*?(?:\[.*?\])?)?)(?: - .*)?$`)
	pytestLast    = lazily(`^(?:=+ )?((?:\d+ [a-z]+(?:, )?)+) in [\d.]+s\b`)
	pytestNumber  = lazily(`(\d+) (passed|failed|errors?|skipped|xfailed|xpassed)\b`)
	pytestResults = map[string]TestResult{
		"PASSED": TestPassed, "FAILED": TestFailed, "ERROR": TestFailed, "SKIPPED": TestSkipped, "XFAIL": TestSkipped, "XPASS": TestPassed,
	}
)

func (f *pytestFormat) read(line string) bool {
	if strings.Contains(line, "::") {
		if m := pytestXdist.FindStringSubmatch(line); m != nil {
			f.note(m[2], pytestResults[m[1]])
			return true
		}
		if m := pytestVerbose.FindStringSubmatch(line); m != nil {
			f.note(m[1], pytestResults[m[2]])
			return true
		}
	}
	if strings.Contains(line, ".py") {
		if m := pytestSummary.FindStringSubmatch(line); m != nil {
			if strings.Contains(m[2], "::") {
				f.note(m[2], pytestResults[m[1]])
			} else {
				f.spoil(m[2])
			}
			return true
		}
	}
	if strings.Contains(line, " in ") {
		if m := pytestLast.FindStringSubmatch(line); m != nil {
			return f.readLast(m[1])
		}
	}
	return false
}

func (f *pytestFormat) readLast(text string) bool {
	var c TestCounts
	found := pytestNumber.FindAllStringSubmatch(text, -1)
	for _, m := range found {
		n, _ := strconv.Atoi(m[1])
		switch m[2] {
		case "passed", "xpassed":
			c.Passed += n
		case "skipped", "xfailed":
			c.Skipped += n
		default:
			c.Failed += n
		}
	}
	c.Ran = c.Passed + c.Failed
	if len(found) > 0 {
		f.state(c)
	}
	return len(found) > 0
}

func (f *pytestFormat) end() {}
