package jsonedit_test

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"autopilot/autopilot/jsonedit"
)

func parsed(t *testing.T, text string) jsonedit.Node {
	t.Helper()
	n, err := jsonedit.Parse([]byte(text))
	if err != nil {
		t.Fatalf("%v: %q", err, text)
	}
	return n
}

func TestOnlyWhatIsEditedChanges(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		edit func(jsonedit.Node)
		want string
	}{
		"a value":                  {"{ \"a\" : 1.50 , \"b\":2 }\n", func(n jsonedit.Node) { n.Set("b", 3) }, "{ \"a\" : 1.50 , \"b\":3 }\n"},
		"a new key":                {`{ "a" : 1 }`, func(n jsonedit.Node) { n.Set("b", "<&>") }, `{ "a" : 1, "b" : "<&>" }`},
		"a new key in lines":       {"{\n\t\"a\": 1\n}", func(n jsonedit.Node) { n.Set("b", []int{2}) }, "{\n\t\"a\": 1,\n\t\"b\": [\n\t\t2\n\t]\n}"},
		"lines of Windows":         {"{\r\n  \"a\": 1\r\n}", func(n jsonedit.Node) { n.Set("b", []int{2}) }, "{\r\n  \"a\": 1,\r\n  \"b\": [\r\n    2\r\n  ]\r\n}"},
		"an object without keys":   {"\ufeff{}", func(n jsonedit.Node) { n.Set("a", 1) }, "\ufeff{\n  \"a\": 1\n}"},
		"a key in two objects":     {`{"a":{"b":1},"b":{"a":1}}`, func(n jsonedit.Node) { n.Member("b").Set("a", 2) }, `{"a":{"b":1},"b":{"a":2}}`},
		"an escaped key":           {`{"\u0061":1}`, func(n jsonedit.Node) { n.Set("a", 2) }, `{"\u0061":2}`},
		"a key that is twice":      {`{"a":1,"b":2,"a":3}`, func(n jsonedit.Node) { n.Set("a", 4) }, `{"b":2,"a":4}`},
		"the first key, out":       {"{ \"a\":1,\n \"b\":2}", func(n jsonedit.Node) { n.Remove("a") }, `{ "b":2}`},
		"the last key, out":        {`{"a":1 ,"b":2 }`, func(n jsonedit.Node) { n.Remove("b") }, `{"a":1 }`},
		"the only key, out":        {`{ "a":1 }`, func(n jsonedit.Node) { n.Remove("a") }, `{}`},
		"no key, out":              {`{ }`, func(n jsonedit.Node) { n.Remove("a") }, `{ }`},
		"an element":               {"[1 , 2 ]", func(n jsonedit.Node) { n.Append(map[string]int{"a": 1}) }, `[1 , 2, {"a":1} ]`},
		"an element of a line":     {"[\n 1\n]", func(n jsonedit.Node) { n.Append([]int{}) }, "[\n 1,\n []\n]"},
		"elements, out":            {"[1, 2 ,3]", func(n jsonedit.Node) { n.DeleteFunc(func(i int) bool { return i != 1 }) }, "[2]"},
		"what is no object":        {"[1]", func(n jsonedit.Node) { n.Set("a", 1); n.Remove("a") }, "[1]"},
		"what is no list":          {"{}", func(n jsonedit.Node) { n.Append(1); n.DeleteFunc(func(int) bool { return true }) }, "{}"},
		"what was longer":          {`{"a":[1, 2]}`, func(n jsonedit.Node) { n.Change(n, jsonedit.Of(map[string]any{"a": []int{1}})) }, `{"a":[1]}`},
		"a list that grew":         {`{"a":[1,  {"x":2}]}`, change(`{"a":[1,2]}`, `{"a":[1,2,3]}`), `{"a":[1,  {"x":2},  3]}`},
		"a key that neither had":   {`{"a":{"x":1,"b":2}}`, change(`{"a":{"b":2}}`, `{"a":{"b":3,"c":4}}`), `{"a":{"x":1,"b":3,"c":4}}`},
		"a key that is gone":       {`{"a":1,"b":2}`, change(`{"a":1,"b":0}`, `{"a":1}`), `{"a":1}`},
		"one of another kind":      {`{"a":7}`, change(`{"a":{"b":1}}`, `{"a":{"b":2}}`), `{"a":{"b":2}}`},
		"values that are the same": {`{"a":7}`, change(`{"a":1}`, `{"a":1}`), `{"a":7}`},
	} {
		n := parsed(t, c.text)
		c.edit(n)
		if got := string(n.Bytes()); got != c.want {
			t.Errorf("%s: got %q, want %q", name, got, c.want)
		}
	}
}

// change has Change write what differs between two texts.
func change(was, is string) func(jsonedit.Node) {
	return func(n jsonedit.Node) { n.Change(jsonedit.Of(json.RawMessage(was)), jsonedit.Of(json.RawMessage(is))) }
}

func TestWhatIsNotStandardJSONIsRefused(t *testing.T) {
	for _, text := range []string{"", "{} // done", `{"a":1,}`, "[1,]", "{} {}", "\ufeff\ufeff{}", strings.Repeat("[", 1_000_000)} {
		if _, err := jsonedit.Parse([]byte(text)); err == nil {
			t.Errorf("%.40q was taken", text)
		}
	}
}

func TestAPartThatIsNotThereHasNothing(t *testing.T) {
	n := parsed(t, `{"a":[7,"x"],"b":null}`)
	gone := n.Member("c").Member("d")
	gone.Set("e", 1)
	gone.Remove("e")
	gone.Append(1)
	gone.DeleteFunc(func(int) bool { return true })
	if gone.Kind() != 0 || gone.Len() != 0 || gone.Text() != "" || gone.Raw() != nil {
		t.Errorf("%v", gone)
	}
	var all []string
	for key, value := range n.Members() {
		all = append(all, key+string(value.Kind()))
		for _, e := range value.Elements() {
			all = append(all, e.Text())
		}
	}
	if got := strings.Join(all, " "); got != "a[ 7 x bn" {
		t.Errorf("%s", got)
	}
}

// FuzzEdit edits any text: it stays JSON, without an edit it is the same, and what is put in can be taken out.
func FuzzEdit(f *testing.F) {
	f.Add([]byte("{\n  \"a\": [1, {\"k\": null}],\r\n\t\"\\u006b\" : {} }"))
	f.Add([]byte(" [ { } , 7 ] "))
	f.Fuzz(func(t *testing.T, data []byte) {
		n, err := jsonedit.Parse(data)
		if err != nil {
			return
		}
		if !bytes.Equal(n.Bytes(), data) {
			t.Fatalf("%q became %q", data, n.Bytes())
		}
		had := n.Member("k").Kind() != 0
		before := decoded(t, n)
		n.Set("k", map[string]any{"x": []int{1}})
		n.Append([]string{"<"})
		decoded(t, n)
		n.Remove("k")
		count := -1
		for i := range n.Elements() {
			count = i
		}
		n.DeleteFunc(func(i int) bool { return i == count })
		if after := decoded(t, n); !had && !reflect.DeepEqual(before, after) {
			t.Fatalf("%q became %q", data, n.Bytes())
		}
	})
}

func decoded(t *testing.T, n jsonedit.Node) any {
	t.Helper()
	var v any
	d := json.NewDecoder(bytes.NewReader(bytes.TrimPrefix(n.Bytes(), []byte("\ufeff"))))
	d.UseNumber()
	if err := d.Decode(&v); err != nil {
		t.Fatalf("%v in %q", err, n.Bytes())
	}
	return v
}
