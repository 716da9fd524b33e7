package proof

import (
	"strings"
	"testing"
)

func TestWhatWasRenamedIsToldFromWhatIsWrong(t *testing.T) {
	for _, c := range []struct {
		output string // with | between its lines
		tests  int
		want   bool
	}{
		{"E       AttributeError: module 'calc' has no attribute 'add'||test_a.py:3: AttributeError|FAILED test_a.py::test_add - AttributeError: module 'calc' has no attribute '...", 1, true},
		{"E       AttributeError: module 'calc' has no attribute 'add'|E       Failed: no", 2, false},
		{"E   AttributeError: <module 'calc' from '/x/calc.py'> does not have the attribute 'add'", 1, true},
		{"E       AttributeError: 'NoneType' object has no attribute 'total'", 1, false},
		{"E       AttributeError: 'Calc' object has no attribute 'add'|E       assert 3 == 4", 2, false},
		{"Traceback (most recent call last):|NameError: name 'add' is not defined|AttributeError: type object 'Calc' has no attribute 'add'", 2, true},
		{"AttributeError: 'Calc' object has no attribute 'add'|AssertionError: 3 != 4", 2, false},
		{"AttributeError: 'Calc' object has no attribute 'add'", 2, false}, // the other one is not told
		{"ModuleNotFoundError: No module named 'calc'", 0, true},
		{"  error: 'calc.add is not a function'|  code: 'ERR_TEST_FAILURE'|  name: 'TypeError'", 1, true},
		{"  error: 'calc.add(...).foo is not a function'", 1, false},
		{"  error: 'list.map is not a function'", 1, false},
		{"  TypeError [Error]: add is not a function|  AssertionError [ERR_ASSERTION]: Expected values to be strictly equal:|  TypeError [Error]: add is not a function", 2, false},
		{"    TypeError: (0 , _calc.add) is not a function", 1, true},
		{"\x1b[31m\x1b[1mTypeError\x1b[22m: add is not a function\x1b[39m", 1, true},
		{"    TypeError: calc.add is not a function||    boom", 2, false},
		{"    TypeError: add is not a function||    expect(received).toBe(expected) // Object.is equality", 1, false},
		{"# SyntaxError: The requested module './calc.mjs' does not provide an export named 'add'|  error: 'test failed'", 1, true},
		{"    Cannot find module './none' from 'b.test.js'", 0, true},
		{"     TypeError: Cannot read properties of undefined (reading 'bar')", 1, false},
		{"Error:|TestCalc#test_add:|NoMethodError: undefined method 'add' for module Calc", 0, true},
		{"     NoMethodError:|       undefined method `add' for #<Calc:0x0001>", 0, true},
		{"NoMethodError: undefined method 'add' for nil", 0, false},
		{"NoMethodError: undefined method `add' for 3:Integer", 0, false},
		{"NoMethodError: undefined method 'add' for module Calc|Failure:|TestCalc#test_sum [a.rb:3]:|Expected: 4|  Actual: 3", 0, false},
		{"     NoMethodError:|       undefined method 'add' for module Calc|       expected: 4|            got: 3", 0, false},
		{"sums are wrong", 0, false},
		{"", 0, false},
	} {
		if got := notFound(strings.ReplaceAll(c.output, "|", "\n"), c.tests); got != c.want {
			t.Errorf("%s: got %v", c.output, got)
		}
	}
}
