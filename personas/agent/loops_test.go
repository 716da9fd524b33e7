package agent

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"autopilot/personas"
	"autopilot/personas/agent/toolbox"
)

// made is a call with its result, as a row of a story.
type made struct{ tool, arguments, result string }

// tell plays a story, a call a turn, and gives the turns of the first advice
// and of the end; 0: there was none.
func tell(story []made, pace time.Duration) (advised, ended int, evidence string) {
	now := time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC)
	l := newLoops(func() time.Time { return now })
	for i, m := range story {
		now = now.Add(pace)
		var failed error
		if strings.HasPrefix(m.result, "error:") {
			failed = errors.New(m.result)
		}
		l.called(i+1, personas.Call{Name: m.tool, Arguments: m.arguments}, m.result, failed)
		advice, stuck := l.judge()
		if stuck != "" {
			return advised, i + 1, stuck
		}
		if advice != "" && advised == 0 {
			advised, evidence = i+1, advice
		}
	}
	return advised, 0, evidence
}

func repeated(n int, row ...made) []made {
	var out []made
	for len(out) < n {
		out = append(out, row...)
	}
	return out[:n]
}

// each makes a story of rows that differ by their number.
func each(n int, rows func(i int) []made) []made {
	var out []made
	for i := range n {
		out = append(out, rows(i)...)
	}
	return out
}

func edits(file, before, after string) made {
	arguments, _ := json.Marshal(map[string]string{"path": file, "old": before, "new": after})
	return made{"edit_file", string(arguments), "replaced 1 in " + file}
}

func TestCirclesAreNoticedAndEnded(t *testing.T) {
	test := made{"run_command", `{"command":"go test ./..."}`, "exit code 1 after 1.2s\nFAIL: got 3"}
	look := made{"read_file", `{"path":"a.go"}`, "1 package a"}
	rewrite := func(i int) []made {
		return []made{{"write_file", fmt.Sprintf(`{"path":"a.go","content":"v%d"}`, i), "wrote a.go"}}
	}
	flail := func(i int) []made {
		return []made{edits("a.go", fmt.Sprintf("return %d", i), fmt.Sprintf("return %d", i+1)), {"run_command", `{"command":"go test"}`, fmt.Sprintf("exit code 1 after 1s\ngot %d", i)}}
	}
	for name, c := range map[string]struct {
		story          []made
		pace           time.Duration
		advised, ended int
		evidence       string
	}{
		"the same call":           {repeated(9, look), time.Second, 3, 6, "the same call was made 6 times"},
		"the same failing call":   {repeated(9, made{"edit_file", `{}`, "error: path is missing"}), time.Second, 3, 6, "edit_file"},
		"durations do not differ": {each(9, func(i int) []made { m := test; m.result = fmt.Sprintf("exit code 1 after %d.2s", i); return []made{m} }), time.Second, 3, 6, "go test"},
		"addresses, times and names of temporary files do not differ": {each(9, func(i int) []made {
			m := test
			m.result = fmt.Sprintf("exit code 1 after 1.2s\npanic at 0x%x in /tmp/go-build%d (17638%05d.8%d)", 1<<40+i*7919, 4711+i, i, i*31)
			return []made{m}
		}), time.Second, 3, 6, "go test"},
		"alternating pairs":   {repeated(20, look, test), time.Second, 5, 12, "two calls were made in turn 6 times"},
		"a longer circle":     {repeated(60, look, test, made{"search", `{"pattern":"x"}`, "no match"}, made{"list_files", `{}`, "a.go"}), time.Second, 9, 24, "6 times"},
		"a file rewritten":    {each(12, rewrite), time.Second, 4, 7, "a.go was edited 7 times"},
		"a line edited again": {each(12, flail), 10 * time.Second, 7, 13, "no check passed"},
		"a pipe that says nothing of the test": {each(12, func(i int) []made {
			return []made{edits("a.go", fmt.Sprintf("return %d", i), fmt.Sprintf("return %d", i+1)), {"run_command", `{"command":"go test | tail -4"}`, fmt.Sprintf("exit code 0 after 1s%sthere is no bash\ngot %d", toolbox.LastAlone, i)}}
		}), 10 * time.Second, 7, 13, "no check passed"},
		"the same place": {each(25, func(i int) []made {
			return []made{{"run_command", fmt.Sprintf(`{"command":"echo %d"}`, i), fmt.Sprint("exit code 0\n", i)}, edits("a.txt", "END", fmt.Sprintf("line %d\nEND", i))}
		}), time.Second, 8, 14, "no check passed"},
		"many places, nothing else": {each(30, func(i int) []made {
			return []made{edits("a.go", fmt.Sprintf("func f%d", i), fmt.Sprintf("func g%d", i))}
		}), time.Second, 4, 13, "a.go was edited 13 times"},
		"nothing new": {append(each(15, func(i int) []made { return []made{{"read_file", fmt.Sprint(i), fmt.Sprint("x", i)}} }),
			repeated(40, each(15, func(i int) []made { return []made{{"read_file", fmt.Sprint(i), fmt.Sprint("x", i)}} })...)...), time.Second, 25, 35, "nothing"},
		"failures that are all alike": {each(60, func(i int) []made {
			return []made{{"run_command", fmt.Sprintf(`{"command":"false # %d"}`, i), "exit code 1 after 0.1s\n(no output)"}}
		}), time.Second, 11, 21, "nothing"},
		"searches that find nothing": {each(60, func(i int) []made {
			return []made{{"search", fmt.Sprintf(`{"pattern":"x%d"}`, i), "no match in 12 files"}}
		}), time.Second, 11, 21, "nothing"},
	} {
		t.Run(name, func(t *testing.T) {
			advised, ended, evidence := tell(c.story, c.pace)
			if advised != c.advised || ended != c.ended || !strings.Contains(evidence, c.evidence) {
				t.Errorf("advised at %d, ended at %d: %s; want %d, %d: %s", advised, ended, evidence, c.advised, c.ended, c.evidence)
			}
		})
	}
}

func TestHonestWorkIsNoCircle(t *testing.T) {
	passes := made{"run_command", `{"command":"cd sub && go test ./..."}`, "exit code 0 after 1.2s\nok  sub 0.01s"}
	for name, c := range map[string]struct {
		story []made
		pace  time.Duration
	}{
		"different files, tests after each": {each(60, func(i int) []made {
			return []made{edits(fmt.Sprintf("f%d.go", i), "a", "b"), passes}
		}), 20 * time.Second},
		"one file, a test that passes after each edit": {each(60, func(i int) []made {
			return []made{edits("a.go", fmt.Sprintf("line %d", i), fmt.Sprintf("line %d", i+1)), passes}
		}), 20 * time.Second},
		"one file, slowly": {each(60, func(i int) []made {
			return []made{edits("a.go", fmt.Sprintf("line %d", i), fmt.Sprintf("line %d", i+1))}
		}), 4 * time.Minute},
		"a watched log that grows": {each(60, func(i int) []made {
			return []made{{"run_command", `{"command":"sleep 5; tail log"}`, fmt.Sprintf("exit code 0 after 5s\nstep %d", i)}}
		}), 5 * time.Second},
		"a log that grows, and is not done": {each(60, func(i int) []made {
			return []made{{"run_command", `{"command":"cat log; grep -q done log"}`, "exit code 1 after 0.1s\n" + strings.Repeat("a line\n", i)}}
		}), 5 * time.Second},
		"edits by the shell, and a test that fails with another number": {each(60, func(i int) []made {
			return []made{
				{"run_command", fmt.Sprintf(`{"command":"sed -i s/%d/x/ a.go"}`, i), "exit code 0 after 0.1s\n(no output)"},
				{"run_command", `{"command":"go test"}`, fmt.Sprintf("exit code 1 after 1s\ngot %d", i)},
			}
		}), 10 * time.Second},
		"reading a long file": {each(80, func(i int) []made {
			return []made{{"read_file", fmt.Sprintf(`{"path":"a.go","from":%d}`, i), fmt.Sprint(i, " text")}}
		}), time.Second},
		"commands that say nothing": {each(60, func(i int) []made {
			return []made{{"run_command", fmt.Sprintf(`{"command":"sed -i s/a%d/b/ f%d.go"}`, i, i), "exit code 0 after 0.1s\n(no output)"}}
		}), time.Second},
		"clicks": {each(60, func(i int) []made {
			return []made{{"browser__click", fmt.Sprintf(`{"at":%d}`, i), "browser answered: ok"}}
		}), time.Second},
		"two files in turn, no check passes": {each(60, func(i int) []made {
			return []made{
				edits("a.go", fmt.Sprintf("func f%d", i), fmt.Sprintf("func g%d", i)), edits("b.go", fmt.Sprintf("f%d()", i), fmt.Sprintf("g%d()", i)),
			}
		}), 10 * time.Second},
		"red, then green": {each(40, func(i int) []made {
			return []made{
				edits("a_test.go", fmt.Sprintf("case %d", i), fmt.Sprintf("case %d", i+1)),
				{"run_command", `{"command":"go test"}`, fmt.Sprintf("exit code 1 after 1s\ncase %d fails", i)},
				edits("a.go", fmt.Sprintf("code %d", i), fmt.Sprintf("code %d", i+1)), passes,
			}
		}), 10 * time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			if advised, ended, evidence := tell(c.story, c.pace); ended > 0 || advised > 0 && !strings.Contains(name, "passes") {
				t.Errorf("advised at %d, ended at %d: %s", advised, ended, evidence)
			}
		})
	}
}

// TestEditsAndToolsAreCounted: of one file before a check passes, at most; and each call by its tool, those of none by no name.
func TestEditsAndToolsAreCounted(t *testing.T) {
	write := func(text string) turn { return calls("write_file", `{"path":"a.txt","content":"`+text+`"}`) }
	out, _ := run(t, world(t), Options{}, write("1"), write("2"), calls("run_command", `{"command":"sh -c true"}`), write("3"), calls("nonesuch", `{}`),
		calls("read_file", `{"path":"none"}`), calls(toolbox.SubmitReply, doneReply))
	want := []personas.ToolUse{{Name: "write_file", Calls: 3}, {Name: "run_command", Calls: 1}, {Calls: 1, Failures: 1}, {Name: "read_file", Calls: 1, Failures: 1}, {Name: toolbox.SubmitReply, Calls: 1}}
	if m := out.Metrics; m.Edits != 2 || m.Repeats != 1 || m.Advised != 0 || !slices.Equal(m.Tools, want) || m.ToolCalls != 7 || m.ToolFailures != 2 {
		t.Errorf("%+v", out.Metrics)
	}
}

func TestAdviceReachesTheModelAndTheEndHasTheEvidence(t *testing.T) {
	again := calls("read_file", `{"path":"main.go"}`)
	out, s := run(t, world(t), Options{}, again, again, again, again, again, again, again)
	if out.Kind != personas.NoReply || out.Turns != 6 {
		t.Errorf("%+v", out)
	}
	wantIn(t, out.Detail, "stuck", "6 times", `read_file {"path":"main.go"}`)
	var told int
	for _, m := range s.messages {
		if m.Role == personas.RoleUser && strings.Contains(m.Content, "Step back") {
			told++
		}
	}
	if told != 1 {
		t.Errorf("it was advised %d times", told)
	}
	if m := out.Metrics; m.Advised != 1 || m.Repeats != 6 || m.Edits != 0 {
		t.Errorf("%+v", m)
	}
	again = calls("search", `{"pattern":"a-secret-value"}`)
	out, _ = run(t, world(t), Options{Secrets: []string{"a-secret-value"}}, again, again, again, again, again, again, again)
	if strings.Contains(out.Detail, "a-secret-value") || !strings.Contains(out.Detail, "stuck") {
		t.Errorf("the evidence holds a secret: %s", out.Detail)
	}
	six := make([]string, 0, 12)
	for range 6 {
		six = append(six, "read_file", `{"path":"main.go"}`)
	}
	if out, _ := run(t, world(t), Options{}, calls(six...), calls(toolbox.SubmitReply, doneReply)); out.Kind != personas.GotReply {
		t.Errorf("the same call six times in one turn: %+v", out)
	}
}
