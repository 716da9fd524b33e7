package integrity

import (
	"path"
	"slices"
)

// scriptFindings: a script that a validation command runs decides as a whole what is checked. One that is a test, or lies
// with tests, may change as these may: what it was before is run on the change.
func scriptFindings(c Change, a Allowed, scripts []string) []Finding {
	p := c.before()
	if c.Status == Added || !slices.Contains(scripts, p) || RoleOf(p) != Work || isGuarded(p) || isControl(p) || a.names(p) {
		return nil
	}
	return []Finding{{
		Critical, p, firstDifference(c), "a CI or validation file was " + string(c.Status),
		"A validation command runs it. To allow the change, name " + path.Base(p) + " in the task's Files or Owns.",
	}}
}
