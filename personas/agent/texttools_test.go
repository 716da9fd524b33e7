package agent

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"autopilot/personas"
	"autopilot/personas/agent/toolbox"
)

// textual are the executor's tools, and one with lists and objects.
func textual(tb testing.TB) []personas.Tool {
	tb.Helper()
	s := &script{turns: []turn{calls(toolbox.SubmitReply, doneReply)}}
	if _, err := New(s, Options{}).Dispatch(tb.Context(), world(tb)); err != nil {
		tb.Fatal(err)
	}
	return append(s.tools, personas.Tool{Name: "other__odd", Description: "Odd.", Parameters: json.RawMessage(
		`{"type":"object","properties":{"size":{"type":"number"},"maybe":{"type":["null","integer"]},"deep":{"type":"object","properties":{"a":{"type":"string"}}},"free":{}},"required":["size"]}`)})
}

func TestCallsInTextAreRead(t *testing.T) {
	tools := textual(t)
	for name, c := range map[string]struct{ text, want string }{
		"one":                     {"<<<read_file\npath: main.go\n>>>", `read_file {"path":"main.go"}`},
		"with numbers":            {"<<<read_file\npath: main.go\nfrom: 3\nto: 9\n>>>", `read_file {"path":"main.go","from":3,"to":9}`},
		"with true":               {"<<<git_diff\nstat: true\n>>>", `git_diff {"stat":true}`},
		"without arguments":       {"<<<list_files\n>>>", `list_files {}`},
		"two, and words":          {"First.\n<<<list_files\n>>>\nThen.\n<<<read_file\npath: a\n>>>\nDone.", "list_files {}\nread_file {\"path\":\"a\"}"},
		"in a fence":              {"```\n<<<list_files\n>>>\n```", `list_files {}`},
		"windows' line ends":      {"<<<read_file\r\npath: a b.txt\r\n>>>\r\n", `read_file {"path":"a b.txt"}`},
		"indented":                {"  <<<read_file\n    path: a\n  >>>", `read_file {"path":"a"}`},
		"blank lines":             {"<<<read_file\n\npath: a\n\n>>>", `read_file {"path":"a"}`},
		"a long text":             {"<<<write_file\npath: a\ncontent: <<END\nx: \"y\" `z`\n>>>\n<<<b\nEND\n>>>", `write_file {"path":"a","content":"x: \"y\" ` + "`z`" + `\n>>>\n<<<b\n"}`},
		"without a last line end": {"<<<write_file\npath: a\ncontent: <<E-\nx\nE\n>>>", `write_file {"path":"a","content":"x"}`},
		"an empty text":           {"<<<write_file\npath: a\ncontent:\n>>>", `write_file {"path":"a","content":""}`},
		"an empty long text":      {"<<<write_file\npath: a\ncontent: <<E\nE\n>>>", `write_file {"path":"a","content":""}`},
		"a colon in a value":      {"<<<run_command\ncommand: echo a: b\n>>>", `run_command {"command":"echo a: b"}`},
		"a number as text":        {"<<<run_command\ncommand: 12\n>>>", `run_command {"command":"12"}`},
		"a list":                  {"<<<submit_reply\nstatus: done\nsummary: Ok.\nevidence: [{\"command\": \"true\", \"exitCode\": 0}]\n>>>", `submit_reply {"status":"done","summary":"Ok.","evidence":[{"command":"true","exitCode":0}]}`},
		"a list over lines":       {"<<<submit_reply\nstatus: done\nconcerns: <<J\n[\n\"a\"\n]\nJ\n>>>", `submit_reply {"status":"done","concerns":["a"]}`},
		"what no schema knows":    {"<<<submit_reply\nv: 1\nplanPath: a.md\nfindings: []\n>>>", `submit_reply {"v":1,"planPath":"a.md","findings":[]}`},
		"numbers and objects":     {"<<<other__odd\nsize: 1.5\nmaybe: 2\ndeep: {\"a\": \"b\"}\nfree: x\n>>>", `other__odd {"size":1.5,"maybe":2,"deep":{"a":"b"},"free":"x"}`},
		"an unknown tool":         {"<<<bash\ncommand: ls\n>>>", `bash {"command":"ls"}`},
		"drafts in thoughts":      {"<think>\nMaybe\n<<<list_files\n>>>\n</think><<<read_file\npath: a\n>>>", `read_file {"path":"a"}`},
		"thoughts without an end": {"<think>\n<<<list_files\n>>>", ""},
		"thoughts in a file":      {"<<<write_file\npath: a\ncontent: <<E\n<think>\n</think>\nE\n>>>", `write_file {"path":"a","content":"<think>\n</think>\n"}`},
		"thoughts in between":     {"I look.\n<think>\n<<<run_command\ncommand: touch x\n>>>\nno</think>\n<<<list_files\n>>>", `list_files {}`},
		"thoughts twice":          {"<think>\na\n</think>\n<think>\n<<<git_diff\n>>>\n</think>\n<<<list_files\n>>>", `list_files {}`},
		"thoughts begun before":   {"Maybe\n<<<run_command\ncommand: touch x\n>>>\nno.\n</think>\n\n<<<list_files\n>>>", `list_files {}`},
		"the word indented":       {"<<<write_file\npath: a.rb\ncontent: <<END\nBEGIN\n  END\nx\nEND\n>>>", `write_file {"path":"a.rb","content":"BEGIN\n  END\nx\n"}`},
		"a text indented":         {"- so:\n  <<<write_file\n  path: a\n  content: <<E\n  x\n  E\n  >>>", `write_file {"path":"a","content":"  x\n"}`},
		"a text in CR LF":         {"I.\r\n<<<write_file\r\npath: a\r\ncontent: <<E\r\nx\r\ny\r\nE\r\n>>>\r\n", `write_file {"path":"a","content":"x\ny\n"}`},
		"a merge conflict":        {"<<<<<<< HEAD\na\n=======\nb\n>>>>>>> other", ""},
		"talk of the format":      {"I would write <<<read_file here, or >>> x.", ""},
		"nothing":                 {"", ""},
	} {
		t.Run(name, func(t *testing.T) {
			prose, found := readCalls(nil, c.text, tools)
			var got []string
			for _, call := range found {
				if call.Problem != "" {
					t.Errorf("refused: %s", call.Problem)
				}
				got = append(got, call.Name+" "+toolbox.Compact(call.Arguments))
			}
			if want := c.want; strings.Join(got, "\n") != want {
				t.Errorf("got %s, want %s", strings.Join(got, "\n"), want)
			}
			if len(found) > 0 && strings.Contains(prose, "path:") {
				t.Errorf("a block is left in what was said: %q", prose)
			}
		})
	}
}

func TestMalformedBlocksComeBackAsErrorsThatCanBeMended(t *testing.T) {
	tools := textual(t)
	for name, c := range map[string]struct{ text, want string }{
		"not closed":                {"<<<read_file\npath: a", "not closed by a line >>>"},
		"closed by another":         {"<<<read_file\npath: a\n<<<list_files\n>>>", "before the next one begins"},
		"a text that has no end":    {"<<<write_file\npath: a\ncontent: <<END\npackage a\n>>>\n<<<run_command\ncommand: touch y\n>>>", "content is not closed by a line END"},
		"no colon":                  {"<<<read_file\nmain.go\n>>>", `"main.go" is no argument`},
		"JSON in place of lines":    {"<<<read_file\n{\"path\": \"main.go\"}\n>>>", "is no argument"},
		"arguments beside the name": {"<<<read_file path=main.go\n>>>", "more than the tool's name"},
		"a key twice":               {"<<<read_file\npath: a\npath: b\n>>>", "path is given twice"},
		"a word for a number":       {"<<<read_file\npath: a\nfrom: first\n>>>", "from must be of the type integer"},
		"no number":                 {"<<<read_file\npath: a\nfrom:\n>>>", "from must be of the type integer"},
		"yes for true":              {"<<<git_diff\nstat: yes\n>>>", "stat must be of the type boolean"},
		"a text for a list":         {"<<<submit_reply\nstatus: done\nsummary: x\nconcerns: none\n>>>", "concerns must be of the type array"},
		"an object for a list":      {"<<<submit_reply\nstatus: done\nsummary: x\nconcerns: {}\n>>>", "concerns must be of the type array"},
		"broken JSON":               {"<<<submit_reply\nevidence: [{\"command\": ]\n>>>", "evidence must be of the type array"},
		"a text without a word":     {"<<<edit_file\npath: a\nold: <<<<<<< HEAD\nnew: b\n>>>", "begins with << and no word"},
		"a text that is loose":      {"<<<write_file\npath: a\ncontent:\npackage a\n>>>", `"package a" is no argument`},
		"an odd key":                {"<<<read_file\nthe path: a\n>>>", "is no argument"},
	} {
		t.Run(name, func(t *testing.T) {
			_, found := readCalls(nil, "Hm.\n"+c.text, tools)
			if len(found) != 1 || !strings.Contains(found[0].Problem, c.want) || !strings.Contains(found[0].Problem, "KEY: VALUE") {
				t.Fatalf("%+v, want one with %q", found, c.want)
			}
			var object map[string]string
			if json.Unmarshal([]byte(found[0].Arguments), &object) != nil || object["malformed"] == "" {
				t.Errorf("what was written is lost: %s", found[0].Arguments)
			}
		})
	}
}

func TestAnyTextComesThroughABlockAsItIs(t *testing.T) {
	tools := textual(t)
	pieces := rapid.SampledFrom([]string{"\n", "\r\n", "\r", " ", "\t", "END", "END1", "<<", "<<<write_file", ">>>", ":", "\"", "`", "```", "\\n", "content: <<END", "é", "\u2028", "\x00", "x"})
	rapid.Check(t, func(rt *rapid.T) {
		content := rapid.String().Draw(rt, "content")
		if rapid.Bool().Draw(rt, "made of odd pieces") {
			content = strings.Join(rapid.SliceOf(pieces).Draw(rt, "pieces"), "")
		}
		raw, err := json.Marshal(map[string]any{"content": content, "path": "a"})
		if err != nil {
			rt.Fatal(err)
		}
		want := personas.Call{Name: "write_file", Arguments: string(raw)}
		block := written(want)
		_, got := readCalls(nil, "Words.\n"+block+"\n\n"+block+"\nMore.", tools)
		if len(got) != 2 {
			rt.Fatalf("%d calls of\n%s", len(got), block)
		}
		for _, call := range got {
			var was, is map[string]string
			if json.Unmarshal(raw, &was) != nil || json.Unmarshal([]byte(call.Arguments), &is) != nil || call.Problem != "" || is["content"] != was["content"] || is["path"] != "a" {
				rt.Fatalf("%q came through as %+v", was["content"], call)
			}
		}
	})
}

// textServer is a model without tool calling: what a server would say as calls
// it writes, and it refuses what such a model does not take.
type textServer struct {
	*server
	wrong []string
}

func (s *textServer) Turn(ctx context.Context, messages []personas.Message, tools []personas.Tool) (personas.Message, personas.Usage, error) {
	if len(tools) > 0 {
		s.wrong = append(s.wrong, "it was sent tools")
	}
	for i, m := range messages {
		if m.Role == personas.RoleTool || len(m.Calls) > 0 || i > 0 && m.Role == messages[i-1].Role {
			s.wrong = append(s.wrong, fmt.Sprintf("message %d of %d: %+v", i, len(messages), m.Role))
		}
	}
	if !strings.Contains(messages[0].Content, "# Tools") { // it is asked for a summary
		return s.server.Turn(ctx, messages, nil)
	}
	answer, used, err := s.server.Turn(ctx, messages, []personas.Tool{{}})
	for _, call := range answer.Calls {
		answer.Content += "\n" + written(call)
	}
	answer.Calls = nil
	return answer, used, err
}

func TestLongWorkInTextFitsIntoASmallWindow(t *testing.T) {
	d := world(t)
	longFile(t, d)
	s := &textServer{server: &server{window: 11_000, perToken: 4, turns: 40, turn: works, summary: "Decisions: the middle was read. Files: long.txt. Open points: none."}}
	out, err := New(NewTextTools(s, nil), Options{Window: 11_000, Model: "gpt-4o"}).Dispatch(t.Context(), d)
	if err != nil || out.Kind != personas.GotReply || out.Turns != 41 {
		t.Fatalf("%+v, %v", out, err)
	}
	for _, w := range append(s.wrong, s.server.wrong...) {
		t.Error(w)
	}
	if out.Metrics.Compactions < 3 || s.summaries == 0 || out.Metrics.ToolFailures != 0 {
		t.Errorf("%+v, %d summaries", out.Metrics, s.summaries)
	}
	if n := s.changed(1); n > out.Metrics.Compactions {
		t.Errorf("the beginning changed %d times at %d compactions", n, out.Metrics.Compactions)
	}
	wantIn(t, read(t, d.AttemptDir, "audit.jsonl"), `"tool":"write_file"`, `"outcome":"ok"`)
}

func TestWhoOnlyTalksIsShownHowACallIsWritten(t *testing.T) {
	s := &script{turns: []turn{says("<function=read_file><parameter=path>main.go"), says("<<<submit_reply\nstatus: done\nsummary: Did it.\n>>>")}}
	out, err := New(NewTextTools(s, nil), Options{}).Dispatch(t.Context(), world(t))
	if err != nil || out.Kind != personas.GotReply {
		t.Fatalf("%+v, %v", out, err)
	}
	wantIn(t, s.messages[len(s.messages)-1].Content, "Nobody reads", "<<<write_file\npath: ", "\n>>>")
	_, native := run(t, world(t), Options{}, says("Hm."), calls(toolbox.SubmitReply, doneReply))
	if last := native.messages[len(native.messages)-1].Content; strings.Contains(last, "<<<") {
		t.Errorf("a model with tool calling was told of blocks: %s", last)
	}
}

func TestReplyThatWasOnlyThoughtOfIsNotTaken(t *testing.T) {
	out, _ := run(t, world(t), Options{}, says("<think>\n```json\n{\"v\":1,\"status\":\"failed\",\"summary\":\"A draft.\"}\n```\n</think>\nNot yet."), calls(toolbox.SubmitReply, doneReply))
	if out.Kind != personas.GotReply || out.Reply.Summary != "Did it." {
		t.Errorf("%+v", out)
	}
}
