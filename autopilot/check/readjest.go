package check

import (
	"slices"
	"strings"
)

// jestFormat reads what jest says of failures, and its last lines; it names passed tests only with --verbose, and then
// without their file.
type jestFormat struct {
	sheet

	file string // the one at hand, if it failed
}

var (
	jestFile  = lazily(`^(PASS|FAIL) (?:.* )?(\S+\.\w+)(?: \([\d.]+ m?s\))?$`)
	jestLast  = lazily(`^Tests: +(?:\d+ \w+, )*\d+ total$`)
	jestCount = lazily(`(\d+) (failed|skipped|passed|todo)`)
	jestOther = []string{"Console", "Cannot log after tests are done. Did you forget to wait for something async in your test?"}
)

func (f *jestFormat) read(line string) bool {
	switch {
	case strings.HasPrefix(line, "PASS "), strings.HasPrefix(line, "FAIL "):
		m := jestFile.FindStringSubmatch(line)
		if m == nil {
			return false
		}
		if f.file = ""; m[1] == "FAIL" {
			f.file = strings.TrimPrefix(m[2], "./")
		}
		return true
	case strings.HasPrefix(line, "  ● ") && f.file != "":
		switch name := strings.TrimPrefix(line, "  ● "); {
		case name == "":
			return false
		case name == "Test suite failed to run":
			f.spoil(f.file)
		case !slices.Contains(jestOther, name):
			f.note(f.file+" > "+strings.ReplaceAll(name, " › ", " > "), TestFailed)
		}
		return true
	case strings.HasPrefix(line, "Tests: ") && jestLast.MatchString(line):
		f.state(numbered(jestCount, line))
		f.file = ""
		return true
	}
	return false
}

// numbered adds up what a line counts.
func numbered(of *lazyPattern, line string) TestCounts {
	counts := map[string]string{}
	for _, m := range of.FindAllStringSubmatch(line, -1) {
		counts[m[2]] = m[1]
	}
	c := counted(counts["passed"], counts["failed"], counts["skipped"])
	c.Skipped += counted("", "", counts["todo"]).Skipped
	return c
}

func (f *jestFormat) end() {}

// vitestFormat reads what vitest says of failures, and its last lines.
type vitestFormat struct{ sheet }

var (
	vitestFile = lazily(`^ FAIL  (?:\|[^|]+\| )?(\S+) \[ .* \]$`)
	vitestTest = lazily(`^ FAIL  (?:\|[^|]+\| )?(\S+ > .+)$`)
	vitestLast = lazily(`^ +Tests  (?:\d+ \w+(?: \| )?)+ \(\d+\)$`)
)

func (f *vitestFormat) read(line string) bool {
	if strings.HasPrefix(line, " FAIL  ") {
		if m := vitestFile.FindStringSubmatch(line); m != nil {
			f.spoil(m[1])
			return true
		}
		m := vitestTest.FindStringSubmatch(line)
		if m != nil {
			f.note(m[1], TestFailed)
		}
		return m != nil
	}
	if strings.Contains(line, " Tests  ") && vitestLast.MatchString(line) {
		f.state(numbered(jestCount, line))
		return true
	}
	return false
}

func (f *vitestFormat) end() {}
