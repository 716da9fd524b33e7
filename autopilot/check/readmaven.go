package check

import (
	"strings"
)

// mavenFormat reads what Maven's surefire prints; its reports say more.
type mavenFormat struct{ sheet }

var (
	mavenTotal = lazily(`^\[\w+\] Tests run: (\d+), Failures: (\d+), Errors: (\d+), Skipped: (\d+)$`)
	mavenTest  = lazily(`^\[ERROR\] ([\w.$]+\.\w+) +--? +Time elapsed: .*<<< (?:FAILURE|ERROR)!$`)
	mavenOlder = lazily(`^\[ERROR\] (\w+)\(([\w.$]+)\) +Time elapsed: .*<<< (?:FAILURE|ERROR)!$`)
)

func (f *mavenFormat) read(line string) bool {
	if !strings.HasPrefix(line, "[") {
		return false
	}
	if m := mavenTotal.FindStringSubmatch(line); m != nil {
		ran, failed := counted(m[1], "", "").Passed, counted(m[2], m[3], m[4])
		skipped := failed.Skipped
		f.state(TestCounts{Ran: ran - skipped, Failed: failed.Ran, Skipped: skipped, Passed: ran - skipped - failed.Ran})
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

func (f *mavenFormat) end() {}
