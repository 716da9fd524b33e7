package taskfile

import (
	"errors"
	"os"
	"reflect"
	"strings"
	"testing"
	"time"
)

// foreign is a file as other programs write it, with keys of theirs everywhere, and values of wrong kinds.
const foreign = `{
  "version": 2,
  "created": "2025-07-01T10:00:00Z",
  "x_owner": {
    "name": "Zoë <zoe@example.org>",
    "n": 1.50
  },
  "session_config": {
    "max_tasks_per_session": 20,
    "x_color": "red",
    "max_sessions": "many"
  },
  "tasks": [
    "a remark",
    {
      "x_first": [],
      "id": "task-001",
      "title": "Login & logout",
      "status": "pending",
      "priority": "P0",
      "depends_on": [],
      "attempts": "none yet",
      "max_attempts": 3,
      "started_at_commit": null,
      "validation": {
        "command": "make test",
        "x_shell": "bash",
        "timeout_seconds": 300
      },
      "on_failure": {
        "cleanup": null,
        "x_notify": true
      },
      "error_log": [
        {
          "x_code": 5
        }
      ],
      "checkpoints": [],
      "completed_at": null,
      "x_last": "\u00fc"
    },
    null,
    {
      "id": 2,
      "depends_on": "task-001"
    },
    [
      1
    ]
  ],
  "session_count": 1,
  "last_session": "yesterday"
}
`

// replaced is foreign with some of its lines replaced.
func replaced(t *testing.T, old, new string, more ...string) string {
	t.Helper()
	text := foreign
	for pairs := append([]string{old, new}, more...); len(pairs) > 0; pairs = pairs[2:] {
		if strings.Count(text, pairs[0]) != 1 {
			t.Fatalf("%q is %d times in the file", pairs[0], strings.Count(text, pairs[0]))
		}
		text = strings.Replace(text, pairs[0], pairs[1], 1)
	}
	return text
}

// written is a change of the list, and the pairs of old and new text that it makes in the file.
type written struct {
	change func(*TaskList)
	pairs  []string
}

func TestOnlyWhatAClaimChangesIsWritten(t *testing.T) {
	claimed := []string{
		`"status": "pending"`, `"status": "in_progress"`,
		`"started_at_commit": null`, `"started_at_commit": "c0ffee"`,
		"\"x_last\": \"\\u00fc\"\n", "\"x_last\": \"\\u00fc\",\n      \"claimed_by\": \"w1\",\n" +
			"      \"lease_expires_at\": \"2025-03-04T13:00:00Z\",\n      \"claimed_at\": \"2025-03-04T12:00:00Z\"\n",
	}
	claim := func(l *TaskList) {
		if _, err := l.Claim(Claiming{Worker: "w1", Base: "c0ffee", Now: noon, Lease: time.Hour}); err != nil {
			t.Fatal(err)
		}
	}
	checkWritten(t, map[string]written{
		"a number": {func(l *TaskList) { l.SessionCount = 2 }, []string{`"session_count": 1`, `"session_count": 2`}},
		"a time that could not be read": {
			func(l *TaskList) { l.LastSession = &noon },
			[]string{`"last_session": "yesterday"`, `"last_session": "2025-03-04T12:00:00Z"`},
		},
		"the configuration": {
			func(l *TaskList) { l.Config.MaxSessions, l.Config.ConcurrencyMode = 9, Concurrent },
			[]string{`"max_sessions": "many"`, "\"max_sessions\": 9,\n    \"concurrency_mode\": \"concurrent\""},
		},
		"a claim": {claim, claimed},
		"a claim that fails": {
			func(l *TaskList) {
				claim(l)
				_ = l.Fail("task-001", "w1", "TEST_FAIL", "a < b", false, noon)
			},
			[]string{
				`"status": "pending"`, `"status": "failed"`, `"started_at_commit": null`, `"started_at_commit": "c0ffee"`,
				`"attempts": "none yet"`, `"attempts": 1`, "          \"x_code\": 5\n        }\n", "          \"x_code\": 5\n        },\n        \"[TEST_FAIL] a < b\"\n",
				"\"x_last\": \"\\u00fc\"\n", "\"x_last\": \"\\u00fc\",\n      \"failed_at\": \"2025-03-04T12:00:00Z\"\n",
			},
		},
		"a step": {
			func(l *TaskList) {
				t := l.Find("task-001")
				t.Checkpoints = append(t.Checkpoints, Milestone{Step: 1, Total: 2, Description: "half", Timestamp: noon})
			},
			[]string{`"checkpoints": []`, `"checkpoints": [
        {
          "step": 1,
          "total": 2,
          "description": "half",
          "timestamp": "2025-03-04T12:00:00Z"
        }
      ]`},
		},
	})
}

func TestOnlyWhatChangedIsWritten(t *testing.T) {
	checkWritten(t, map[string]written{
		"inside the validation": {
			func(l *TaskList) {
				l.Find("task-001").Validation = ListedValidation{Command: "make check", TimeoutSeconds: 60}
			},
			[]string{`"make test"`, `"make check"`, `"timeout_seconds": 300`, `"timeout_seconds": 60`},
		},
		"a key that was not there": {
			func(l *TaskList) { l.Find("2").Title = "Two" },
			[]string{`"depends_on": "task-001"`, "\"depends_on\": \"task-001\",\n      \"title\": \"Two\""},
		},
		"an object that was not there": {
			func(l *TaskList) { l.Find("2").OnFailure.Cleanup = new(string) },
			[]string{`"depends_on": "task-001"`, "\"depends_on\": \"task-001\",\n      \"on_failure\": {\n        \"cleanup\": \"\"\n      }"},
		},
		"dependencies that could not be read": {
			func(l *TaskList) { l.Find("2").DependsOn = []string{"task-001"} },
			[]string{`"depends_on": "task-001"`, "\"depends_on\": [\n        \"task-001\"\n      ]"},
		},
		"dependencies that are gone": {
			func(l *TaskList) { l.Find("2").DependsOn = nil },
			[]string{`"depends_on": "task-001"`, "\"depends_on\": []"},
		},
		"a task that is gone": {
			func(l *TaskList) { l.Tasks = l.Tasks[:1] },
			[]string{",\n    {\n      \"id\": 2,\n      \"depends_on\": \"task-001\"\n    }", ""},
		},
		"another order": {
			func(l *TaskList) {
				l.Tasks[0], l.Tasks[1] = l.Tasks[1], l.Tasks[0]
				l.SessionCount = 2
			},
			[]string{`"session_count": 1`, `"session_count": 2`},
		},
	})
}

func checkWritten(t *testing.T, changes map[string]written) {
	t.Helper()
	for name, c := range changes {
		t.Run(name, func(t *testing.T) {
			s := storeWith(t, foreign)
			update(t, s, c.change)
			if got, want := text(t, s, FileName), replaced(t, c.pairs[0], c.pairs[1], c.pairs[2:]...); got != want {
				t.Errorf("got\n%s\nwant\n%s", got, want)
			}
			if text(t, s, BackupName) != foreign {
				t.Error("the backup is not what was there")
			}
			want := blankList()
			if l, err := parse([]byte(foreign)); err == nil {
				want = l.list
			}
			c.change(&want)
			is := list(t, s)
			is.NoTasks, want.NoTasks = nil, nil // what stands behind a task that is gone moves up
			if name != "another order" && !reflect.DeepEqual(is, listed(want)) {
				t.Errorf("read back %+v\nwant %+v", is, want)
			}
		})
	}
}

// listed is a list as it is read: an empty list is none.
func listed(l TaskList) TaskList {
	for i := range l.Tasks {
		if t := &l.Tasks[i]; len(t.DependsOn) == 0 {
			t.DependsOn = nil
		}
	}
	return l
}

func TestAClaimThatIsGivenBackTakesItsKeysOut(t *testing.T) {
	s := storeWith(t, foreign)
	update(t, s, func(l *TaskList) {
		_, _ = l.Claim(Claiming{Worker: "w1", Now: noon, Lease: time.Hour})
	})
	update(t, s, func(l *TaskList) { _ = l.GiveBack("task-001", "w1") })
	if got := text(t, s, FileName); got != foreign {
		t.Errorf("left behind:\n%s", got)
	}
}

func TestWhatChangesNothingWritesNothing(t *testing.T) {
	s := storeWith(t, foreign)
	before, _ := os.Stat(s.Path())
	refused := errors.New("no")
	for name, err := range map[string]error{
		"nothing": s.Update(t.Context(), func(*TaskList) error { return nil }),
		"there and back": s.Update(t.Context(), func(l *TaskList) error {
			l.Tasks[0].Status, l.Tasks[0].DependsOn = "pending", []string{}
			return nil
		}),
		"an error": s.Update(t.Context(), func(l *TaskList) error {
			l.SessionCount, l.Tasks[0].Status, l.Tasks[0].ErrorLog[0] = 9, "failed", "x"
			return refused
		}),
	} {
		if err != nil && !(name == "an error" && errors.Is(err, refused)) {
			t.Errorf("%s: %v", name, err)
		}
	}
	after, _ := os.Stat(s.Path())
	if !os.SameFile(before, after) || text(t, s, FileName) != foreign || len(names(t, s)) != 1 {
		t.Errorf("written: %q", names(t, s))
	}
}
