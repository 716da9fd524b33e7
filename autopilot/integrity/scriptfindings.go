package integrity

import (
	"path"
	"slices"
	"strings"
)

// scriptFindings: a script that a validation command runs decides as a whole what is checked.
func scriptFindings(c Change, a Allowed, scripts []string) []Finding {
	p := c.before()
	if c.Status == Added || !slices.Contains(scripts, p) || isGuarded(p) || isControl(p) ||
		a.names(p) || isTestFile(p) && a.testAnnounced(p) || ReadAsTest(p, c.Before) {
		return nil
	}
	return []Finding{{
		Critical, p, firstDifference(c), "a CI or validation file was " + string(c.Status),
		"A validation command runs it, and the plan does not name " + path.Base(p) + ".",
	}}
}

// ReadAsTest tells whether a file is a test whose checks are read: it may change as tests may.
func ReadAsTest(p string, content []byte) bool {
	l := languageOf(p)
	if l == nil || !isTestFile(p) || !l.is(asserts).possible(string(content)) {
		return false
	}
	return slices.ContainsFunc(strings.Split(l.blank(string(content)), "\n"), l.is(asserts).match)
}
