package check

// TestResult is how one test ended.
type TestResult string

// The results of a test.
const (
	TestPassed  TestResult = "pass"
	TestFailed  TestResult = "fail"
	TestSkipped TestResult = "skip" // it did not run, or its failure was expected
)

// TestCounts are how many tests a run had. A test that holds others is not counted beside them.
type TestCounts struct {
	Ran     int `json:"ran"`
	Passed  int `json:"passed"`
	Failed  int `json:"failed"`
	Skipped int `json:"skipped"`
}

func (c TestCounts) plus(d TestCounts) TestCounts {
	return TestCounts{c.Ran + d.Ran, c.Passed + d.Passed, c.Failed + d.Failed, c.Skipped + d.Skipped}
}

// Tests reads the names of tests and how they ended from the output of go test (plain, -v, -json), pytest, unittest,
// cargo test, node's runner, jest, vitest, mocha, Maven, and from TAP and JUnit XML. Go names are package.Test, and a
// package that failed without a failed test (it did not build, it panicked) stands under its own name; pytest's are node
// ids; where tests hold tests, their names are joined by " > ". Where the output names none the map is empty.
func Tests(output string) map[string]TestResult {
	r := newTestReader("")
	_, _ = r.Write([]byte(output))
	return r.told().results
}
