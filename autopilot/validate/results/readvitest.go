package results

import (
	"slices"
	"strings"

	"autopilot/autopilot/lazyregexp"
)

// vitestFormat reads what vitest says of failures, and its last lines.
type vitestFormat struct {
	programReport

	files int // one more than the files that failed, by the line before the last one; 0 elsewhere
}

var (
	vitestFile  = lazyregexp.New(`^ FAIL  (?:\|[^|]+\| )?(\S+) \[ .* \]$`)
	vitestTest  = lazyregexp.New(`^ FAIL  (?:\|[^|]+\| )?(\S+ > .+)$`)
	vitestFiles = lazyregexp.New(`^ Test Files  (?:(\d+) failed\b)?.*\(\d+\)$`)
	vitestLast  = lazyregexp.New(`^ +Tests  (?:\d+ [a-z ]+(?: \| )?)+ \(\d+\)$|^ +Tests  no tests$`)
	vitestNone  = lazyregexp.New(`^No test files found, exiting with code (\d+)$`)
	vitestRetry = lazyregexp.New(`^ +✓ (?:\|[^|]+\| )?(.+?) +[\d.]+m?s \(retry x\d+\)$`)
)

func (f *vitestFormat) read(line string) bool {
	failed := f.files
	f.files = 0
	switch {
	case strings.HasPrefix(line, " FAIL  "):
		if m := vitestFile.FindStringSubmatch(line); m != nil {
			f.addNonTestFailure(m[1])
			return true
		}
		m := vitestTest.FindStringSubmatch(line)
		if m != nil {
			f.note(m[1], TestFailed)
		}
		return m != nil
	case strings.HasPrefix(line, " Test Files  "):
		if m := vitestFiles.FindStringSubmatch(line); m != nil {
			f.files = 1 + counted(m[1], "", "").Passed
		}
		return f.files > 0
	case failed > 0 && vitestLast.MatchString(line):
		f.sum(numbered(jestCount, line), failed-1)
		return true
	case strings.HasSuffix(line, ")") && readRetry(&f.programReport, vitestRetry, line):
		return true
	}
	return readNone(&f.programReport, vitestNone, line)
}

func aloneVitest(_ string, list segment, test string) (segment, bool) {
	kept := pruned(list, jsValues, jsDropped, keep)
	if !slices.Contains(kept, "run") && !slices.Contains(kept, "--run") {
		kept = append(segment{"run"}, kept...)
	}
	file, filter := titled(test)
	return slices.Concat(kept, file, segment{"--coverage.enabled=false", "-t", filter}), !jsFile.MatchString(test)
}
