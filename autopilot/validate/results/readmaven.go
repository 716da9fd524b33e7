package results

import (
	"slices"
	"strings"

	"autopilot/autopilot/lazyregexp"
	"autopilot/autopilot/shell"
)

// mavenFormat reads what Maven's surefire prints; its reports say more.
type mavenFormat struct {
	programReport

	flakes bool // the list of tests that passed when they ran again is at hand
}

var (
	mavenTotal = lazyregexp.New(`^\[\w+\] Tests run: (\d+), Failures: (\d+), Errors: (\d+), Skipped: (\d+)(?:, Flakes: \d+)?$`)
	mavenTest  = lazyregexp.New(`^\[ERROR\] ([\w.$]+\.\w+) +--? +Time elapsed: .*<<< (?:FAILURE|ERROR)!$`)
	mavenFlake = lazyregexp.New(`^\[WARNING\] ([\w.$]+\.\w+)(?:\(([\w.$]+)\))?\s*$`)
	mavenOlder = lazyregexp.New(`^\[ERROR\] (\w+)\(([\w.$]+)\) +Time elapsed: .*<<< (?:FAILURE|ERROR)!$`)
)

func (f *mavenFormat) read(line string) bool {
	if !strings.HasPrefix(line, "[") {
		return false
	}
	if f.readFlakes(line) || f.readNone(line) {
		return true
	}
	if m := mavenTotal.FindStringSubmatch(line); m != nil {
		ran, failed := counted(m[1], "", "").Passed, counted(m[2], m[3], m[4])
		skipped := failed.Skipped
		f.sum(TestCounts{Ran: ran - skipped, Failed: failed.Ran, Skipped: skipped, Passed: ran - skipped - failed.Ran}, 0)
		return true
	}
	if m := mavenTest.FindStringSubmatch(line); m != nil {
		f.note(m[1], TestFailed)
		return true
	}
	if m := mavenOlder.FindStringSubmatch(line); m != nil {
		f.note(m[2]+"."+m[1], TestFailed)
		return true
	}
	return false
}

// readFlakes takes the list of tests that failed, and passed when surefire ran them again.
func (f *mavenFormat) readFlakes(line string) bool {
	if strings.TrimSpace(line) == "[WARNING] Flakes:" {
		f.flakes = true
		return true
	}
	if m := mavenFlake.FindStringSubmatch(line); m != nil && f.flakes {
		f.flake(mavenName(m[1], m[2]))
		return true
	}
	f.flakes = f.flakes && strings.Contains(line, "]   Run ")
	return f.flakes
}

// mavenName is class and method; older versions print method, and the class in parentheses.
func mavenName(test, class string) string {
	if class == "" {
		return test
	}
	return class + test[strings.LastIndexByte(test, '.'):]
}

// readNone takes the words for no tests. They are a failure where one was asked for by name.
func (f *mavenFormat) readNone(line string) bool {
	switch {
	case strings.Contains(line, ": No tests were executed!"), strings.Contains(line, ": No tests matching pattern "):
		f.none(1)
	case strings.HasSuffix(line, "] No tests to run."):
		f.none(0)
	case strings.HasSuffix(line, "]  T E S T S"):
		f.Spoke = true
	default:
		return false
	}
	return true
}

func aloneMaven(_ string, list segment, test string) (segment, bool) {
	test, _, _ = strings.Cut(test, "(")
	test, _, _ = strings.Cut(test, "[")
	at := strings.LastIndexByte(test, '.')
	if at < 0 || strings.ContainsAny(test, " /") {
		return nil, false
	}
	kept := slices.DeleteFunc(slices.Clone(list), func(w string) bool { return strings.HasPrefix(bare(w), "-Dtest=") })
	return append(kept, "-Dtest="+shell.Quote(test[:at]+"#"+test[at+1:]), "-DfailIfNoTests=false", "-Dsurefire.failIfNoSpecifiedTests=false"), true
}
