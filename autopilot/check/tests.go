package check

import (
	"cmp"
	"fmt"
	"hash/fnv"
	"maps"
	"slices"
	"strings"
)

// TestResult is how one test ended.
type TestResult string

// The results of a test.
const (
	TestPassed  TestResult = "pass"
	TestFailed  TestResult = "fail"
	TestSkipped TestResult = "skip" // it did not run, or its failure was expected
)

// TestCounts are how many tests a run had. A test that holds others is not counted beside them.
type TestCounts struct {
	Ran     int `json:"ran"`
	Passed  int `json:"passed"`
	Failed  int `json:"failed"`
	Skipped int `json:"skipped"`
}

func (c TestCounts) plus(d TestCounts) TestCounts {
	return TestCounts{c.Ran + d.Ran, c.Passed + d.Passed, c.Failed + d.Failed, c.Skipped + d.Skipped}
}

// Tests reads the names of tests and how they ended from the output of go test (plain, -v, -json), pytest, unittest,
// cargo test, node's runner, jest, vitest, mocha, Maven, and from TAP and JUnit XML. Go names are package.Test, and a
// package that failed without a failed test (it did not build, it panicked) stands under its own name; pytest's are node
// ids; where tests hold tests, their names are joined by " > ". Where the output names none the map is empty.
func Tests(output string) map[string]TestResult {
	r := newTestReader("")
	_, _ = r.Write([]byte(output))
	return r.told().results
}

const (
	// maxNames bounds what is kept of an output that prints names without end.
	maxNames = 50_000
	// maxName is more than any name that people gave, in bytes.
	maxName = 1000
)

// sheet is what one test program's output told so far.
type sheet struct {
	results map[string]TestResult
	broken  map[string]bool // failures that are no test: a package that does not build, a coverage too low
	same    map[string]int  // how many tests of a name there were
	stated  *TestCounts     // what its summary lines say, added up
	lists   bool            // it names the tests that pass as well
}

// told gives a format the method by which the reader gets at what it found.
func (s *sheet) told() *sheet { return s }

// note keeps a failure whatever else is said of the same name.
func (s *sheet) note(name string, result TestResult) {
	name = shortened(name)
	limit := maxNames
	if result == TestFailed {
		limit *= 2
	}
	if _, known := s.results[name]; s.results[name] == TestFailed || !known && len(s.results) >= limit {
		return
	}
	if s.results == nil {
		s.results = map[string]TestResult{}
	}
	s.results[name] = result
	s.lists = s.lists || result == TestPassed
}

// spoil notes a failure that is no test's.
func (s *sheet) spoil(name string) {
	s.note(name, TestFailed)
	if s.broken == nil {
		s.broken = map[string]bool{}
	}
	s.broken[shortened(name)] = true
}

// again notes a test whose format may have several of one name.
func (s *sheet) again(name string, result TestResult) {
	name = shortened(name)
	n, known := s.same[name]
	if s.same == nil {
		s.same = map[string]int{}
	}
	if !known && len(s.same) >= 2*maxNames {
		return
	}
	if s.same[name] = n + 1; n > 0 {
		name = fmt.Sprintf("%s #%d", name, n+1)
	}
	s.note(name, result)
}

func (s *sheet) state(c TestCounts) {
	if min(c.Ran, c.Passed, c.Failed, c.Skipped) < 0 {
		return // no program counts so
	}
	if s.stated != nil {
		c = c.plus(*s.stated)
	}
	s.stated = &c
}

// counts are those of the names where these are complete, else what was stated.
func (s *sheet) counts() *TestCounts {
	if !s.lists {
		return s.stated
	}
	var c TestCounts
	for name, result := range s.leaves() {
		switch {
		case s.broken[name]:
		case result == TestSkipped:
			c.Skipped++
		case result == TestPassed:
			c.Passed++
		default:
			c.Failed++
		}
	}
	c.Ran = c.Passed + c.Failed
	if s.stated != nil && s.stated.Ran != c.Ran {
		return s.stated
	}
	return &c
}

// leaves leaves out the Go tests that hold others: who splits a test, or draws some together, has as many as before.
func (s *sheet) leaves() map[string]TestResult {
	leaves := maps.Clone(s.results)
	for name := range s.results {
		for at := strings.LastIndexByte(name, '/'); at > 0; at = strings.LastIndexByte(name[:at], '/') {
			if isGoTest(name[:at]) {
				delete(leaves, name[:at])
			}
		}
	}
	return leaves
}

// merge adds what another program's output told.
func (s *sheet) merge(other *sheet) {
	before, counts := s.counts(), other.counts()
	for _, name := range slices.SortedFunc(maps.Keys(other.results), func(a, b string) int { // failures are never left out
		return cmp.Or(cmp.Compare(other.results[a], other.results[b]), cmp.Compare(a, b))
	}) {
		if other.broken[name] {
			s.spoil(name)
		} else {
			s.note(name, other.results[name])
		}
	}
	s.lists, s.stated = s.lists || other.lists, before
	if counts != nil {
		s.state(*counts)
	}
}

func (s *sheet) failed() []string {
	var names []string
	for name, result := range s.results {
		if result == TestFailed {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// shortened keeps the names of endless parameters apart, and small.
func shortened(name string) string {
	if len(name) <= maxName {
		return name
	}
	sum := fnv.New64a()
	_, _ = sum.Write([]byte(name))
	return fmt.Sprintf("%s…%x", strings.ToValidUTF8(name[:maxName-20], ""), sum.Sum64())
}
