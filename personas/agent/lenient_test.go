package agent

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"autopilot/personas"
	"autopilot/personas/agent/toolbox"
)

func TestCallsInTheFormOfOtherToolsAreRead(t *testing.T) {
	const third = "     3\tfunc main() {"
	for name, c := range map[string]struct{ tool, arguments, want, note string }{
		"numbers in quotes":            {"read_file", `{"path":"main.go","from":"3","to":" 3 "}`, third, "(read from as integer; read to as integer)"},
		"a number with a fraction":     {"read_file", `{"path":"main.go","from":3.0,"to":3}`, third, "(read from as integer)"},
		"names of other tools":         {"read_file", `{"file_path":"main.go","start":3,"end_line":3}`, third, `read "file_path" as path`},
		"a name in another spelling":   {"read_file", `{"Path":"main.go","From":3,"TO":3}`, third, `read "Path" as path`},
		"a number of lines":            {"read_file", `{"filePath":"main.go","offset":"3","limit":"1"}`, third, `read "limit" as a number of lines`},
		"a number from the first on":   {"read_file", `{"path":"main.go","limit":2}`, "go on with from 3", "a number of lines"},
		"both the last line and more":  {"read_file", `{"path":"main.go","from":3,"to":3,"limit":1}`, third, `left out "limit", which read_file does not take`},
		"fields that are null":         {"read_file", `{"path":"main.go","from":3,"to":null}`, third, "(left out what is null)"},
		"a field too many":             {"read_file", `{"path":"main.go","from":3,"explanation":"I look"}`, third, `(left out "explanation", which read_file does not take)`},
		"a name twice":                 {"read_file", `{"path":"main.go","file_path":"crlf.txt"}`, third, `left out "file_path"`},
		"encoded twice":                {"read_file", `"{\"path\":\"main.go\"}"`, third, "(read the arguments out of a string)"},
		"a note's path":                {"scratchpad_write", `{"file_path":"survey.md","content":"x"}`, "wrote ", `read "file_path" as name`},
		"a path beside a patch":        {"apply_patch", `{"path":"b.txt","patch":"*** Add File: b.txt\n+x\n"}`, "added b.txt", `left out "path"`},
		"nothing, encoded twice":       {"list_files", `"null"`, "main.go", "(read the arguments out of a string)"},
		"in a fence":                   {"read_file", "```json\n{\"path\":\"main.go\"}\n```", third, "read as JSON what is none"},
		"a comma too many":             {"read_file", `{"path":"main.go",}`, third, "read as JSON what is none"},
		"of Python":                    {"git_diff", `{'path': 'it\'s "x"', 'stat': True, 'base': None}`, "(no output)", "read as JSON what is none"},
		"a byte order mark":            {"read_file", "\ufeff{\"path\":\"main.go\"}", third, ""},
		"line breaks in a string":      {"write_file", "{\"path\":\"a.txt\",\"content\":\"one,}\ntwo\tTrue\"}", "wrote a.txt, 1 lines", "read as JSON what is none"},
		"backslashes of a pattern":     {"search", `{"pattern":"main\(\)"}`, "main.go:3", "read as JSON what is none"},
		"true in quotes":               {"edit_file", `{"path":"crlf.txt","old":"t","new":"T","all":"True"}`, "replaced 2", "read all as boolean"},
		"an edit of another tool":      {"edit_file", `{"file_path":"crlf.txt","old_string":"one","new_string":"1","replace_all":false}`, "replaced 1", `read "old_string" as old`},
		"a command of another tool":    {"run_command", `{"cmd":"echo out","timeout":"20"}`, "out", `read "cmd" as command; read "timeout" as timeout_seconds`},
		"a commit in digits":           {"git_show", `{"rev":1234567}`, "git cannot do that", "read rev as string"},
		"a prefix before the name":     {"functions.read_file", `{"path":"main.go"}`, third, `(read "functions.read_file" as read_file)`},
		"a name in another case":       {"ReadFile", `{"path":"main.go"}`, third, `read "ReadFile" as read_file`},
		"a channel behind the name":    {"read_file<|channel|>commentary", `{"path":"main.go"}`, third, "as read_file"},
		"a folder to run in":           {"run_command", `{"command":"touch ran","cwd":"sub"}`, `unknown field "cwd"`, ""},
		"an edit without what follows": {"edit_file", `{"path":"main.go","old":"main","replacement":"x"}`, "new is missing", `left out "replacement"`},
		"a pattern of names":           {"list_files", `{"pattern":"*.md"}`, "docs/spec.md", `read "pattern" as glob`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := use(t, world(t), c.tool, c.arguments)
			wantIn(t, got, c.want, c.note)
			if c.note == "" && strings.Contains(got, "(read") {
				t.Errorf("it is told of what is usual: %s", got)
			}
		})
	}
}

func TestWhatWasReadOtherwiseIsToldOnce(t *testing.T) {
	out, s := run(t, world(t), Options{},
		calls("read_file", `{"file_path":"main.go"}`), calls("read_file", `{"file_path":"crlf.txt","from":"1"}`), calls("read_file", `{"file_path":"main.go"}`),
		calls("functions.submit_reply", `"{\"v\":1,\"status\":\"done\",\"summary\":\"Did it.\",\"evidence\":\"[{'command': 'true', 'exitCode': '0'}]\"}"`))
	if out.Kind != personas.GotReply || out.Metrics.ToolFailures != 0 || len(out.Reply.Evidence) != 1 || out.Reply.Evidence[0].Command != "true" {
		t.Fatalf("%+v", out)
	}
	var told []string
	for _, m := range s.messages {
		if _, note, ok := strings.Cut(m.Content, "\n(read "); ok && m.Role == personas.RoleTool {
			told = append(told, note)
		}
		for _, call := range m.Calls {
			if call.Name != "read_file" || !strings.Contains(call.Arguments, `"path":`) {
				t.Errorf("the conversation keeps %+v", call)
			}
		}
	}
	if got := strings.Join(told, " "); got != `"file_path" as path) from as integer)` {
		t.Errorf("it was told %s", got)
	}
}

func TestCallsAtTheEndOfAMessageAreRead(t *testing.T) {
	const call = `{"name": "write_file", "arguments": {"path": "said.txt", "content": "said\n"}}`
	for name, c := range map[string]struct {
		text string
		runs int
	}{
		"bare":                          {call, 1},
		"bare, behind words":            {"I write it.\n" + call, 1},
		"over several lines":            {"{\n  \"name\": \"write_file\",\n  \"arguments\": {\n    \"path\": \"said.txt\", \"content\": \"said\\n\"\n  }\n}", 1},
		"in a fence":                    {"I write it.\n```json\n" + call + "\n```\n", 1},
		"in marks":                      {"I write it.\n<tool_call>\n" + call + "\n</tool_call>", 1},
		"in marks that are not closed":  {"<tool_call>" + call, 1},
		"two of them":                   {"<tool_call>" + call + "</tool_call>\n<tool_call>{\"name\":\"functions.read_file\",\"parameters\":{\"path\":\"said.txt\"}}</tool_call>", 2},
		"arguments in a string":         {`{"name":"write_file","arguments":"{\"path\":\"said.txt\",\"content\":\"x\"}"}`, 1},
		"of Python":                     {`{'name': 'write_file', 'arguments': {'path': 'said.txt', 'content': 'x'}}`, 1},
		"behind a thought":              {"<think>How?</think>\n" + call, 1},
		"only thought of":               {"<think>" + call, 0},
		"thought of, then given up":     {"<think>" + call + "</think>", 0},
		"an example":                    {"A call looks so:\n```json\n" + call + "\n```\nShall I make it?", 0},
		"an example in a line":          {"One writes " + call, 0},
		"an example in marks":           {"<tool_call>" + call + "</tool_call> would do.", 0},
		"a tool that is none":           {`{"name": "write_files", "arguments": {}}`, 0},
		"a name without arguments":      {`{"name": "read_file"}`, 0},
		"cut in the middle":             {call[:60], 0},
		"cut in the middle, in a fence": {"```json\n" + call[:60] + "\n```", 0},
		"JSON beside a call":            {"<tool_call>" + call + call + "</tool_call>", 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := world(t)
			out, s := run(t, d, Options{}, says(c.text), calls(toolbox.SubmitReply, doneReply))
			if _, err := os.Stat(filepath.Join(d.Dir, "said.txt")); out.Metrics.ToolCalls != c.runs+1 || out.Metrics.ToolFailures != 0 || (err == nil) != (c.runs > 0) {
				t.Fatalf("%+v, %v", out, err)
			}
			var told []string
			for _, m := range s.messages {
				if strings.Contains(m.Content, "read the call out of your message") {
					told = append(told, m.Role)
				}
			}
			if len(told) != min(c.runs, 1) {
				t.Errorf("told by %q", told)
			}
			if c.runs > 0 && (len(s.messages[2].Calls) != c.runs || strings.Contains(s.messages[2].Content, "said.txt")) {
				t.Errorf("the conversation keeps %+v", s.messages[2])
			}
		})
	}
}

func TestArgumentsCutInTheMiddleAreNotMended(t *testing.T) {
	for _, arguments := range []string{`{"path":"a.txt","content":"x`, `{"path":"a.txt","content":"x",`, `{'path': 'a.txt', 'content': 'x'`, "```json\n{\"path\":\"a.txt\"", `{"path":"a.txt","content":"x\`} {
		wantIn(t, use(t, world(t), "write_file", arguments), "error: the arguments of write_file are not right")
	}
}

func TestSecretInAFieldTooManyIsNotTold(t *testing.T) {
	_, s := run(t, world(t), Options{Secrets: []string{"a-secret-value"}}, calls("list_files", `{"a-secret-value":1}`), calls(toolbox.SubmitReply, doneReply))
	last := s.messages[len(s.messages)-1].Content
	wantIn(t, last, "left out")
	if strings.Contains(last, "a-secret-value") {
		t.Error(last)
	}
}
