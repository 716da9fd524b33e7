package proof

import (
	"slices"
	"strings"

	"autopilot/autopilot/integrity"
	"autopilot/autopilot/lazyregexp"
)

// The lines, each without what it is indented by, in which languages that look up names as they run tell of one that is not
// there. A language that is not here yet is a row in each.
var (
	unfound = lazyregexp.New(`^(?:` +
		`AttributeError: .* (?:has no|does not have the) attribute '|ImportError: (?:cannot import name|Failed to import test module)|ModuleNotFoundError: No module named|NameError: name '\w+' is not defined` + // Python
		`|(?:TypeError(?: \[\w+\])?: |error: ['"])(?:\(0 ?, ?[\w$.]+\)|[\w$.]+) is not a (?:function|constructor)` + // JavaScript
		`|SyntaxError: .* does not provide an export named|(?:Error(?: \[\w+\])?: )?(?:Cannot find module|Failed to resolve import)` +
		`|(?:NoMethodError: )?undefined method .* for |(?:NameError: )?(?:undefined local variable or method|uninitialized constant) ` + // Ruby
		`)`)
	// What a value of the language's own does not have was not renamed: the code gives another value.
	ofValue = lazyregexp.New(`'(?:NoneType|[a-z_]+)' object has no attribute` +
		`|\.(?:then|catch|map|filter|forEach|reduce|some|every|find|includes|join|split|slice|trim|toFixed|keys|entries|\w+Case) is not a function` +
		`|for (?:nil|.*\b(?:Integer|Float|String|Symbol|Array|Hash|Proc|NilClass|TrueClass|FalseClass)\b)`)
	// What tells of any other failure.
	otherwise = lazyregexp.New(`^(?:[\w.:]*(?:Error|Exception|Exit|Failed)(?: \[\w+\])?: .|AssertionError|E |FAIL: |Failure:|expect\(|(?i:expected:? ))`)
	colours   = lazyregexp.New("\x1b\\[[0-9;]*m")
)

// Renamed says of tests that fail whether they do so merely since names are not there any more which the old tests know: some
// of what tests rest on was put back, and the output tells of nothing else.
func (s Swap) Renamed(v Verdict, tests []string, output string) bool {
	knows := func(path string) bool {
		return integrity.RoleOf(path) == integrity.Test || integrity.RoleOf(path) == integrity.Shared
	}
	return v == Broken && slices.ContainsFunc(s.Back, knows) && notFound(output, len(tests))
}

// notFound says whether so many tests failed merely since they do not find what they test, as far as an output tells.
func notFound(output string, tests int) bool {
	n := 0
	for line := range strings.Lines(colours.ReplaceAllString(output, "")) {
		line = strings.TrimLeft(line, "# \t")
		if at, in := strings.CutPrefix(line, "E  "); in { // pytest
			line = strings.TrimLeft(at, " ")
			if !unfound.MatchString(line) {
				return false
			}
		}
		switch {
		case unfound.MatchString(line) && !ofValue.MatchString(line):
			n++
		case otherwise.MatchString(line):
			return false
		}
	}
	return n >= max(1, tests)
}
