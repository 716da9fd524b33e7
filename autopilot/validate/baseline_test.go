package validate

import (
	"strings"
	"testing"
)

func TestSignatureIsStableFromRunToRun(t *testing.T) {
	for _, tc := range []struct {
		a, b string
		same bool
	}{
		{"error: took 1.2s at 0xc0001 in /tmp/x1/y", "error: took 3.4s at 0xc0ffe in /tmp/x2/z", true},
		{"\x1b[31merror\x1b[0m: a", "error: a", true},
		{"2026-01-02T03:04:05Z error on 127.0.0.1:4010", "2027-01-02T03:04:05Z error on 127.0.0.1:999", true},
		{"building\nerror: a", "compiling\nerror: a", true},
		{"error: line 12", "error: line 13", false},
		{"--- FAIL: TestA (1.0s)\nFAIL\tx\t1.0s", "--- FAIL: TestA (2.0s)\nFAIL\tx\t2.0s", true},
		{"--- FAIL: TestA (1.0s)\nFAIL\tx\t1.0s", "--- FAIL: TestB (1.0s)\nFAIL\tx\t1.0s", false},
	} {
		if a, b := FailureSignature(tc.a), FailureSignature(tc.b); (a == b) != tc.same || a == "" {
			t.Errorf("%q and %q", a, b)
		}
	}
	if got := FailureSignature("all is well"); got != "" {
		t.Errorf("got %q", got)
	}
}

func TestFingerprintKnowsTheSameWordsAgain(t *testing.T) {
	for _, tc := range []struct {
		a, b string
		same bool
	}{
		{"no full stop, after 1.2s\n", "no full stop,  after 3ms", true},
		{"no full stop", "no capital letter", false},
		{"checking a\nerror: a", "checking b\nerror: a", true},
		{"3 left", "4 left", false},
	} {
		if a, b := Fingerprint(tc.a), Fingerprint(tc.b); (a == b) != tc.same || a == "" || b == "" {
			t.Errorf("%q: %q, %q: %q", tc.a, a, tc.b, b)
		}
	}
	if got := Fingerprint(" \n\t\n"); got != "" {
		t.Errorf("no words have the fingerprint %q", got)
	}
}

func TestFailuresAreForgivenOnlyWhereTheBaselineFailed(t *testing.T) {
	fail := func(names ...string) Evidence {
		return Evidence{Command: "c", Outcome: Failed, ExitCode: 1, FailedTests: names, Signature: strings.Join(names, "\n")}
	}
	unnamed := Evidence{Command: "c", Outcome: Failed, ExitCode: 1, Signature: "error: x"}
	other := unnamed
	other.Signature = "error: y"
	silent := unnamed
	silent.Signature = ""
	exit2 := unnamed
	exit2.ExitCode = 2
	dead := fail("a")
	dead.ExitCode = 139
	elsewhere := fail("a")
	elsewhere.Dir = "sub"
	is := func(o Outcome) Evidence { return Evidence{Command: "c", Outcome: o} }
	for _, tc := range []struct {
		name          string
		baseline, now Evidence
		want          bool
	}{
		{"passes", fail("a"), is(Passed), true},
		{"same test", fail("a"), fail("a"), true},
		{"one less", fail("a", "b"), fail("b"), true},
		{"one more", fail("a"), fail("a", "b"), false},
		{"another", fail("a"), fail("b"), false},
		{"passed before", is(Passed), fail("a"), false},
		{"named now", unnamed, fail("a"), false},
		{"named before", fail("a"), unnamed, false},
		{"same words", unnamed, unnamed, true},
		{"other words", unnamed, other, false},
		{"no words", silent, silent, false},
		{"other code", unnamed, exit2, false},
		{"other folder", fail("a"), elsewhere, false},
		{"dies behind the same test", fail("a"), dead, false},
		{"died before", dead, dead, true},
		{"still no tests", is(NothingToRun), is(NothingToRun), true},
		{"tests are gone", is(Passed), is(NothingToRun), false},
		{"could not check", is(CouldNotCheck), is(CouldNotCheck), false},
		{"timed out", is(TimedOut), is(TimedOut), false},
	} {
		if got := NoWorse(tc.baseline, tc.now); got != tc.want {
			t.Errorf("%s: got %v", tc.name, got)
		}
	}
}
