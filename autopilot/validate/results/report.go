package results

// Report is what test programs told of a run, in its output and in the files of reports that they wrote.
type Report struct {
	Results map[string]TestResult // the tests that are named, as far as they hold no others
	Failed  []string              // sorted; with what failed and is no test
	Flaky   []string              // sorted; failed, and passed when the test program ran them again
	Counts  *TestCounts           // nil where nothing tells them
	TestRun
}

// Read gives what an output tells of go test (plain, -v, -json), pytest, unittest, cargo test, node's runner, jest,
// vitest, mocha, Maven, and what TAP and JUnit XML in it say. Go names are package.Test, and a package that failed without
// a failed test (it did not build, it panicked) stands under its own name; pytest's are node ids; where tests hold tests,
// their names are joined by " > ".
func Read(output string) Report {
	r := NewTestReader("")
	_, _ = r.Write([]byte(output))
	return r.Report(Reports{})
}

// Report ends the reading. The files beside the output tell of every test, an output often of the failed ones alone; who
// failed in either did fail.
func (r *testReader) Report(beside Reports) Report {
	output := r.reported()
	told := output
	if files := beside.read(); files != nil {
		told = files
		both := &programReport{}
		both.merge(output)
		both.merge(files)
		output = both
	}
	report := Report{Results: told.leaves(), Failed: output.failed(), Flaky: output.retried(), Counts: told.counts(), TestRun: output.TestRun}
	for name := range told.broken {
		delete(report.Results, name)
	}
	for _, result := range report.Results {
		report.Ran = report.Ran || result != TestSkipped
	}
	return report
}
