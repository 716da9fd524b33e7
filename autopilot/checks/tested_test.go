package checks

import (
	"slices"
	"testing"

	"autopilot/autopilot/validate/results"
)

func TestTestsInsideOfSourceFilesThatAreGone(t *testing.T) {
	now := map[string]results.TestResult{"src/lib.rs::tests::halves_all": results.TestPassed, "tests/calc.rs::moves": results.TestPassed}
	for test, gone := range map[string]bool{
		"src/lib.rs::tests::halves":         true,
		"calc.py::calc.add":                 true,
		"src/lib.rs::tests::moves":          false, // it moved
		"calc::src/lib.rs - add (line 3)":   false,
		"tests/test_calc.py::test_adds":     false, // what was there before is run
		"calc/calc.TestAdds":                false,
		"tests/calc.rs::checks::halves":     false,
		"examples/a.rs::tests::halves":      true,
		"src/tests/calc_test.py::T::halves": false,
	} {
		if got := insideGone([]string{test}, now); slices.Contains(got, test) != gone {
			t.Errorf("%s: got %q", test, got)
		}
	}
}
