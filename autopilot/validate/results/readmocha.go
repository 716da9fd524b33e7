package results

import (
	"strings"

	"autopilot/autopilot/lazyregexp"
)

// mochaFormat reads the end of mocha's spec, dot and list reporters: how many passed, and which failed.
type mochaFormat struct {
	programReport

	counts  *TestCounts
	failing bool
	title   []string // of the failure at hand
}

var (
	mochaCount = lazyregexp.New(`^  (\d+) (passing|pending|failing)(?: \(\d+m?s?\))?$`)
	mochaFirst = lazyregexp.New(`^  \d+\) (.+)$`)
	mochaMore  = lazyregexp.New(`^ {7,}(\S.*)$`)
)

func (f *mochaFormat) read(line string) bool {
	if strings.HasPrefix(line, "Error: No test files found") {
		f.none(1)
		return true
	}
	if !strings.HasPrefix(line, "  ") {
		return false
	}
	if m := mochaCount.FindStringSubmatch(line); m != nil {
		f.count(m[1], m[2])
		return true
	}
	if !f.failing {
		return false
	}
	if m := mochaFirst.FindStringSubmatch(line); m != nil {
		f.title = nil
		f.add(m[1])
		return true
	}
	if m := mochaMore.FindStringSubmatch(line); m != nil && f.title != nil {
		f.add(m[1])
		return true
	}
	return false
}

func (f *mochaFormat) count(number, word string) {
	switch n := counted(number, "", "").Passed; word {
	case "passing":
		f.settle()
		f.counts = &TestCounts{Passed: n}
	case "pending":
		if f.counts != nil {
			f.counts.Skipped = n
		}
	default:
		if f.counts != nil {
			f.counts.Failed, f.failing = n, true
		}
	}
}

// add takes a line of a title: suites, then the test, which ends in a colon.
func (f *mochaFormat) add(text string) {
	name, last := strings.CutSuffix(strings.TrimSpace(text), ":")
	if f.title = append(f.title, name); last {
		f.again(strings.Join(f.title, " > "), TestFailed)
		f.title = nil
	}
}

func (f *mochaFormat) settle() {
	if f.counts != nil {
		f.counts.Ran = f.counts.Passed + f.counts.Failed
		f.sum(*f.counts, 0)
	}
	f.counts, f.failing, f.title = nil, false, nil
}

func (f *mochaFormat) end() { f.settle() }

func aloneMocha(_ string, list segment, test string) (segment, bool) {
	_, filter := titled(test)
	return append(pruned(list, jsValues, jsDropped, keep), "--grep", filter), true
}
