package openai

import (
	"testing"
)

func TestArgumentsThatAreAnObjectAreRead(t *testing.T) {
	const calls = `"content":"\"arguments\": {","tool_calls":[{"index":0,"id":"a","type":"function","function":{"name":"read_file","arguments" : {"path":"a}\"","from":3}}},` +
		`{"index":1,"id":"b","type":"function","function":{"name":"search","arguments":{}}},{"index":2,"id":"c","type":"function","function":{"name":"x","arguments":"{\"arguments\":{\"y\":1}}"}}]`
	for name, c := range map[string]struct {
		s        *server
		noStream bool
	}{
		"streamed":       {serve(t, events(`{"choices":[{"index":0,"delta":{`+calls+`},"finish_reason":"tool_calls"}]}`, "[DONE]")), false},
		"in one piece":   {serve(t, body(`{"choices":[{"message":{"role":"assistant",`+calls+`}}]}`)), true},
		"over lines":     {serve(t, body("\n{\n\"choices\":[{\"message\":{\"role\":\"assistant\",\n"+calls+"}}]}\n")), true},
		"behind its BOM": {serve(t, body("\ufeff{\"choices\":[{\"message\":{\"role\":\"assistant\","+calls+"}}]}")), true},
	} {
		t.Run(name, func(t *testing.T) {
			m, _ := model(t, c.s, Options{NoStream: c.noStream})
			got, _, err := ask(t, m)
			if err != nil || len(got.Calls) != 3 || got.Content != `"arguments": {` {
				t.Fatalf("%+v, %v", got, err)
			}
			for i, want := range []string{`{"path":"a}\"","from":3}`, `{}`, `{"arguments":{"y":1}}`} {
				if got.Calls[i].Arguments != want {
					t.Errorf("%s, want %s", got.Calls[i].Arguments, want)
				}
			}
		})
	}
	s := serve(t, body(`{"choices":[{"message":{"role":"assistant","tool_calls":[{"id":"a","function":{"name":"x","arguments":{"cut":`), body(wholeText))
	m, _ := model(t, s, Options{NoStream: true})
	if got, _, err := ask(t, m); err != nil || got.Content != "Hi" || s.count() != 2 {
		t.Errorf("a cut answer: %+v, %v", got, err)
	}
}
