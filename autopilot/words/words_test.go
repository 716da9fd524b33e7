package words_test

import (
	"testing"

	"autopilot/autopilot/words"
)

func TestFoldedLinesAreNoLongerThanTheirWords(t *testing.T) {
	for text, want := range map[string]string{
		"":                         "",
		"one two three":            "one two\nthree",
		"a\n\n- b\x1b[2J c":        "a - b [2J\nc",
		"äöüäöüäö x":               "äöüäöüäö x",
		"longer-than-a-line so on": "longer-than-a-line\nso on",
	} {
		if got := words.Folded(text, 10); got != want {
			t.Errorf("%q became %q, not %q", text, got, want)
		}
	}
}

func TestOneLineHasNothingThatATerminalActsOn(t *testing.T) {
	for text, want := range map[string]string{
		"":                               "",
		" a  b ":                         "a b",
		"a\r\n\tb\v\fc":                  "a b c",
		"a\u2028b\u0085c\u00a0d":         "a b c d",
		"red \x1b[31m and \x00\u009b2J!": "red [31m and 2J!",
		"a\u202eb\u2066c\u200fd":         "a b c d",
		"a\xff\xfeb\xc3":                 "a b",
		"äöü 日本 👍\u200d":                 "äöü 日本 👍\u200d",
	} {
		if got := words.OneLine(text); got != want {
			t.Errorf("%q became %q, not %q", text, got, want)
		}
	}
}
