package jsonedit_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"autopilot/autopilot/jsonedit"
)

func TestAKeyThatStandsTwiceIsFound(t *testing.T) {
	for text, want := range map[string]string{
		`{}`: "", `[]`: "", `7`: "", `"a"`: "", `null`: "", `{"a":1,"b":{"a":2},"c":[{"a":3},{"a":4}]}`: "",
		`{"a":"a","b":"a","c":["a","a","b"]}`:                "",
		`{"a":1,"a":2}`:                                      "a 1",
		"{\"a\":1,\n\"b\":[{\"x\":{},\n\"y\":[],\"x\":1}]}":  "x 3",
		`{"status":"failed","Status":"done"}`:                "Status 1",
		`{"status":"failed","` + "\u017f" + `tatus":"done"}`: "\u017ftatus 1",
		`{"a":1,"\u0061":2}`:                                 "a 1",
		`{"a":{"b":[1,{"c":2}]},"b":1,"a":3}`:                "a 1",
		`{"":1,"":2}`:                                        " 1",
		"{\"\xff\":1,\n\"\xfe\":2}":                          "\ufffd 2",
		"{\"\\ud800\":1,\"\\udfff\":2}":                      "\ufffd 1",
		strings.Repeat(`[`, 9_000) + `{"a":1,"a":2}` + strings.Repeat(`]`, 9_000): "a 1",
	} {
		found := ""
		if twice, ok := errors.AsType[*jsonedit.DuplicateKeyError](jsonedit.UniqueKeys([]byte(text))); ok {
			found = twice.Key + " " + string(rune('0'+twice.Line))
		}
		if found != want {
			t.Errorf("%s: found %q, want %q", text, found, want)
		}
	}
}

func TestOfALongKeyTheMessageShowsTheBeginning(t *testing.T) {
	for key, want := range map[string]string{
		strings.Repeat("k", 80):      `"` + strings.Repeat("k", 80) + `" stands twice`,
		strings.Repeat("k", 400_000): `"` + strings.Repeat("k", 80) + `"… stands twice`,
		strings.Repeat("ключ", 100):  `"` + strings.Repeat("ключ", 20) + `"… stands twice`,
	} {
		if err := jsonedit.UniqueKeys([]byte(`{"` + key + `":1,"` + key + `":2}`)); err == nil || !strings.Contains(err.Error(), want) || len(err.Error()) > 300 {
			t.Errorf("%.400q", err)
		}
	}
}

// FuzzUniqueKeys puts a value beside itself: under two keys nothing is new, under one key in two cases it is found.
func FuzzUniqueKeys(f *testing.F) {
	f.Add(`{"a":1,"A":2}`)
	f.Add(`[{"a":[{"a":1}],"b":{}}]`)
	f.Fuzz(func(t *testing.T, text string) {
		if !json.Valid([]byte(text)) {
			_ = jsonedit.UniqueKeys([]byte(text)) // must end
			return
		}
		one := jsonedit.UniqueKeys([]byte(text)) == nil
		if two := jsonedit.UniqueKeys([]byte(`{"k":` + text + `,"l":` + text + `}`)); (two == nil) != one {
			t.Errorf("%q: %t alone, and beside itself %v", text, one, two)
		}
		if jsonedit.UniqueKeys([]byte(`[{"k":`+text+`,"K":`+text+`}]`)) == nil {
			t.Errorf("%q: a key twice around it was not found", text)
		}
	})
}
