package cmd_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"autopilot/cmd"
	"autopilot/cmd/console"
)

// atList runs a command beside a list of two tasks, as a person at a terminal of 60 columns does who types lines.
func atList(t *testing.T, lines string, args ...string) (root string, code int, out, errs string) {
	t.Helper()
	root = t.TempDir()
	list := `{"version": 2, "tasks": [{"id": "task-001", "title": "One"}, {"id": "task-002", "title": "Two"}]}`
	if err := os.WriteFile(filepath.Join(root, "harness-tasks.json"), []byte(list), 0o644); err != nil {
		t.Fatal(err)
	}
	var o, e strings.Builder
	code = cmd.Main(args, console.Host{
		In: strings.NewReader(lines), Out: &o, Err: &e, Dir: root, Now: time.Now, Terminal: lines != "", OutTerminal: true,
		Width: func() int { return 60 },
	})
	return root, code, o.String(), e.String()
}

func TestTasksAreAddedAsPeopleWriteThem(t *testing.T) {
	for name, c := range map[string]struct {
		lines string
		flags []string
		says  string
	}{
		"flags":                          {"", []string{"--priority", "p0", "--depends-on", "task-001, task-002,task-001,", "--validation", "true", "--timeout", "9"}, ""},
		"answers":                        {"p0\ntask-001, task-002\ntrue\n9\n", nil, ""},
		"a priority that is none":        {"P7\nP0\ntask-001 task-002\ntrue\n9\n", nil, `priority "P7" is none of P0, P1, P2`},
		"a task that is not there":       {"P0\ntask-009\ntask-001,task-002\ntrue\n9\n", nil, "there is no task-009 to depend on"},
		"a time that is none":            {"P0\ntask-001,task-002\ntrue\nsoon\n0\n9\n", nil, `"soon" is no number of seconds, such as 300`},
		"a flag given twice":             {"", []string{"--priority", "P0", "--depends-on", "task-001", "--depends-on", " task-002", "--validation", "true", "--timeout", "9"}, ""},
		"answers for what no flag gives": {"task-001,task-002\n9\n", []string{"--priority", "p0", "--validation", "true"}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			root, code, _, errs := atList(t, c.lines, append([]string{"tasks", "add", "Three"}, c.flags...)...)
			data, err := os.ReadFile(filepath.Join(root, "harness-tasks.json"))
			if err != nil {
				t.Fatal(err)
			}
			var list struct{ Tasks []map[string]any }
			if err := json.Unmarshal(data, &list); err != nil || code != 0 || len(list.Tasks) != 3 {
				t.Fatalf("exit code %d, %v: %s%s", code, err, errs, data)
			}
			got, err := json.Marshal([]any{list.Tasks[2]["priority"], list.Tasks[2]["depends_on"], list.Tasks[2]["validation"]})
			if want := `["P0",["task-001","task-002"],{"command":"true","timeout_seconds":9}]`; string(got) != want || err != nil {
				t.Errorf("added %s (%v), want %s", got, err, want)
			}
			if !strings.Contains(strings.Join(strings.Fields(errs), " "), c.says) {
				t.Errorf("said %s", errs)
			}
		})
	}
}

func TestWrongUseOfTheTaskCommandsIsToldWithWhatIsRight(t *testing.T) {
	for line, says := range map[string]string{
		"tasks add":                      "autopilot tasks add takes TITLE, and was given 0 arguments",
		"tasks run extra":                "autopilot tasks run takes no arguments, and was given 1 argument. An example: autopilot tasks run",
		"tasks claim a b":                "autopilot tasks claim takes [TASK], and was given 2 arguments. An example: autopilot tasks claim",
		"tasks import":                   "autopilot tasks import takes FILE, and was given 0 arguments. An example: autopilot tasks import tasks.json",
		"tasks frob":                     `autopilot tasks has no command "frob"; autopilot tasks --help lists its commands`,
		"tasks clam":                     "did you mean claim?",
		"hook install extra":             "autopilot hook install takes no arguments",
		"completion bash x":              "autopilot completion bash takes no arguments",
		"version 2":                      "autopilot version takes no arguments, and was given 1 argument. An example: autopilot version",
		"tasks claim --lease -5m":        "--lease is a time above 0, such as 30m or 1h, and not -5m0s",
		"tasks renew --lease 0":          "--lease is a time above 0",
		"tasks claim --lease -5m --json": `{"error":"--lease is a time above 0, such as 30m or 1h, and not -5m0s","exitCode":2}`,
		"tasks renew none --json":        `"exitCode":2}`,
		"tasks status x --json":          `"exitCode":2}`,
	} {
		_, code, out, errs := atList(t, "", strings.Fields(line)...)
		told := strings.Join(strings.Fields(errs), " ")
		if strings.HasSuffix(line, "--json") {
			told = strings.TrimSpace(out)
			if !json.Valid([]byte(told)) || errs == "" {
				t.Errorf("%s: printed %s and said %s", line, out, errs)
			}
		}
		if code != 2 || !strings.Contains(told, says) {
			t.Errorf("%s: exit code %d, want 2, and\n%s\nwant\n%s", line, code, told, says)
		}
	}
}

func TestHelpAndQuestionsOfTasksFitTheTerminal(t *testing.T) {
	for _, args := range [][]string{{"tasks", "run", "--help"}, {"tasks", "--help"}, {"tasks", "fail", "--help"}, {"tasks", "init"}} {
		_, code, out, errs := atList(t, "\n\n\n", args...)
		if code != 0 {
			t.Errorf("%v: exit code %d: %s", args, code, errs)
		}
		before, examples, _ := strings.Cut(out, "Examples:\n")
		_, after, _ := strings.Cut(examples, "\n\n") // commands to copy stay whole
		for line := range strings.Lines(before + after + errs) {
			if n := len([]rune(strings.TrimRight(line, " \n"))); n > 60 && !strings.HasPrefix(line, "  autopilot ") {
				t.Errorf("%v: a line of %d columns: %s", args, n, line)
			}
		}
	}
}
