package agent

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"autopilot/personas"
	"autopilot/personas/agent/toolbox"
)

func run(t *testing.T, d personas.Dispatch, o Options, turns ...turn) (personas.Outcome, *script) {
	t.Helper()
	s := &script{turns: turns}
	out, err := New(s, o).Dispatch(t.Context(), d)
	if err != nil {
		t.Fatal(err)
	}
	return out, s
}

func TestToolsReallyRunAndTheReplyComesBack(t *testing.T) {
	d := world(t)
	var used personas.Usage
	var events []string
	d.OnUsage = func(u personas.Usage) { used = used.Add(u) }
	d.OnEvent = func(kind, text string) { events = append(events, kind+": "+text) }
	out, s := run(t, d, Options{},
		calls("write_file", `{"path":"new/file.txt","content":"made\n"}`, "run_command", `{"command":"cat new/file.txt"}`),
		calls(toolbox.SubmitReply, doneReply, "write_file", `{"path":"after.txt","content":"too\n"}`))
	if out.Kind != personas.GotReply || out.Reply.Summary != "Did it." || out.Turns != 2 {
		t.Errorf("%+v", out)
	}
	if out.Usage != used || used.InputTokens != 20 {
		t.Errorf("usage %+v, told %+v", out.Usage, used)
	}
	if read(t, d.Dir, "new/file.txt") != "made\n" || read(t, d.Dir, "after.txt") != "too\n" {
		t.Error("a file was not written")
	}
	last := s.messages[len(s.messages)-1]
	wantIn(t, last.Content, "exit code 0", "made")
	if last.CallID == "" || s.messages[1].Content != "Do the task." || s.messages[0].Role != personas.RoleSystem {
		t.Errorf("the conversation is not in order: %+v", s.messages)
	}
	wantIn(t, strings.Join(events, "\n"), "tool: write_file", "result: exit code 0")
}

func TestReplyInTheLastMessageCounts(t *testing.T) {
	out, _ := run(t, world(t), Options{}, says("Done.\n```json\n"+doneReply+"\n```"))
	if out.Kind != personas.GotReply || out.Reply.Summary != "Did it." {
		t.Errorf("%+v", out)
	}
}

func TestWhoOnlyTalksIsRemindedAndThenHasNoReply(t *testing.T) {
	out, s := run(t, world(t), Options{}, says("Hm."), says("Well."), says("So."), calls(toolbox.SubmitReply, doneReply))
	if out.Kind != personas.NoReply || out.Turns != maxNudges+1 {
		t.Errorf("%+v", out)
	}
	wantIn(t, s.messages[len(s.messages)-1].Content, "Nobody reads", "submit_reply")
	wantIn(t, out.Detail, "So.")
}

func TestInvalidReplyGoesBackOnce(t *testing.T) {
	bad := `{"v":1,"status":"maybe","summary":"x"}`
	mended, s := run(t, world(t), Options{}, calls(toolbox.SubmitReply, bad), calls(toolbox.SubmitReply, doneReply))
	if mended.Kind != personas.GotReply {
		t.Errorf("%+v", mended)
	}
	wantIn(t, s.messages[len(s.messages)-1].Content, "error:", `status is "maybe"`)
	for name, turns := range map[string][]turn{
		"submitted twice": {calls(toolbox.SubmitReply, bad), calls(toolbox.SubmitReply, `{nonsense`), calls(toolbox.SubmitReply, doneReply)},
		"said twice":      {says("```json\n" + bad + "\n```"), says("```json\n" + bad + "\n```"), calls(toolbox.SubmitReply, doneReply)},
	} {
		out, _ := run(t, world(t), Options{}, turns...)
		if out.Kind != personas.NoReply || !strings.Contains(out.Detail, "neither was the second") {
			t.Errorf("%s: %+v", name, out)
		}
	}
}

func TestWhatThePersonaOwesIsAskedFor(t *testing.T) {
	d := as(world(t), personas.Verifier)
	d.Persona.Owes = []string{"summary", "evidence"} // as a person's own persona file may say
	out, s := run(t, d, Options{}, calls(toolbox.SubmitReply, doneReply),
		calls(toolbox.SubmitReply, `{"v":1,"status":"done","summary":"x","evidence":[{"command":"true","exitCode":0}]}`))
	if out.Kind != personas.GotReply {
		t.Errorf("%+v", out)
	}
	wantIn(t, s.messages[len(s.messages)-1].Content, "evidence is missing, and the verifier owes it")
}

func TestTurnsEnd(t *testing.T) {
	d := world(t)
	d.MaxTurns = 5
	list := calls("list_files", `{}`)
	out, s := run(t, d, Options{}, list, list, list, list, list, list)
	if out.Kind != personas.NoReply || out.Turns != 5 || !strings.Contains(out.Detail, "all of its 5 turns") {
		t.Errorf("%+v", out)
	}
	var told bool
	for _, m := range s.messages {
		told = told || strings.Contains(m.Content, "Only 3 turns are left")
	}
	if !told {
		t.Error("the model was not told that the turns run out")
	}
}

func TestBadCallsComeBackAsErrorsThatCanBeMended(t *testing.T) {
	d := world(t)
	for name, c := range map[string]struct{ tool, arguments, want string }{
		"unknown tool":        {"delete_everything", `{}`, `there is no tool "delete_everything"`},
		"malformed JSON":      {"read_file", `{"path": "main.go"`, "the arguments of read_file are not right"},
		"a folder to run in":  {"run_command", `{"command": "ls", "cwd": "sub"}`, `unknown field "cwd"`},
		"wrong type":          {"read_file", `{"path": ["main.go"]}`, "cannot unmarshal array"},
		"nothing":             {"read_file", ``, "path is missing"},
		"two objects":         {"list_files", `{}{}`, "something follows"},
		"missing content":     {"write_file", `{"path": "a"}`, "content is missing"},
		"missing command":     {"run_command", `{}`, "command is missing"},
		"missing pattern":     {"search", `{}`, "pattern is missing"},
		"malformed pattern":   {"search", `{"pattern": "foo("}`, "backslash"},
		"malformed glob":      {"list_files", `{"glob": "[a"}`, "malformed"},
		"missing revision":    {"git_show", `{}`, "rev is missing"},
		"option as revision":  {"git_show", `{"rev": "--output=/tmp/x"}`, "no name of a commit"},
		"path in a revision":  {"git_show", `{"rev": "HEAD:.harness/x"}`, "no name of a commit"},
		"unknown revision":    {"git_diff", `{"base": "nowhere"}`, "git cannot do that"},
		"scratchpad in .git":  {"scratchpad_write", `{"name": "../x", "content": ""}`, "plain file name"},
		"file as a folder":    {"write_file", `{"path": "main.go/x", "content": ""}`, "main.go"},
		"folder as a file":    {"write_file", `{"path": "docs", "content": ""}`, "is a folder"},
		"reading a folder":    {"read_file", `{"path": "docs"}`, "use list_files"},
		"reading nothing":     {"read_file", `{"path": "nowhere.go"}`, "there is no file nowhere.go"},
		"reading binary":      {"read_file", `{"path": "bin.dat"}`, "binary"},
		"lines that are none": {"read_file", `{"path": "main.go", "from": 9, "to": 3}`, "no range"},
		"lines past the end":  {"read_file", `{"path": "main.go", "from": 99}`, "only 5 lines"},
	} {
		t.Run(name, func(t *testing.T) {
			got := use(t, d, c.tool, c.arguments)
			if !strings.HasPrefix(got, "error: ") || !strings.Contains(got, c.want) {
				t.Errorf("got %q, want an error with %q", got, c.want)
			}
		})
	}
}

func TestEachPersonaHasItsTools(t *testing.T) {
	d := world(t)
	reading := "read_file list_files search git_diff git_show "
	for name, want := range map[personas.Name]string{
		personas.Planner:  reading + "write_file edit_file scratchpad_write submit_reply",
		personas.Executor: reading + "write_file edit_file apply_patch run_command scratchpad_write submit_reply",
		personas.Verifier: reading + "run_command scratchpad_write submit_reply",
		personas.Reviewer: reading + "scratchpad_write submit_reply",
	} {
		_, s := run(t, as(d, name), Options{}, says("x"))
		var got []string
		for _, tool := range s.tools {
			got = append(got, tool.Name)
			if !json.Valid(tool.Parameters) || tool.Description == "" {
				t.Errorf("%s is badly described: %s", tool.Name, tool.Parameters)
			}
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s has %v, want %s", name, got, want)
		}
	}
	d.Persona.Tools, d.ScratchpadDir = []string{"read_file", "write_file"}, ""
	_, s := run(t, d, Options{}, says("x"))
	if len(s.tools) != 3 || s.tools[2].Name != toolbox.SubmitReply {
		t.Errorf("a persona's own list of tools is not kept to: %+v", s.tools)
	}
}

func TestRecordIsReadableAndWithoutSecrets(t *testing.T) {
	d := world(t)
	const secret = "sk-very-secret-value"
	o := Options{
		Environ: []string{"PATH=/usr/bin:/bin", "MY_API_KEY=" + secret, "SHORT_KEY=1"},
		Secrets: []string{"another-secret"}, Now: func() time.Time { return time.Unix(0, 0) },
	}
	run(t, d, o, calls("run_command", `{"command":"echo `+secret+` another-secret 1"}`), calls(toolbox.SubmitReply, doneReply))
	log, transcript := read(t, d.AttemptDir, "output.log"), read(t, d.AttemptDir, "transcript.jsonl")
	for name, text := range map[string]string{"output.log": log, "transcript.jsonl": transcript} {
		if strings.Contains(text, secret) || strings.Contains(text, "another-secret") {
			t.Errorf("%s holds a secret", name)
		}
	}
	wantIn(t, log, "Do the task.", "== turn 1", `-> run_command {"command":"echo [secret] [secret] 1"}`, "<- exit code 0", "== turn 2")
	roles := map[string]int{}
	for line := range strings.Lines(transcript) {
		var e entry
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		if e.Time != "1970-01-01T00:00:00Z" {
			t.Errorf("no time in %s", line)
		}
		if e.Message != nil {
			roles[e.Message.Role]++
		}
	}
	if roles["system"] != 1 || roles["user"] != 1 || roles["assistant"] != 2 || roles["tool"] != 2 {
		t.Errorf("the transcript has %v", roles)
	}
	before := len(log)
	run(t, d, o, calls(toolbox.SubmitReply, doneReply))
	if len(read(t, d.AttemptDir, "output.log")) <= before {
		t.Error("a second dispatch did not append to the record")
	}
}
