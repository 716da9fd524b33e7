package integrity

import (
	"slices"
	"strings"
)

// replaced is an assignment of a function to a variable, of the package or of
// another one.
var replaced = lazily(`^\s*(?:\w+\.)?([A-Za-z_]\w*)\s*=\s*(?:func\(|\w+[Ff]ake\w*$|\w+[Mm]ock\w*$|[Ff]ake\w*$|[Mm]ock\w*$|[Ss]tub\w*$)`)

// replacedFunctions finds a test that replaces a function of the package and
// then calls it: it tests the replacement. Where the code under test calls it,
// the variable is there for tests.
func (n freshLines) replacedFunctions() []Finding {
	var found []Finding
	for _, i := range n.at {
		m := replaced.FindStringSubmatch(n.s.lines[i])
		f, is := n.s.around(i)
		if m == nil || !is || f.declares(m[1]) || !n.callsIt(m[1], i) {
			continue
		}
		found = append(found, n.finding(Critical, i, "what is tested was mocked", "replaces a function that the test then calls."))
	}
	return found
}

// declares: the name is a variable of the function itself.
func (f function) declares(name string) bool {
	own := lazily(`\bvar ` + name + `\b|\b` + name + `(?:, \w+)* :?= |, ` + name + ` :?= |\b` + name + ` (?:func\(|\*?\w+[,)])`)
	return slices.ContainsFunc(f.lines(), func(text string) bool {
		return own.MatchString(text) && (strings.Contains(text, ":=") || strings.Contains(text, "var ") || strings.Contains(text, "func "))
	})
}
