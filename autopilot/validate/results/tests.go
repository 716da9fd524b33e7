package results

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
