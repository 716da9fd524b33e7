package results

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestReportIsReadOutOfAnyStream(t *testing.T) {
	for name, tc := range map[string]struct {
		stream string
		want   map[string]TestResult
	}{
		"other text around it":      {"a < b <T> <!-- \"\n<testsuite><testcase name=\"a\"></testcase></testsuite> it's <testcase name=\"b\"/>", map[string]TestResult{"a": TestPassed}},
		"a bracket in an attribute": {"<testsuite name='x>y'><testcase name='a > b'><error/></testcase></testsuite>", map[string]TestResult{"a > b": TestFailed}},
		"a comment and data":        {"<testsuite><!-- <testcase name='no'/> --><testcase name='a'><system-out><![CDATA[<failure/> ]] > ]]></system-out></testcase></testsuite>", map[string]TestResult{"a": TestPassed}},
		"one of the name again":     {"<testsuite><testcase name='a'/><testcase name='a'><failure/></testcase></testsuite>", map[string]TestResult{"a": TestPassed, "a #2": TestFailed}},
		"half a mark":               {"<<testsuites><testsuite><testcase name='a'><skipped message=\"x\"/></testcase>", map[string]TestResult{"a": TestSkipped}},
	} {
		t.Run(name, func(t *testing.T) {
			for size := 1; size < 9; size++ {
				r := NewTestReader("")
				for i := 0; i < len(tc.stream); i += size {
					_, _ = r.Write([]byte(tc.stream[i:min(len(tc.stream), i+size)]))
				}
				if diff := cmp.Diff(tc.want, r.reported().results); diff != "" {
					t.Fatalf("in parts of %d: %s", size, diff)
				}
			}
		})
	}
}
