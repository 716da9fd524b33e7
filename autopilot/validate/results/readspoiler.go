package results

import "strings"

// spoilerFormat reads why a test program may say no although no further test failed. Without it such a failure would
// hide behind a test that failed before.
type spoilerFormat struct{ programReport }

var spoilers = []struct{ begins, name string }{
	{"FAIL Required test coverage", "coverage below what is required"},
	{"ERROR: Coverage failure", "coverage below what is required"},
	{"Coverage failure:", "coverage below what is required"},
	{"Jest: ", "coverage below what is required"},
	{"ERROR: Coverage for ", "coverage below what is required"},
	{"INTERNALERROR>", "an internal error of pytest"},
}

func (f *spoilerFormat) read(line string) bool {
	for _, s := range spoilers {
		if strings.HasPrefix(line, s.begins) && (s.begins != "Jest: " || strings.Contains(line, "threshold")) {
			f.addNonTestFailure(s.name)
			f.always = true
			return true
		}
	}
	return false
}
