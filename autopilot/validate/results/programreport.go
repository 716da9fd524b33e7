package results

import (
	"cmp"
	"fmt"
	"hash/fnv"
	"maps"
	"slices"
	"strings"
)

const (
	// maxNames bounds what is kept of an output that prints names without end.
	maxNames = 50_000
	// maxName is more than any name that people gave, in bytes.
	maxName = 1000
)

// programReport is what one test program has reported so far.
type programReport struct {
	results map[string]TestResult
	broken  map[string]bool       // failures that are no test: a package that does not build, a coverage too low
	same    map[string]int        // how many tests of a name there were
	stated  *TestCounts           // what its summary lines say, added up
	lists   bool                  // it names the tests that pass as well
	open    map[string]TestResult // failures that no summary has confirmed yet, and what was known of these tests before
	flaky   map[string]bool       // tests that the program itself ran again
	always  bool                  // it counts whoever else speaks: its lines belong to more than one program
	TestRun
}

// reported gives a format the method by which the reader gets at what it found.
func (s *programReport) reported() *programReport { return s }

// end is that of a format that keeps nothing back.
func (s *programReport) end() {}

// note records a result. A failure stays until a summary without failures overrules it.
func (s *programReport) note(name string, result TestResult) {
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
	if result == TestFailed {
		if s.open == nil {
			s.open = map[string]TestResult{}
		}
		s.open[name] = s.results[name]
	}
	s.results[name] = result
	s.lists = s.lists || result == TestPassed
}

// addNonTestFailure notes a failure that is no test's.
func (s *programReport) addNonTestFailure(name string) {
	s.note(name, TestFailed)
	if s.broken == nil {
		s.broken = map[string]bool{}
	}
	s.broken[shortened(name)] = true
}

// again notes a test whose format may have several of one name.
func (s *programReport) again(name string, result TestResult) {
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

// state adds the counts of a summary.
func (s *programReport) state(c TestCounts) {
	s.Spoke = true
	if min(c.Ran, c.Passed, c.Failed, c.Skipped) < 0 {
		return // no program counts so
	}
	s.Ran, s.Bad = s.Ran || c.Ran > 0, s.Bad || c.Failed > 0
	if s.stated != nil {
		c = c.plus(*s.stated)
	}
	s.stated = &c
}

// sum takes the summary of a run, which overrules what came before it: where it counts no failure, the failures above it
// were tests that the program ran again, or lines that the tests printed. others are failures that are no tests.
func (s *programReport) sum(c TestCounts, others int) {
	if c.Failed+others == 0 {
		s.overrule()
	}
	s.open, s.Bad = nil, s.Bad || others > 0
	s.state(c)
}

func (s *programReport) overrule() {
	for name, before := range s.open {
		delete(s.broken, name)
		if s.results[name] = before; before == "" {
			delete(s.results, name)
		}
	}
	s.open = nil
}

// none records that the program found no tests, and the exit code that it has for that; 0: it is not a failure.
func (s *programReport) none(code int) {
	s.Spoke = true
	if code > 0 && !slices.Contains(s.Wants, code) {
		s.Wants = append(s.Wants, code)
	}
}

// counts are those of the names where these are complete, else what was stated.
func (s *programReport) counts() *TestCounts {
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
func (s *programReport) leaves() map[string]TestResult {
	leaves := maps.Clone(s.results)
	for name := range s.results {
		for at := strings.LastIndexByte(name, '/'); at > 0; at = strings.LastIndexByte(name[:at], '/') {
			if IsGoTest(name[:at]) {
				delete(leaves, name[:at])
			}
		}
	}
	return leaves
}

// merge adds what another program reported.
func (s *programReport) merge(other *programReport) {
	s.TestRun = s.plus(other.TestRun)
	for name := range other.flaky {
		s.flake(name)
	}
	before, counts := s.counts(), other.counts()
	for _, name := range slices.SortedFunc(maps.Keys(other.results), func(a, b string) int { // failures are never left out
		return cmp.Or(cmp.Compare(other.results[a], other.results[b]), cmp.Compare(a, b))
	}) {
		if other.broken[name] {
			s.addNonTestFailure(name)
		} else {
			s.note(name, other.results[name])
		}
	}
	s.lists, s.stated = s.lists || other.lists, before
	if counts != nil {
		s.state(*counts)
	}
}

// flake records a test that the program ran again because it failed.
func (s *programReport) flake(name string) {
	if s.flaky == nil {
		s.flaky = map[string]bool{}
	}
	if len(s.flaky) < maxNames {
		s.flaky[shortened(name)] = true
	}
}

// retried are the tests that passed when the program ran them again.
func (s *programReport) retried() []string {
	failed := s.failed()
	return slices.DeleteFunc(slices.Sorted(maps.Keys(s.flaky)), func(name string) bool {
		return slices.ContainsFunc(failed, func(f string) bool {
			return f == name || strings.HasSuffix(strings.ReplaceAll(f, " > ", " "), " "+name)
		})
	})
}

func (s *programReport) failed() []string {
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
