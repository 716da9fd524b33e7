package integrity

import (
	"fmt"
	"path"
	"slices"
	"strings"
)

// freshFindings looks at the new lines of test files, moved ones left out, for
// what ends the run, drops tests from it or replaces what is tested. Files that
// are new count as well.
func (d *testDiff) freshFindings(a Allowed) []Finding {
	had := map[string]int{}
	for _, s := range d.before {
		for _, text := range s.lines {
			had[strings.TrimSpace(text)]++
		}
	}
	var found []Finding
	for _, s := range d.after {
		if a.testAnnounced(s.path) || a.names(s.path) && d.l.name == "Python" && path.Base(s.path) == "conftest.py" {
			continue
		}
		if now := (freshLines{d.l, s, fresh(had, s.lines)}); len(now.at) > 0 {
			found = append(found, now.exits()...)
			found = append(found, now.drops()...)
			found = append(found, now.stubbed()...)
			found = append(found, now.mocks()...)
			found = append(found, now.mains()...)
			found = append(found, now.forgiving()...)
		}
	}
	return found
}

// fresh gives the indices of lines that are not among those had, and takes the
// others out of them.
func fresh(had map[string]int, lines []string) []int {
	var found []int
	for i, text := range lines {
		key := strings.TrimSpace(text)
		if had[key]--; had[key] < 0 && key != "" {
			found = append(found, i)
		}
	}
	return found
}

// freshLines are the new lines of one test file.
type freshLines struct {
	l  *language
	s  *source
	at []int
}

// matching gives the new lines of a kind.
func (n freshLines) matching(k kind) []int {
	var found []int
	for _, i := range n.at {
		text := n.s.lines[i]
		if n.l.is(k).possible(text) && !n.l.rows.quoted[k] {
			text = withoutStrings(text)
		}
		if n.l.is(k).match(text) && n.inTests(i) {
			found = append(found, i)
		}
	}
	return found
}

// inTests: a file of Rust holds code and tests; these begin at their mark.
func (n freshLines) inTests(i int) bool {
	if n.l.name != "Rust" || isTestFile(n.s.path) {
		return true
	}
	return slices.ContainsFunc(n.s.lines[:i], func(text string) bool { return strings.Contains(text, "#[cfg(test)]") })
}

func (n freshLines) finding(s Severity, i int, title, why string) Finding {
	return Finding{s, n.s.path, i + 1, title, fmt.Sprintf("%q %s %s", strings.TrimSpace(n.s.lines[i]), why, notAnnounced)}
}

// onPurpose are signs that a test ends a process of its own: a helper process, an
// exit that is expected, a script that is run by hand.
var onPurpose = []string{"Getenv(", "fork(", "LookupEnv(", "os.Args", "raises(SystemExit", "assertRaises(SystemExit", "assertRaises( SystemExit", "__main__", "require.main"}

func (n freshLines) exits() []Finding {
	var found []Finding
	for _, i := range n.matching(exits) {
		f := n.finding(Critical, i, "the test run is ended with success", "ends the process of the tests, whatever they found.")
		near := n.s.lines[max(0, i-5):i]
		if g, is := n.s.around(i); is {
			near = g.lines()
		}
		if slices.ContainsFunc(near, func(text string) bool {
			return slices.ContainsFunc(onPurpose, func(sign string) bool { return strings.Contains(text, sign) })
		}) {
			f.Severity = Important
		}
		found = append(found, f)
	}
	return found
}

// around gives the innermost function that line i lies in.
func (s *source) around(i int) (function, bool) {
	var found function
	is := false
	for _, f := range s.functions {
		if f.from <= i && i < f.to && (!is || f.head >= found.head) {
			found, is = f, true
		}
	}
	return found, is
}

func (n freshLines) drops() []Finding {
	var found []Finding
	for _, i := range n.matching(drops) {
		found = append(found, n.finding(Critical, i, "tests are taken out of the run", "changes which tests run, or how they end."))
	}
	for _, i := range n.matching(perhapsDrops) {
		found = append(found, n.finding(Important, i, "the collection of tests was changed", "may take tests out of the run."))
	}
	return found
}

// mains finds a TestMain that runs no tests: go test takes that for success.
func (n freshLines) mains() []Finding {
	if n.l.name != "Go" {
		return nil
	}
	for _, f := range n.s.functions {
		changed := slices.ContainsFunc(n.at, func(i int) bool { return f.from <= i && i < f.to })
		runs := slices.ContainsFunc(f.lines(), func(text string) bool {
			return strings.Contains(text, ".Run()") || strings.Contains(text, "(m)") || strings.Contains(text, "(m,")
		})
		if f.name == "TestMain" && changed && !runs {
			return []Finding{n.finding(Critical, f.head, "no test runs any more", "calls no m.Run(), so that go test succeeds without a test.")}
		}
	}
	return nil
}
