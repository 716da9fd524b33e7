//go:build unix

package validate

import (
	"maps"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"autopilot/autopilot/validate/results"
)

const report = `<?xml version="1.0"?><testsuites><testsuite name="pytest" tests="3"><testcase classname="tests.test_calc.TestSub" name="test_sub[a &lt; b]" time="0"><failure message="&quot;x > y&quot;">no</failure></testcase><testcase classname="tests.test_calc" name="test_add"/><testcase classname="tests.test_calc" name="test_later"><skipped/></testcase></testsuite></testsuites>`

func TestReportBesideTheOutputIsRead(t *testing.T) {
	for _, tc := range []struct {
		name, command string
		files         map[string]string
		want          map[string]results.TestResult
		failed        []string
	}{
		{
			"pytest", "echo 'FAILED tests/test_calc.py::TestSub::test_sub[a < b] - no'; cat made > out/r.xml; : pytest --junitxml=out/r.xml; exit 1", nil,
			map[string]results.TestResult{
				"tests/test_calc.py::TestSub::test_sub[a < b]": results.TestFailed, "tests/test_calc.py::test_add": results.TestPassed, "tests/test_calc.py::test_later": results.TestSkipped,
			},
			[]string{"tests/test_calc.py::TestSub::test_sub[a < b]"},
		},
		{"an old one", ": pytest --junitxml out/old.xml", nil, map[string]results.TestResult{}, nil},
		{"one that is named nowhere", "cat made > out/r.xml", nil, map[string]results.TestResult{}, nil},
		{
			"pytest's settings", ": pytest; cat made > settings.xml",
			map[string]string{"pytest.ini": "[pytest]\naddopts = -q --junit-xml=settings.xml\n"},
			map[string]results.TestResult{"tests/test_calc.py::TestSub::test_sub[a < b]": results.TestFailed, "tests/test_calc.py::test_add": results.TestPassed, "tests/test_calc.py::test_later": results.TestSkipped},
			[]string{"tests/test_calc.py::TestSub::test_sub[a < b]"},
		},
		{
			"Maven", "mvn () { mkdir -p core/target/surefire-reports; cat small > core/target/surefire-reports/TEST-a.xml; }; mvn test", nil,
			map[string]results.TestResult{"com.x.CalcTest.adds": results.TestPassed, "com.x.CalcTest.flaky": results.TestPassed},
			nil,
		},
		{
			"a script of package.json, in a folder", "cd web && npm test",
			map[string]string{
				"web/package.json": `{"scripts": {"test": "JEST_JUNIT_OUTPUT_NAME=j.xml jest --reporters=jest-junit"}, "jest-junit": {"outputDirectory": "deep"}}`,
				"web/deep/x":       "", "bin/npm": "#!/bin/sh\ncat ../small > deep/j.xml\n",
			},
			map[string]results.TestResult{"com.x.CalcTest.adds": results.TestPassed, "com.x.CalcTest.flaky": results.TestPassed},
			nil,
		},
		{
			"jest-junit by a variable, in one folder more", "cat small > here.xml; : JEST_JUNIT_OUTPUT_DIR=deep JEST_JUNIT_OUTPUT_FILE=here.xml npx jest", nil,
			map[string]results.TestResult{"com.x.CalcTest.adds": results.TestPassed, "com.x.CalcTest.flaky": results.TestPassed},
			nil,
		},
		{
			"jest-junit's own choice", "cat small > junit.xml; : npx jest --reporters=jest-junit", nil,
			map[string]results.TestResult{"com.x.CalcTest.adds": results.TestPassed, "com.x.CalcTest.flaky": results.TestPassed},
			nil,
		},
	} {
		t.Run(tc.name, func(t *testing.T) {
			files := map[string]string{
				"tests/test_calc.py": "", "out/old.xml": report, "made": report,
				"small": `<testsuite><testcase classname="com.x.CalcTest" name="adds"/><testcase classname="com.x.CalcTest" name="flaky"><flakyFailure/></testcase></testsuite>`,
			}
			maps.Copy(files, tc.files)
			root := tree(t, files)
			if tc.files["bin/npm"] != "" {
				t.Setenv("PATH", filepath.Join(root, "bin")+":/usr/bin:/bin")
				tc.command = "chmod 755 bin/npm && " + tc.command
			}
			e := runner().Run(t.Context(), root, Validation{Command: tc.command})
			if diff := cmp.Diff(tc.want, e.Results); diff != "" {
				t.Error(diff)
			}
			if diff := cmp.Diff(tc.failed, e.FailedTests); diff != "" {
				t.Error(diff)
			}
		})
	}
}
