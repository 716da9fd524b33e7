package taskfile

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"autopilot/autopilot/machine"
	"autopilot/autopilot/plainfile"
	"autopilot/sessions/storage"

	"github.com/google/go-cmp/cmp"
)

// TestATaskIsReadLeniently: what other programs, agents and hands write into a task never makes the file unreadable.
func TestATaskIsReadLeniently(t *testing.T) {
	text := func(s string) *string { return &s }
	at := func(hour int) *time.Time { x := time.Date(2025, 7, 1, hour, 0, 0, 0, time.UTC); return &x }
	for task, want := range map[string]func(*ListedTask){
		`{}`:                                   func(*ListedTask) {},
		`{"id": "t1", "title": "Über \u00e9"}`: func(l *ListedTask) { l.ID, l.Title = "t1", "Über é" },
		`{"id": 7, "depends_on": [1, "2", null, {"a": 1}]}`: func(l *ListedTask) {
			l.ID, l.DependsOn = "7", []string{"1", "2", "null", `{"a": 1}`}
		},
		`{"id": null, "title": true}`:                               func(l *ListedTask) { l.Title = "true" },
		`{"ID": "t1", "Status": "failed"}`:                          func(*ListedTask) {},
		`{"status": null}`:                                          func(*ListedTask) {},
		`{"status": "in_progress"}`:                                 func(l *ListedTask) { l.Status = machine.TaskRunning },
		`{"status": "blocked"}`:                                     func(l *ListedTask) { l.Status = "blocked" },
		`{"id": "a", "id": "b"}`:                                    func(l *ListedTask) { l.ID = "b" },
		`{"id": "a", "id": null, "status": "failed", "status": ""}`: func(*ListedTask) {},
		`{"completed_at": "2025-07-01", "completed_at": null, "attempts": 3, "attempts": null}`: func(*ListedTask) {},
		`{"validation": {"command": "make"}, "title": "x", "validation": {"timeout_seconds": 60}}`: func(l *ListedTask) {
			l.Title, l.Validation.TimeoutSeconds = "x", 60
		},
		`{"on_failure": {"cleanup": "make clean", "cleanup": 7}, "max_attempts": 5, "max_attempts": {}}`: func(*ListedTask) {},

		`{"attempts": "2", "max_attempts": " 5 "}`:          func(l *ListedTask) { l.Attempts, l.MaxAttempts = 2, 5 },
		`{"attempts": "many", "max_attempts": "few"}`:       func(*ListedTask) {},
		`{"attempts": null, "max_attempts": null}`:          func(*ListedTask) {},
		`{"attempts": [1], "max_attempts": {}}`:             func(*ListedTask) {},
		`{"attempts": true, "max_attempts": ""}`:            func(*ListedTask) {},
		`{"attempts": 2.9, "max_attempts": 1e1}`:            func(l *ListedTask) { l.Attempts, l.MaxAttempts = 2, 10 },
		`{"attempts": -4, "max_attempts": 0}`:               func(l *ListedTask) { l.MaxAttempts = 0 },
		`{"attempts": "NaN", "max_attempts": "0x10"}`:       func(*ListedTask) {},
		`{"attempts": 1e400, "max_attempts": 999999999999}`: func(l *ListedTask) { l.Attempts, l.MaxAttempts = maxCount, maxCount },

		`{"depends_on": null}`: func(*ListedTask) {},
		`{"depends_on": []}`:   func(*ListedTask) {},
		`{"depends_on": "t1"}`: func(l *ListedTask) { l.DependsOn = []string{NoDependencyList} },
		`{"depends_on": {}}`:   func(l *ListedTask) { l.DependsOn = []string{NoDependencyList} },
		`{"priority": "P0"}`:   func(l *ListedTask) { l.Priority = "P0" },
		`{"priority": 0}`:      func(l *ListedTask) { l.Priority = "0" },

		`{"description": "Behind\na flag", "steps": ["a", 2], "changes_tests": ["a_test.go"]}`: func(l *ListedTask) {
			l.Description, l.Steps, l.ChangesTests = "Behind\na flag", []string{"a", "2"}, []string{"a_test.go"}
		},
		`{"description": null, "steps": "a", "changes_tests": null}`: func(*ListedTask) {},

		`{"validation": null, "on_failure": null}`: func(*ListedTask) {},
		`{"validation": "make", "on_failure": []}`: func(*ListedTask) {},
		`{"validation": {"command": "make", "timeout_seconds": "60", "env": {}}}`: func(l *ListedTask) {
			l.Validation = ListedValidation{Command: "make", TimeoutSeconds: 60}
		},
		`{"validation": {"command": null, "timeout_seconds": null}}`: func(*ListedTask) {},
		`{"on_failure": {"cleanup": "make clean"}}`:                  func(l *ListedTask) { l.OnFailure.Cleanup = text("make clean") },

		`{"error_log": ["a", 1, {"b": 2}]}`:       func(l *ListedTask) { l.ErrorLog = []string{"a", "1", `{"b": 2}`} },
		`{"error_log": "none", "checkpoints": 3}`: func(*ListedTask) {},
		`{"checkpoints": [{"step": 1, "total": "2", "description": "x", "timestamp": "2025-07-01T10:00:00Z"}, "half"]}`: func(l *ListedTask) {
			l.Checkpoints = []Milestone{{Step: 1, Total: 2, Description: "x", Timestamp: *at(10)}, {}}
		},

		`{"completed_at": "2025-07-01T10:00:00Z"}`:             func(l *ListedTask) { l.CompletedAt = at(10) },
		`{"completed_at": "2025-07-01T12:00:00+02:00"}`:        func(l *ListedTask) { l.CompletedAt = at(10) },
		`{"completed_at": "2025-07-01T10:00:00"}`:              func(l *ListedTask) { l.CompletedAt = at(10) },
		`{"completed_at": " 2025-07-01 10:00:00.000 "}`:        func(l *ListedTask) { l.CompletedAt = at(10) },
		`{"completed_at": "2025-07-01"}`:                       func(l *ListedTask) { l.CompletedAt = at(0) },
		`{"completed_at": "yesterday", "claimed_at": 1234567}`: func(*ListedTask) {},
		`{"lease_expires_at": "", "failed_at": null}`:          func(*ListedTask) {},
		`{"claimed_by": "w1", "started_at_commit": "abc", "commit": "def"}`: func(l *ListedTask) {
			l.ClaimedBy, l.StartedAtCommit, l.Commit = text("w1"), text("abc"), "def"
		},
		`{"claimed_by": "", "started_at_commit": null, "commit": null}`: func(*ListedTask) {},
	} {
		t.Run(task, func(t *testing.T) {
			l := list(t, storeWith(t, `{"tasks": [1, `+task+`, null]}`))
			expected := blankTask()
			want(&expected)
			if len(l.Tasks) != 1 || !reflect.DeepEqual(l.Tasks[0], expected) {
				t.Errorf("got  %+v\nwant %+v", l.Tasks, expected)
			}
		})
	}
}

// TestEveryKeyOfTheFormatIsRead: a key that is written and not read would be lost on those who read the list.
func TestEveryKeyOfTheFormatIsRead(t *testing.T) {
	var want TaskList
	fill(reflect.ValueOf(&want).Elem())
	want.NoTasks = nil
	d, err := parse(fresh(want))
	if diff := cmp.Diff(want, d.list); diff != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
}

// fill gives each field a value that is not the usual one.
func fill(v reflect.Value) {
	switch v.Kind() {
	case reflect.String:
		v.SetString("x")
	case reflect.Int:
		v.SetInt(7)
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem())
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		fill(v.Index(0))
	case reflect.Struct:
		if v.Type() == reflect.TypeFor[time.Time]() {
			v.Set(reflect.ValueOf(noon))
			return
		}
		for _, field := range v.Fields() {
			fill(field)
		}
	}
}

func TestTheListItselfIsReadLeniently(t *testing.T) {
	for text, want := range map[string]func(*TaskList){
		`{}`:                                   func(*TaskList) {},
		"\n {\"tasks\": null}\t":               func(*TaskList) {},
		`{"version": 2, "session_count": "3"}`: func(l *TaskList) { l.Version, l.SessionCount = 2, 3 },
		`{"session_config": null}`:             func(*TaskList) {},
		`{"session_config": [], "session_count": null}`:                        func(*TaskList) {},
		`{"session_config": {"concurrency_mode": "", "max_sessions": "lots"}}`: func(*TaskList) {},
		`{"session_config": {"concurrency_mode": "concurrent", "max_sessions": "7", "max_tasks_per_session": 0}}`: func(l *TaskList) {
			l.Config = ListConfig{ConcurrencyMode: Concurrent, MaxSessions: 7}
		},
		`{"created": "2025-03-04T12:00:00Z", "last_session": "2025-03-04T12:00:00.5"}`: func(l *TaskList) {
			later := noon.Add(time.Second / 2)
			l.Created, l.LastSession = &noon, &later
		},
	} {
		expected := blankList()
		want(&expected)
		if l := list(t, storeWith(t, text)); !reflect.DeepEqual(l, expected) {
			t.Errorf("%s\ngot  %+v\nwant %+v", text, l, expected)
		}
	}
}

// noLists are texts that no list can be read from.
var noLists = map[string]string{
	"empty": "", "space": " \n", "a byte order mark alone": "\ufeff", "two of them": "\ufeff\ufeff{}", "cut off": `{"version": 2, "tasks": [{"id": "t`, "no JSON": "tasks: []", "an array": "[]",
	"a text": `"tasks"`, "null": "null", "tasks that are an object": `{"tasks": {}}`, "tasks that are a text": `{"tasks": "none"}`,
	"tasks that are a number": `{"tasks": 3}`, "a comma too many": `{"tasks": [1,]}`, "another": `{"a": 1,}`, "no comma": `{"a": 1 "b": 2}`,
	"two documents": `{} {}`, "a comment": "{} // done", "a key without quotes": `{tasks: []}`, "no colon": `{"a" 1}`, "no value": `{"a": }`,
	"a bad number": `{"a": 01}`, "another number": `{"a": 1.}`, "a third": `{"a": -}`, "a fourth": `{"a": 1e}`, "a word": `{"a": nul}`,
	"a bad escape": `{"a": "\x"}`, "a bad code": `{"a": "\u12g4"}`, "a line break in a text": "{\"a\": \"b\nc\"}",
	"an escape at the end": `{"a": "\`, "tasks that are cut off": `{"tasks": nul`, "tasks of another kind, cut off": `{"tasks": "`,
	"conflict marks": "<<<<<<< HEAD\n{}\n", "too deep": `{"a": ` + strings.Repeat("[", 100_000),
}

func TestWhatIsNoListIsCorrupt(t *testing.T) {
	for name, text := range noLists {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := storeWith(t, text)
			_, err := s.Read()
			var corrupt *CorruptError
			if !errors.As(err, &corrupt) || !strings.HasPrefix(err.Error(), "harness-tasks.json corrupted and unrecoverable") {
				t.Fatalf("error %v", err)
			}
			if !errors.Is(err, corrupt.Why) || errors.Is(err, fs.ErrNotExist) {
				t.Errorf("taken for another error: %v", err)
			}
			if corrupt.Path != s.Path() || !strings.Contains(err.Error(), "tasks init") {
				t.Errorf("no way out in %q", err)
			}
			called := false
			err = s.Update(t.Context(), func(*TaskList) error { called = true; return nil })
			if !errors.As(err, &corrupt) || called {
				t.Errorf("Update: %v, called %t", err, called)
			}
			if got := names(t, s); len(got) != 1 {
				t.Errorf("the folder holds %q", got)
			}
		})
	}
}

func TestDamagedFileIsReadFromItsBackup(t *testing.T) {
	for name, text := range noLists {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := storeWith(t, text)
			write(t, s, BackupName, `{"tasks": [{"id": "t1"}]}`)
			if l := list(t, s); len(l.Tasks) != 1 || !strings.Contains(s.Repaired(), BackupName) {
				t.Errorf("%+v, %q", l, s.Repaired())
			}
			if got := names(t, s); len(got) != 2 {
				t.Errorf("reading wrote: %q", got)
			}
		})
	}
}

func TestDamagedFileIsRestoredByAnUpdate(t *testing.T) {
	for name, change := range map[string]func(*TaskList){
		"that changes something": func(l *TaskList) { l.SessionCount = 5 },
		"that changes nothing":   func(*TaskList) {},
	} {
		t.Run(name, func(t *testing.T) {
			s := storeWith(t, "<<<<<<< HEAD")
			good := "{\n  \"session_count\": 4,\n  \"mine\": [1,  2],\n  \"tasks\": []\n}\n"
			write(t, s, BackupName, good)
			update(t, s, change)
			aside := "harness-tasks.json.corrupt-20250304T120000Z"
			if got := text(t, s, aside); got != "<<<<<<< HEAD" || !strings.Contains(s.Repaired(), aside) {
				t.Errorf("kept %q, said %q", got, s.Repaired())
			}
			if text(t, s, BackupName) != good || !strings.Contains(text(t, s, FileName), `"mine": [1,  2]`) {
				t.Errorf("restored %s, backup %s", text(t, s, FileName), text(t, s, BackupName))
			}
			want := blankList()
			change(&want)
			if got := list(t, s).SessionCount; got != max(4, want.SessionCount) || s.Repaired() != "" {
				t.Errorf("%d sessions, and still %q", got, s.Repaired())
			}
			write(t, s, FileName, "again")
			update(t, s, change)
			if got := text(t, s, aside+"-2"); got != "again" {
				t.Errorf("the second is kept as %q", got)
			}
		})
	}
}

func TestAnErrorOfTheChangeLeavesADamagedFileAlone(t *testing.T) {
	s := storeWith(t, "damaged")
	write(t, s, BackupName, "{}")
	refused := errors.New("no")
	if err := s.Update(t.Context(), func(*TaskList) error { return refused }); !errors.Is(err, refused) {
		t.Errorf("error %v", err)
	}
	if got := names(t, s); text(t, s, FileName) != "damaged" || len(got) != 2 {
		t.Errorf("the folder holds %q", got)
	}
}

func TestAFileThatIsBeingWrittenIsReadAgain(t *testing.T) {
	s := storeWith(t, `{"tasks": [`)
	s.Disk = &healing{path: s.Path()}
	if l := list(t, s); l.SessionCount != 9 || s.Repaired() != "" {
		t.Errorf("%+v, %q", l, s.Repaired())
	}
}

// healing is a disk on which a file is whole from the second look on.
type healing struct {
	storage.OSDisk
	path  string
	looks int
}

func (h *healing) ReadFile(name string) ([]byte, error) {
	if h.looks++; h.looks > 1 && name == h.path {
		return []byte(`{"session_count": 9}`), nil
	}
	return h.OSDisk.ReadFile(name)
}

func TestWithoutATaskFileTheErrorSaysWhatToDo(t *testing.T) {
	s := storeIn(t, t.TempDir())
	for what, err := range map[string]error{
		"Read":   readError(s),
		"Update": s.Update(t.Context(), func(*TaskList) error { return nil }),
	} {
		if !errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), "autopilot tasks init") {
			t.Errorf("%s: %v", what, err)
		}
	}
	write(t, s, BackupName, "{}")
	if err := readError(s); !errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), "mv "+BackupName) {
		t.Errorf("a file that was taken away is not put back: %v", err)
	}
	if err := s.Create(TaskList{}); !errors.Is(err, fs.ErrExist) || !strings.Contains(err.Error(), "mv "+BackupName) {
		t.Errorf("a new list in place of one that is only gone: %v", err)
	}
	if err := (&Store{Root: filepath.Join(s.Root, "nowhere")}).Update(t.Context(), nil); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("without a folder: %v", err)
	}
}

func readError(s *Store) error {
	_, err := s.Read()
	return err
}

func TestALinkAsTheFileIsRefused(t *testing.T) {
	s := storeWith(t, "{}")
	for _, name := range []string{FileName, ProgressName, ActiveName} {
		_ = os.Remove(filepath.Join(s.Root, name))
		if err := os.Symlink(filepath.Join(t.TempDir(), "elsewhere"), filepath.Join(s.Root, name)); err != nil {
			t.Skip(err)
		}
	}
	write2 := func(l *TaskList) error { l.SessionCount++; return nil }
	for what, err := range map[string]error{
		"Read": readError(s), "Update": s.Update(t.Context(), write2), "Log": s.Log(ProgressLine{Type: "INIT"}), "Activate": s.Activate(),
	} {
		if _, ok := errors.AsType[*plainfile.LinkError](err); !ok {
			t.Errorf("%s: %v", what, err)
		}
	}
	if s.Tail(100) != "" || s.Active() {
		t.Error("a link was followed")
	}
}

func TestABackupThatIsALinkIsNoBackup(t *testing.T) {
	s := storeWith(t, "damaged")
	elsewhere := filepath.Join(t.TempDir(), "x")
	if err := errors.Join(os.WriteFile(elsewhere, []byte("{}"), 0o644), os.Symlink(elsewhere, filepath.Join(s.Root, BackupName))); err != nil {
		t.Skip(err)
	}
	var corrupt *CorruptError
	if err := readError(s); !errors.As(err, &corrupt) {
		t.Errorf("error %v", err)
	}
}
