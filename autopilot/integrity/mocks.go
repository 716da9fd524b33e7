package integrity

import (
	"path"
	"slices"
	"strings"
)

// mocks finds what puts something else in place of the thing under test: the
// module or class that the test file is named after, or a function of it that
// the tests call themselves. To replace what that uses is what mocks are for.
func (n freshLines) mocks() []Finding {
	if n.l.name == "Go" {
		return n.replacedFunctions()
	}
	var found []Finding
	for _, i := range n.at {
		text := n.s.lines[i]
		if i+1 < len(n.s.lines) {
			text += "\n" + n.s.lines[i+1]
		}
		for _, at := range n.l.is(mocks).groups(text) {
			if at[0] > len(n.s.lines[i]) || !n.inTests(i) {
				continue
			}
			if n.isTarget(groups(text, at), i) {
				f := n.finding(Critical, i, "what is tested was mocked", "puts something else in place of what the test is about.")
				if n.partial(i) {
					f.Severity = Important
				}
				found = append(found, f)
				break
			}
		}
	}
	return found
}

// groups joins the groups of a match: module.name.
func groups(text string, at []int) string {
	var parts []string
	for k := 2; k+1 < len(at); k += 2 {
		if at[k] >= 0 {
			parts = append(parts, strings.Trim(text[at[k]:at[k+1]], `'"`))
		}
	}
	return strings.Join(parts, ".")
}

// isTarget tells whether target is the unit under test, or a function of it that
// the tests of the file call.
func (n freshLines) isTarget(target string, at int) bool {
	unit := unitOf(n.s.path)
	if unit == "" {
		return false
	}
	if base := path.Base(target); strings.Contains(target, "/") || strings.HasPrefix(target, ".") || !strings.Contains(target, ".") {
		return plain(strings.TrimSuffix(base, path.Ext(base))) == unit
	}
	parts := strings.Split(target, ".")
	last := parts[len(parts)-1]
	within := slices.ContainsFunc(parts[:len(parts)-1], func(part string) bool { return plain(part) == unit })
	if plain(last) == unit && len(parts) > 1 {
		return n.isWhole(at)
	}
	return within && plain(parts[len(parts)-2]) == unit && n.callsIt(last, at)
}

// isWhole: a whole module is replaced in sys.modules; a patch of a name that
// happens to be that of the unit needs a call of it.
func (n freshLines) isWhole(at int) bool {
	return strings.Contains(n.s.lines[at], "sys.modules") || n.callsIt(unitOf(n.s.path), at)
}

// callsIt: the function, or the file where the mock stands outside of functions,
// calls name somewhere else than in the mock.
func (n freshLines) callsIt(name string, at int) bool {
	from, to := 0, len(n.s.lines)
	if f, is := n.s.around(at); is {
		from, to = f.from, f.to
	}
	for i := from; i < to; i++ {
		text := n.s.lines[i]
		if i == at || !slices.Contains(n.s.calls[i], name) {
			continue
		}
		if strings.Contains(text, name+"(") && !strings.Contains(text, "def "+name+"(") && !n.l.is(mocks).match(text) {
			return true
		}
	}
	return false
}

// partial: the rest of the module is kept, so only a doubt is there.
func (n freshLines) partial(at int) bool {
	for i := at; i < min(at+8, len(n.s.lines)); i++ {
		if strings.Contains(n.s.lines[i], "requireActual") || strings.Contains(n.s.lines[i], "importActual") || strings.Contains(n.s.lines[i], "importOriginal") {
			return true
		}
	}
	return false
}

// unitOf is the name of what a test file tests, plain: calc of test_calc.py,
// calc.test.ts, CalcTest.java and src/calc.rs.
func unitOf(p string) string {
	name, _, _ := strings.Cut(path.Base(p), ".")
	for _, affix := range []string{"test_", "Test"} {
		name = strings.TrimPrefix(name, affix)
	}
	for _, affix := range []string{"_test", "_spec", "-test", "-spec", "Tests", "Test", "IT", "Spec"} {
		name = strings.TrimSuffix(name, affix)
	}
	return plain(name)
}

// plain is a name without the differences between ways to write it.
func plain(name string) string {
	return strings.ToLower(strings.NewReplacer("_", "", "-", "").Replace(name))
}
