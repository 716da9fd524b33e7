package agent

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"autopilot/personas"
	"autopilot/personas/agent/toolbox"
)

// answers gives a turn of a message as it stands.
func answers(m personas.Message) turn {
	return func(context.Context) (personas.Message, personas.Usage, error) {
		return m, personas.Usage{InputTokens: 10, OutputTokens: 1}, nil
	}
}

// TestMisbehavingModels is what must come of each way in which a model does not
// do what it was told. In every row the conversation stays one that servers
// take: see servable.
func TestMisbehavingModels(t *testing.T) {
	d := world(t)
	submits := calls(toolbox.SubmitReply, doneReply)
	invalid := `{"v":1,"status":"perhaps","summary":"x"}`
	readMain := personas.Call{ID: "same", Name: "read_file", Arguments: `{"path":"main.go"}`}
	many := make([]string, 0, 200)
	for range 100 {
		many = append(many, "read_file", `{"path":"main.go"}`)
	}
	for name, c := range map[string]struct {
		turns []turn
		kind  personas.OutcomeKind
		asks  int    // turns that are made
		says  string // is in the conversation, or in the detail where there is no reply
	}{
		"malformed arguments":                {[]turn{calls("read_file", `{"path": "main.go"`), submits}, personas.GotReply, 2, "the arguments of read_file are not right"},
		"arguments cut by a length stop":     {[]turn{calls("write_file", `{"path":"a.go","content":"package a\n\nfunc`), submits}, personas.GotReply, 2, "end in the middle"},
		"arguments that are a list":          {[]turn{calls("read_file", `["main.go"]`), submits}, personas.GotReply, 2, "its schema is"},
		"arguments that are null":            {[]turn{calls("read_file", `null`), submits}, personas.GotReply, 2, "path is missing"},
		"arguments in a string":              {[]turn{calls("read_file", `"{\"path\":\"main.go\"}"`), submits}, personas.GotReply, 2, "package main"},
		"no arguments":                       {[]turn{calls("list_files", ``), submits}, personas.GotReply, 2, "main.go"},
		"a key that nobody knows":            {[]turn{calls("read_file", `{"path":"main.go","why":"x"}`), submits}, personas.GotReply, 2, "left out"},
		"an unknown tool":                    {[]turn{calls("bash", `{"command":"ls"}`), submits}, personas.GotReply, 2, "yours are read_file"},
		"a tool's name that is no name":      {[]turn{calls("<|channel|>read file", `{}`), submits}, personas.GotReply, 2, "there is no tool"},
		"a tool without a name":              {[]turn{calls("", `{}`), submits}, personas.GotReply, 2, "there is no tool"},
		"several calls":                      {[]turn{calls("read_file", `{"path":"main.go"}`, "read_file", `{"path":"crlf.txt"}`, toolbox.SubmitReply, doneReply)}, personas.GotReply, 1, "package main"},
		"a hundred calls":                    {[]turn{calls(many...), submits}, personas.GotReply, 2, "at most 64 calls"},
		"calls with one id":                  {[]turn{answers(personas.Message{Calls: []personas.Call{readMain, readMain}}), submits}, personas.GotReply, 2, "package main"},
		"calls without ids":                  {[]turn{answers(personas.Message{Calls: []personas.Call{{Name: "list_files"}, {Name: "list_files"}}}), submits}, personas.GotReply, 2, "main.go"},
		"a call after the reply":             {[]turn{calls(toolbox.SubmitReply, doneReply, "write_file", `{"path":"late.txt","content":"x"}`)}, personas.GotReply, 1, "wrote late.txt"},
		"two replies":                        {[]turn{calls(toolbox.SubmitReply, `{"v":1,"status":"failed","summary":"First."}`, toolbox.SubmitReply, doneReply)}, personas.GotReply, 1, "taken"},
		"two replies in one turn, one wrong": {[]turn{calls(toolbox.SubmitReply, invalid, toolbox.SubmitReply, doneReply)}, personas.GotReply, 1, "perhaps"},
		"a wrong reply twice in one turn":    {[]turn{calls(toolbox.SubmitReply, invalid, toolbox.SubmitReply, invalid), submits}, personas.GotReply, 2, "perhaps"},
		"a wrong reply, and again":           {[]turn{calls(toolbox.SubmitReply, invalid), calls(toolbox.SubmitReply, invalid), submits}, personas.NoReply, 2, "neither was the second"},
		"an empty answer":                    {[]turn{says(""), submits}, personas.GotReply, 2, "Nobody reads"},
		"only empty answers":                 {[]turn{says(""), says(" \n"), says(""), submits}, personas.NoReply, 3, "(no output)"},
		"a refusal":                          {[]turn{says("I can't help with that."), says("I can't."), says("I really can't."), submits}, personas.NoReply, 3, "I really can't."},
		"a reply in prose":                   {[]turn{says("All done. I greeted the world."), submits}, personas.GotReply, 2, "submit_reply"},
		"a reply in a block":                 {[]turn{says("```json\n" + doneReply + "\n```")}, personas.GotReply, 1, ""},
		"a call written as text":             {[]turn{says("<tool_call>{\"name\": \"read_file\"}</tool_call>"), submits}, personas.GotReply, 2, "Nobody reads"},
		"talk between the calls":             {[]turn{says("a"), says("b"), calls("list_files", "{}"), says("c"), says("d"), submits}, personas.GotReply, 6, "Nobody reads"},
		"a huge answer":                      {[]turn{answers(personas.Message{Content: strings.Repeat("word ", 400_000), Calls: []personas.Call{readMain}}), submits}, personas.GotReply, 2, "bytes left out"},
		"a huge command's output":            {[]turn{calls("run_command", `{"command":"yes | head -c 3000000"}`), submits}, personas.GotReply, 2, "bytes left out"},
		"a path outside":                     {[]turn{calls("write_file", `{"path":"../x","content":""}`), submits}, personas.GotReply, 2, `holds \"..\"`},
		"git's own files":                    {[]turn{calls("write_file", `{"path":".git/hooks/pre-commit","content":"x"}`), submits}, personas.GotReply, 2, "belongs to git"},
		"bytes that are no text":             {[]turn{calls("read_file", "{\"path\":\"\xff\xfe\"}"), submits}, personas.GotReply, 2, "there is no file"},
		"the same for ever":                  {[]turn{calls("list_files", "{}"), calls("list_files", "{}"), calls("list_files", "{}"), calls("list_files", "{}"), calls("list_files", "{}"), calls("list_files", "{}"), submits}, personas.NoReply, 6, "stuck"},
	} {
		t.Run(name, func(t *testing.T) {
			d.AttemptDir = t.TempDir()
			out, s := run(t, d, Options{Window: 32_768}, c.turns...)
			if out.Kind != c.kind || out.Turns != c.asks {
				t.Errorf("%+v, want %s after %d turns", out, c.kind, c.asks)
			}
			text, err := json.Marshal(s.messages)
			if err != nil {
				t.Fatal(err)
			}
			seen := string(text) + out.Detail + read(t, d.AttemptDir, "transcript.jsonl")
			if !strings.Contains(seen, c.says) {
				t.Errorf("%q is not in:\n%s", c.says, toolbox.Cut(nil, seen, 3_000))
			}
			servable(t, s.messages)
			if _, err := os.Stat(filepath.Join(filepath.Dir(d.Dir), "x")); err == nil {
				t.Error("a file was written outside")
			}
		})
	}
}

// servable checks what servers refuse: calls that share an id or have no valid
// name, arguments that are no object, calls and results that do not match.
func servable(t *testing.T, messages []personas.Message) {
	t.Helper()
	s := &server{}
	s.check(messages)
	for _, w := range s.wrong {
		t.Error(w)
	}
	if size(messages) > 32_768*4 {
		t.Errorf("the conversation has %d bytes", size(messages))
	}
	for _, m := range messages {
		ids := map[string]bool{}
		for _, call := range m.Calls {
			var object map[string]any
			if ids[call.ID] || json.Unmarshal([]byte(call.Arguments), &object) != nil || call.Name == "" || call.Name != sendableName(call.Name) {
				t.Errorf("a call that servers refuse: %+v", call)
			}
			ids[call.ID] = true
		}
	}
}
