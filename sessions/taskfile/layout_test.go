package taskfile

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os/exec"
	"reflect"
	"strings"
	"testing"
	"time"
)

// TestTheLayoutOfAFileStays: a file on one line stays on one line, one with tabs keeps them.
func TestTheLayoutOfAFileStays(t *testing.T) {
	add := func(l *TaskList) {
		l.SessionCount = 1
		l.Find("a").ErrorLog = []string{"x", "y"}
		l.Find("a").Validation.Command = "make"
	}
	for before, want := range map[string]string{
		`{"tasks":[{"id":"a"}]}`: `{"tasks":[{"id":"a","validation":{"command":"make","timeout_seconds":0},"error_log":["x","y"]}],"session_count":1}` + "\n",
		"{\n\t\"tasks\": [\n\t\t{\"id\": \"a\", \"error_log\": [\"x\"]}\n\t]\n}\n": "{\n\t\"tasks\": [\n\t\t{\"id\": \"a\", \"error_log\": [\"x\",\"y\"]," +
			" \"validation\": {\"command\":\"make\",\"timeout_seconds\":0}}\n\t],\n\t\"session_count\": 1\n}\n",
		"\ufeff{\"tasks\":[{\"id\":\"a\"}]}\r\n":                  "\ufeff{\"tasks\":[{\"id\":\"a\",\"validation\":{\"command\":\"make\",\"timeout_seconds\":0},\"error_log\":[\"x\",\"y\"]}],\"session_count\":1}\r\n",
		" {\"session_count\" : 0 , \"tasks\":[{\"id\":\"a\"} ]} ": " {\"session_count\" : 1 , \"tasks\":[{\"id\":\"a\",\"validation\":{\"command\":\"make\",\"timeout_seconds\":0},\"error_log\":[\"x\",\"y\"]} ]} \n",
	} {
		s := storeWith(t, before)
		update(t, s, add)
		if got := text(t, s, FileName); got != want {
			t.Errorf("got  %q\nwant %q", got, want)
		}
	}
}

func TestNewTasksComeBehindTheOthers(t *testing.T) {
	added := func(l *TaskList) {
		task := blankTask()
		task.ID, task.Title, task.Priority = l.NextID(), "New", "P1"
		l.Tasks = append(l.Tasks, task)
	}
	const one = `{
      "id": "task-001",
      "title": "New",
      "status": "pending",
      "priority": "P1",
      "depends_on": [],
      "attempts": 0,
      "max_attempts": 3,
      "started_at_commit": null,
      "validation": {
        "command": "",
        "timeout_seconds": 0
      },
      "on_failure": {
        "cleanup": null
      },
      "error_log": [],
      "checkpoints": [],
      "completed_at": null,
      "claimed_by": null,
      "lease_expires_at": null
    }`
	two := strings.Replace(one, "task-001", "task-002", 1)
	for before, want := range map[string]string{
		"{}":                        "{\n  \"tasks\": [\n    " + one + "\n  ]\n}\n",
		"{\n  \"tasks\": []\n}\n":   "{\n  \"tasks\": [\n    " + one + "\n  ]\n}\n",
		"{\n  \"tasks\": null\n}\n": "{\n  \"tasks\": [\n    " + one + "\n  ]\n}\n",
		"{\n  \"version\": 2\n}\n":  "{\n  \"version\": 2,\n  \"tasks\": [\n    " + one + "\n  ]\n}\n",
		"{\n  \"tasks\": [\n    {\n      \"id\": \"task-001\"\n    }\n  ]\n}\n": "{\n  \"tasks\": [\n    {\n      \"id\": \"task-001\"\n    },\n    " + two + "\n  ]\n}\n",
		"{\n  \"tasks\": [\n    5\n  ]\n}\n":                                    "{\n  \"tasks\": [\n    5,\n    " + one + "\n  ]\n}\n",
	} {
		s := storeWith(t, before)
		update(t, s, added)
		if got := text(t, s, FileName); got != want {
			t.Errorf("before %q\ngot  %s\nwant %s", before, got, want)
		}
	}
	s := storeWith(t, "{}")
	update(t, s, added)
	update(t, s, added)
	update(t, s, func(l *TaskList) { l.Tasks = nil })
	if got := text(t, s, FileName); len(list(t, s).Tasks) != 0 || !json.Valid([]byte(got)) {
		t.Errorf("left: %s", got)
	}
}

// TestCommasInFrontOfALine: some write them so. What is added shares a line, and what is there stays as it is.
func TestCommasInFrontOfALine(t *testing.T) {
	s := storeWith(t, "{\n    \"tasks\": [\n      {\"id\": \"a\"}\n\t, {\n\t    \"id\": \"b\"\n\t  , \"error_log\": [\"x\"]\n\t  }\n    ]\n}\n")
	update(t, s, func(l *TaskList) { l.Find("b").ErrorLog = []string{"x", "y"} })
	want := "{\n    \"tasks\": [\n      {\"id\": \"a\"}\n\t, {\n\t    \"id\": \"b\"\n\t  , \"error_log\": [\"x\",\"y\"]\n\t  }\n    ]\n}\n"
	if got := text(t, s, FileName); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// TestTasksWithOneIDKeepTheirOwnKeys: hands copy a task and forget its id.
func TestTasksWithOneIDKeepTheirOwnKeys(t *testing.T) {
	s := storeWith(t, `{"tasks":[{"id":"a","x":1},{"id":"b","x":2},{"id":"a","x":3}]}`)
	update(t, s, func(l *TaskList) { l.Tasks[2].Title = "third" })
	if got := text(t, s, FileName); got != `{"tasks":[{"id":"a","x":1},{"id":"b","x":2},{"id":"a","x":3,"title":"third"}]}`+"\n" {
		t.Errorf("%s", got)
	}
	update(t, s, func(l *TaskList) { l.Tasks = l.Tasks[1:]; l.Tasks[1].Title = "now the first" })
	if got := text(t, s, FileName); !strings.Contains(got, `{"id":"a","x":1,"title":"now the first"},{"id":"b","x":2}]`) {
		t.Errorf("%s", got)
	}
}

func TestOfADoubledKeyTheLastOneCountsAndIsChanged(t *testing.T) {
	s := storeWith(t, `{"session_count":1,"tasks":[{"id":"x"}],"session_count":2,"tasks":[{"id":"a","claimed_by":"v","claimed_by":"w"}]}`)
	update(t, s, func(l *TaskList) { l.SessionCount++; l.Tasks[0].ClaimedBy = nil })
	want := `{"tasks":[{"id":"x"}],"session_count":3,"tasks":[{"id":"a"}]}` + "\n"
	if got := text(t, s, FileName); got != want {
		t.Errorf("%s", got)
	}
}

func TestAFileThatWeMakeReadsBackAndIsWrittenAsPythonDoes(t *testing.T) {
	s := storeIn(t, t.TempDir())
	l := long(3)
	l.Tasks[0].Title = "Ünïcode <b> & \u2028 \"quotes\"\t\x01"
	if err := s.Create(l); err != nil {
		t.Fatal(err)
	}
	if err := s.Create(l); !errors.Is(err, fs.ErrExist) || !strings.Contains(err.Error(), "move it away") {
		t.Errorf("a second time: %v", err)
	}
	if got := list(t, s); !reflect.DeepEqual(got, l) {
		t.Errorf("got  %+v\nwant %+v", got, l)
	}
	if got := names(t, s); len(got) != 1 {
		t.Errorf("the folder holds %q", got)
	}
	update(t, s, func(l *TaskList) {
		if _, err := l.Claim(Claiming{Worker: "w1", Base: "c0ffee", Now: noon, Lease: time.Hour}); err != nil {
			t.Fatal(err)
		}
		_ = l.Reach("task-002", "w1", Milestone{Step: 1, Total: 2, Description: "ä", Timestamp: noon}, time.Hour)
	})
	ours := text(t, s, FileName)
	script := "import json,sys; d=json.load(open(sys.argv[1],encoding='utf-8')); " +
		"sys.stdout.buffer.write((json.dumps(d,ensure_ascii=False,indent=2)+'\\n').encode())"
	theirs := python(t, script, s.Path())
	if strings.ReplaceAll(theirs, "\u2028", `\u2028`) != ours {
		t.Errorf("ours\n%s\ntheirs\n%s", ours, theirs)
	}
}

// python runs a script, and skips the test where there is no Python.
func python(t *testing.T, script string, args ...string) string {
	t.Helper()
	program, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("no python3")
	}
	out, err := exec.CommandContext(t.Context(), program, append([]string{"-c", script}, args...)...).CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return string(out)
}
