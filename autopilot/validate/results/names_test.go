package results

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

// resultsOf is what an output says of each test, and of what holds tests.
func resultsOf(output string) map[string]TestResult {
	r := NewTestReader("")
	_, _ = r.Write([]byte(output))
	return r.reported().results
}

func TestNamesOfTestsAreRead(t *testing.T) {
	for _, tc := range []struct {
		name, output string
		want         map[string]TestResult
	}{
		{
			"go test", "--- FAIL: TestA (0.00s)\n    --- FAIL: TestA/sub (0.00s)\n    a_test.go:1: no\nFAIL\nFAIL\tx/a\t0.1s\nok  \tx/b\t0.2s\n?   \tx/c\t[no test files]\nFAIL\n",
			map[string]TestResult{"x/a.TestA": TestFailed, "x/a.TestA/sub": TestFailed},
		},
		{
			"go test -v", "=== RUN   TestA\n--- PASS: TestA (0.00s)\n--- SKIP: TestB (0.00s)\nPASS\nok  \tx/a\t0.1s\n",
			map[string]TestResult{"x/a.TestA": TestPassed, "x/a.TestB": TestSkipped},
		},
		{"go build failure", "# x/a\na.go:1:1: undefined: b\nFAIL\tx/a [build failed]\nFAIL\n", map[string]TestResult{"x/a": TestFailed}},
		{"go panic", "panic: boom\n\ngoroutine 1\nFAIL\tx/a\t0.1s\nFAIL\n", map[string]TestResult{"x/a": TestFailed}},
		{"go cut off", "--- FAIL: TestA (0.00s)\n", map[string]TestResult{"TestA": TestFailed}},
		{"go test -json", `{"Action":"run","Package":"x","Test":"TestA"}
{"Action":"fail","Package":"x","Test":"TestA","Elapsed":0}
{"Action":"pass","Package":"x","Test":"TestB"}
{"Action":"output","Package":"x","Output":"FAIL\n"}
{"Action":"fail","Package":"x"}
{"Action":"fail","Package":"y"}
{broken`, map[string]TestResult{"x.TestA": TestFailed, "x.TestB": TestPassed, "y": TestFailed}},
		{
			"pytest -v", "tests/test_a.py::test_one PASSED [ 50%]\ntests/test_a.py::T::test_two[a b] FAILED [100%]\ntests/test_a.py::test_x SKIPPED (why) [100%]\n",
			map[string]TestResult{"tests/test_a.py::test_one": TestPassed, "tests/test_a.py::T::test_two[a b]": TestFailed, "tests/test_a.py::test_x": TestSkipped},
		},
		{
			"pytest summary", "FAILED tests/test_a.py::test_one - assert 1 == 2\nERROR tests/test_b.py - ImportError: x\n",
			map[string]TestResult{"tests/test_a.py::test_one": TestFailed, "tests/test_b.py": TestFailed},
		},
		{
			"pytest xdist", "[gw0] [ 50%] PASSED tests/test_a.py::test_one \n[gw1] [ 50%] FAILED tests/test_a.py::test_two\n",
			map[string]TestResult{"tests/test_a.py::test_one": TestPassed, "tests/test_a.py::test_two": TestFailed},
		},
		{
			"cargo", "     Running unittests src/lib.rs (target/x)\ntest a::b ... ok\r\ntest a::c ... FAILED\ntest result: FAILED. 1 passed; 1 failed; 0 ignored; 0 measured\n   Doc-tests x\ntest src/lib.rs - (line 1) ... ignored\ntest result: ok. 0 passed; 0 failed; 1 ignored; 0 measured\n",
			map[string]TestResult{"src/lib.rs::a::b": TestPassed, "src/lib.rs::a::c": TestFailed, "x::src/lib.rs - (line 1)": TestSkipped},
		},
		{"nothing", "error: it broke\n", map[string]TestResult{}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if diff := cmp.Diff(tc.want, resultsOf(tc.output)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestNamesAreReadAcrossWritesAndBesideEndlessLines(t *testing.T) {
	r := NewTestReader("")
	for _, part := range []string{strings.Repeat("x", 3*maxLine), "y\n--- FA", "IL: TestA (0s)\nFAIL\nFAIL\tp", "\t0s\n"} {
		if n, err := r.Write([]byte(part)); n != len(part) || err != nil {
			t.Fatal(n, err)
		}
	}
	if got := r.reported().failed(); len(got) != 1 || got[0] != "p.TestA" {
		t.Errorf("got %q", got)
	}
}

func TestEndlessNamesAreShortenedAndKeptApart(t *testing.T) {
	long := "t.py::test_a[" + strings.Repeat("é", maxName)
	got := resultsOf(long + "1] PASSED\n" + long + "2] FAILED\n")
	if len(got) != 2 {
		t.Errorf("%d names", len(got))
	}
	for name := range got {
		if len(name) > maxName+10 || !utf8.ValidString(name) {
			t.Errorf("a name of %d bytes", len(name))
		}
	}
}

func TestATestProgramThatDiedFailsBesideItsTests(t *testing.T) {
	const known = "--- FAIL: TestA (0.00s)\n    a_test.go:1: no\n"
	const knownJSON = `{"Action":"fail","Package":"x","Test":"TestA"}` + "\n"
	const lib = "     Running unittests src/lib.rs (target/x)\ntest a ... FAILED\n"
	for _, tc := range []struct {
		name, output string
		want         []string
	}{
		{"log.Fatal", known + "2026/11/24 19:19:29 dead\nFAIL\tx\t0.1s\nFAIL\n", []string{"x", "x.TestA"}},
		{"os.Exit", known + "FAIL\tx\t0.1s\nFAIL\n", []string{"x", "x.TestA"}},
		{"os.Exit, -v", "=== RUN   TestA\n" + known + "=== RUN   TestB\nFAIL\tx\t0.1s\nFAIL\n", []string{"x", "x.TestA"}},
		{"fatal error", known + "fatal error: concurrent map writes\n\ngoroutine 2\nFAIL\tx\t0.1s\nFAIL\n", []string{"x", "x.TestA"}},
		{"dies at its end", known + "FAIL\nfatal error: stack overflow\nFAIL\tx\t0.1s\nFAIL\n", []string{"x", "x.TestA"}},
		{"in the second package", known + "FAIL\nFAIL\ty\t0.1s\n" + known + "FAIL\tx\t0.1s\nFAIL\n", []string{"x", "x.TestA", "y.TestA"}},
		{"in the second go test", known + "FAIL\nFAIL\ty\t0.1s\nFAIL\n" + known + "FAIL\tx\t0.1s\nFAIL\n", []string{"x", "x.TestA", "y.TestA"}},
		{"a test says FAIL before", "FAIL\n" + known + "FAIL\tx\t0.1s\nFAIL\n", []string{"x", "x.TestA"}},
		{"-json", knownJSON + `{"Action":"output","Package":"x","Output":"FAIL\tx\t0.1s\n"}` + "\n" + `{"Action":"fail","Package":"x"}`, []string{"x", "x.TestA"}},
		{"cargo", lib + "error: test failed, to rerun pass `--lib`\n", []string{"src/lib.rs", "src/lib.rs::a"}},
		{"cargo, the first of two", lib + "   Doc-tests x\n", []string{"src/lib.rs", "src/lib.rs::a"}},
		{"cargo alone", "test a ... FAILED\n", []string{"a", "a test program of cargo"}},

		{"lives", known + "FAIL\nFAIL\tx\t0.1s\nFAIL\n", []string{"x.TestA"}},
		{"lives, glued", known + "no endFAIL\nFAIL\tx\t0.1s\nFAIL\n", []string{"x.TestA"}},
		{"lives, an older Go", known + "FAIL\nexit status 1\nFAIL\tx\t0.1s\nFAIL\n", []string{"x.TestA"}},
		{"lives, and talks on", known + "FAIL\nteardown\nFAIL\tx\t0.1s\nFAIL\n", []string{"x.TestA"}},
		{"lives, -json", knownJSON + `{"Action":"output","Package":"x","Output":"FAIL\n"}` + "\n" + `{"Action":"fail","Package":"x"}`, []string{"x.TestA"}},
		{"lives, cargo", lib + "test result: FAILED. 0 passed; 1 failed; 0 ignored; 0 measured\n", []string{"src/lib.rs::a"}},
	} {
		r := NewTestReader("")
		_, _ = r.Write([]byte(tc.output))
		if diff := cmp.Diff(tc.want, r.reported().failed()); diff != "" {
			t.Errorf("%s: %s", tc.name, diff)
		}
	}
}
