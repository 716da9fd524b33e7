package validate

import (
	"fmt"
	"strings"
	"testing"

	"autopilot/autopilot/validate/results"
)

func TestFewerTestsAreNoticed(t *testing.T) {
	read := func(text string) Evidence {
		e := Evidence{Command: "c", Outcome: Passed}
		e.take(results.Read(text))
		return e
	}
	v := func(lines ...string) string { // go test -v
		text := ""
		for _, l := range lines {
			result, name, _ := strings.Cut(l, " ")
			text += "--- " + result + ": " + name + " (0.00s)\n"
		}
		return text + "ok  \tx\t0.1s\n"
	}
	full := v("PASS TestA", "PASS TestB", "SKIP TestC")
	for _, tc := range []struct {
		name, before, now string
		want              string // empty: nothing is lost
	}{
		{"the same", full, full, ""},
		{"one more", full, v("PASS TestA", "PASS TestB", "PASS TestC", "PASS TestD"), ""},
		{"renamed", full, v("PASS TestA", "PASS TestBetter", "SKIP TestC"), ""},
		{"gone", full, v("PASS TestA", "SKIP TestC"), "2 tests ran before, 1 now; gone: x.TestB"},
		{"a skipped one gone", full, v("PASS TestA", "PASS TestB"), ""},
		{"skipped", full, v("PASS TestA", "SKIP TestB", "SKIP TestC"), "2 tests ran before, 1 now; skipped: x.TestB"},
		{"skipped, and another one more", full, v("PASS TestA", "SKIP TestB", "PASS TestC"), "2 tests ran before, 2 now; skipped: x.TestB"},
		{"one that failed skipped", "--- FAIL: TestA (0s)\n--- PASS: TestB (0s)\nFAIL\tx\t0s\n", v("SKIP TestA", "PASS TestB"), "2 tests ran before, 1 now; skipped: x.TestA"},
		{"one that fails now", full, "--- PASS: TestA (0s)\n--- FAIL: TestB (0s)\nFAIL\tx\t0s\n", ""},
		{"tests drawn together under one", full, v("PASS TestAll", "PASS TestAll/A", "PASS TestAll/B"), ""},
		{"and taken apart", v("PASS TestAll", "PASS TestAll/A", "PASS TestAll/B"), full, ""},
		{"a row of a table less", v("PASS TestAll", "PASS TestAll/A", "PASS TestAll/B"), v("PASS TestAll", "PASS TestAll/A"), "2 tests ran before, 1 now; gone: x.TestAll/B"},
		{"by counts", "5 passed, 1 skipped in 0.1s\n", "4 passed, 2 skipped in 0.1s\n", "5 tests ran before, 4 now"},
		{"by counts, as many", "5 passed in 0.1s\n", "3 passed, 2 failed in 0.1s\n", ""},
		{"names before, counts now", "t.py::a PASSED\nt.py::b PASSED\n2 passed in 0.1s\n", "1 passed in 0.1s\n", "2 tests ran before, 1 now"},
		{"names before, as many by counts now", "t.py::a PASSED\nt.py::b PASSED\n2 passed in 0.1s\n", "2 passed in 0.1s\n", ""},
		{"parametrised", "t.py::a PASSED\n1 passed in 0.1s\n", "t.py::a[1] PASSED\nt.py::a[2] PASSED\n2 passed in 0.1s\n", ""},
		{"none any more", "2 passed in 0.1s\n", "2 skipped in 0.1s\n", "2 tests ran before, 0 now"},
		{"the output told nothing before", "ok  \tx\t0.1s\n", full, ""},
		{"the output tells nothing now", full, "ok  \tx\t0.1s\n", ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			loss, fewer := Fewer(read(tc.before), read(tc.now))
			if fewer != (tc.want != "") || fewer && loss.String() != tc.want {
				t.Errorf("%v: %s", fewer, loss)
			}
		})
	}
	other := read(full)
	other.Dir = "sub"
	if _, fewer := Fewer(other, read(v("PASS TestA"))); fewer {
		t.Error("another folder is another command")
	}
	if got := Named(strings.Fields("a b c d e f g h i j")); got != "a, b, c, d, e, f, g, h and 2 more" {
		t.Error(got)
	}
}

func TestPlaceOfALostTestIsFound(t *testing.T) {
	root := tree(t, map[string]string{
		"a/a_test.go":            "package a\n\nfunc TestB(t *testing.T) {\n}\n\nfunc TestA(t *testing.T) {\n",
		"tests/test_calc.py":     "import calc\n\nclass TestSub:\n    def test_sub(self):\n",
		"web/calc.test.js":       "describe('calc', () => {\n  it('adds up', () => {})\n})\n",
		"node_modules/x/test.js": "it('adds up')\n",
		"src/lib.rs":             "#[test]\nfn adds() {\n",
		"J.java":                 "class J {\n  @Test void divides() {}\n",
	})
	for test, want := range map[string]string{
		"x/a.TestA": "a/a_test.go:6", "x/a.TestB/sub": "a/a_test.go:3", "tests/test_calc.py::TestSub::test_sub[1]": "tests/test_calc.py:4",
		"calc > adds up #2": "web/calc.test.js:2", "src/lib.rs::tests::adds": "src/lib.rs:2", "com.x.J.divides": "J.java:2", "x.TestNowhere": ":0",
	} {
		file, line := Locate(root, "", Loss{Gone: []string{"x.TestNotThere", test}})
		if got := fmt.Sprintf("%s:%d", file, line); got != want {
			t.Errorf("%s: got %s, want %s", test, got, want)
		}
	}
}
