package results

import (
	"slices"
	"strconv"
	"strings"

	"autopilot/autopilot/lazyregexp"
)

// jestFormat reads what jest says of failures, and its last lines; it names passed tests only with --verbose, and then
// without their file.
type jestFormat struct {
	programReport

	file   string // the one at hand, if it failed
	suites int    // one more than the files that failed, by the line before the last one; 0 elsewhere
}

var (
	jestFile  = lazyregexp.New(`^ ?(PASS|FAIL)  ?(?:.* )?(\S+\.\w+)(?: \([\d.]+ m?s\))?$`)
	jestFiles = lazyregexp.New(`^Test Suites: (?:(\d+) failed, )?.*\b\d+ total$`)
	jestLast  = lazyregexp.New(`^Tests: +(?:\d+ \w+, )*\d+ total$`)
	jestCount = lazyregexp.New(`(\d+) (failed|skipped|passed|todo|expected fail)`)
	jestNone  = lazyregexp.New(`^No tests found, exiting with code (\d+)$`)
	jestRetry = lazyregexp.New(`^ LOGGING RETRY ERRORS  (.+)$`)
	jestOther = []string{"Console", "Cannot log after tests are done. Did you forget to wait for something async in your test?"}
)

func (f *jestFormat) read(line string) bool {
	failed := f.suites
	f.suites = 0
	switch text := strings.TrimPrefix(line, " "); {
	case strings.HasPrefix(text, "PASS "), strings.HasPrefix(text, "FAIL "):
		m := jestFile.FindStringSubmatch(line)
		if m == nil || strings.Contains(line, " > ") { // vitest's
			return false
		}
		if f.file = ""; m[1] == "FAIL" {
			f.file = strings.TrimPrefix(m[2], "./")
		}
		return true
	case strings.HasPrefix(line, "  ● ") && f.file != "":
		return f.readFailure(strings.TrimPrefix(line, "  ● "))
	case strings.HasPrefix(line, "Test Suites: "):
		if m := jestFiles.FindStringSubmatch(line); m != nil {
			f.suites = 1 + counted(m[1], "", "").Passed
		}
		return f.suites > 0
	case failed > 0 && jestLast.MatchString(line):
		f.sum(numbered(jestCount, line), failed-1)
		f.file = ""
		return true
	}
	return readNone(&f.programReport, jestNone, line) || readRetry(&f.programReport, jestRetry, line)
}

func (f *jestFormat) readFailure(name string) bool {
	switch {
	case name == "":
		return false
	case name == "Test suite failed to run":
		f.addNonTestFailure(f.file)
	case !slices.Contains(jestOther, name):
		f.note(f.file+" > "+strings.ReplaceAll(name, " › ", " > "), TestFailed)
	}
	return true
}

// readNone takes a line by which a program says that it found no tests, and how it ends for that.
func readNone(s *programReport, line *lazyregexp.Regexp, text string) bool {
	m := line.FindStringSubmatch(text)
	if m != nil {
		code, _ := strconv.Atoi(m[1])
		s.none(code)
	}
	return m != nil
}

// readRetry takes a line that names a test which the program ran again.
func readRetry(s *programReport, line *lazyregexp.Regexp, text string) bool {
	m := line.FindStringSubmatch(text)
	if m != nil {
		s.flake(m[1])
	}
	return m != nil
}

// numbered adds up what a line counts.
func numbered(of *lazyregexp.Regexp, line string) TestCounts {
	counts := map[string]string{}
	for _, m := range of.FindAllStringSubmatch(line, -1) {
		counts[m[2]] = m[1]
	}
	c := counted(counts["passed"], counts["failed"], counts["skipped"])
	c.Skipped += counted("", "", counts["todo"]).Skipped + counted("", "", counts["expected fail"]).Skipped
	return c
}

func aloneJest(_ string, list segment, test string) (segment, bool) {
	file, filter := titled(test)
	return slices.Concat(pruned(list, jsValues, jsDropped, keep), file, segment{"--coverage=false", "-t", filter}), !jsFile.MatchString(test)
}
