package results

import (
	"regexp"
	"strings"

	"autopilot/autopilot/lazyregexp"
	"autopilot/autopilot/shell"
)

var jsFile = lazyregexp.New(`\.[cm]?[jt]sx?$`)

// leaf is the last part of a name, without the number that tells tests of one name apart.
func leaf(test string) string {
	test = numbering.ReplaceAllString(test, "")
	return test[max(0, strings.LastIndex(test, " > ")+len(" > ")*min(1, strings.Count(test, " > "))):]
}

var numbering = lazyregexp.New(` #\d+$`)

// titled takes the file from the front of a name, and writes the rest as the title that a filter is held against.
func titled(test string) (file segment, filter string) {
	name := numbering.ReplaceAllString(test, "")
	if place, rest, found := strings.Cut(name, " > "); found && jsFile.MatchString(place) {
		file, name = segment{shell.Quote(place)}, rest
	}
	return file, shell.Quote("^" + regexp.QuoteMeta(strings.ReplaceAll(name, " > ", " ")) + "$")
}

var (
	jsValues  = words("t testNamePattern reporters reporter R outputFile g grep f fgrep")
	jsDropped = words("t testNamePattern reporters reporter R outputFile g grep f fgrep coverage collectCoverage coverageThreshold json bail b onlyFailures o")
)

func keep(string) bool { return false }
