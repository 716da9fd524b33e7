package audit

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"autopilot/autopilot/machine"
	"autopilot/sessions"
)

const auditedOutput = "$ make test\nhello\n[passed, exit code 0]\n"

// audited is the folder of a session with one record, one dispatch, and one completed task.
func audited(t *testing.T) (string, sessions.Options) {
	t.Helper()
	dir := filepath.Join(t.TempDir(), ".harness", "sessions", "csv")
	opts := sessions.Options{Now: clock(), Apply: lenientCore}
	start := machine.Event{Type: machine.Created, Initial: &machine.State{
		SessionID: "s1", SessionSlug: "csv", SpecPath: "docs/csv.md", Step: machine.StepPick,
		Phases:       []machine.Phase{{Number: "1", Name: "Parse"}, {Number: "2a", Name: "Write"}},
		CurrentState: machine.Execute, CurrentTask: "task-001",
		Tasks: []machine.Task{{ID: "task-001", Title: "Greet", Status: machine.TaskRunning}},
	}}
	s, err := sessions.Create(dir, start, opts)
	if err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256([]byte(auditedOutput))
	evidence := &machine.Evidence{Output: "evidence/001.log", OutputBytes: int64(len(auditedOutput)), OutputSHA256: hex.EncodeToString(sum[:])}
	checks := []machine.Check{{Command: "make test", Outcome: machine.CheckPassed}}
	findings := []machine.Finding{{Severity: machine.Important, Title: "It is long"}}
	reply := &machine.Reply{Status: "done", Summary: "Sound."}
	apply(t, s,
		machine.Event{Type: machine.Dispatched, Dispatch: &machine.Dispatch{ID: "d", Persona: "executor", Task: "task-001", Attempt: 1}},
		machine.Event{Type: machine.DispatchEnded, Ended: &machine.Ended{ID: "d", Outcome: machine.OutcomeReply, Reply: reply}},
		machine.Event{Type: machine.Validated, Task: "task-001", Checks: checks, Findings: findings, Evidence: evidence},
		machine.Event{Type: machine.EffectDone})
	attempt, err := s.Folders().AttemptDir(1, "task-001", 1)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Join(dir, "evidence"), 0o755); err != nil {
		t.Fatal(err)
	}
	write(t, auditedOutput, dir, "evidence", "001.log")
	write(t, `{"status":"done","summary":"Sound."}`, attempt, "reply.json")
	write(t, `{"key":"s1/4","task":"task-001","checks":[{"command":"make test","outcome":"passed","exitCode":0}],"findings":[{"severity":"important","title":"It is long"}],"evidence":`+encoded(t, evidence)+`}`, attempt, "evidence.json")
	if err := s.Project(s.State()); err != nil {
		t.Fatal(err)
	}
	closed(t, s)
	return dir, opts
}

func encoded(t *testing.T, v any) string {
	t.Helper()
	data, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func TestAuditOfAnHonestSessionHasNoProblem(t *testing.T) {
	dir, opts := audited(t)
	a, err := Session(dir, opts)
	if err != nil || len(a.Problems) > 0 {
		t.Fatalf("problems %v, error %v", a.Problems, err)
	}
	if a.Events != 5 || a.Outputs != 1 || a.Replies != 1 || len(a.Claims) != 1 || a.Claims[0].Standing != Proven || len(a.Said) > 0 {
		t.Errorf("%d events, %d outputs, %d replies, claims %v, said %q", a.Events, a.Outputs, a.Replies, a.Claims, a.Said)
	}
}

func TestAListThatLongDidNotChangeHasAnOlderTime(t *testing.T) {
	dir, opts := audited(t)
	s, err := sessions.Open(dir, opts)
	if err != nil {
		t.Fatal(err)
	}
	for range maxLag + 2 {
		apply(t, s, machine.Event{Type: machine.EffectDone})
		if err := s.Project(s.State()); err != nil {
			t.Fatal(err)
		}
	}
	closed(t, s)
	if a, err := Session(dir, opts); err != nil || len(a.Problems) > 0 {
		t.Errorf("problems %v, error %v", a.Problems, err)
	}
}

func TestAuditNamesWhatDoesNotHold(t *testing.T) {
	const reply, record, output = "attempts/1/task-001/1/reply.json", "attempts/1/task-001/1/evidence.json", "evidence/001.log"
	for name, c := range map[string]struct {
		file, text string // "": it is removed
		part, want string
	}{
		"an output of another size":     {output, "short", PartOutputs, "bytes, and the record says"},
		"an output with other bytes":    {output, strings.ToUpper(auditedOutput), PartOutputs, "SHA-256"},
		"an output that is gone":        {output, "", PartOutputs, "missing"},
		"another reply":                 {reply, `{"status":"done","summary":"Great."}`, PartAttempts, "not the reply"},
		"a reply that is no JSON":       {reply, "done", PartAttempts, "cannot be read"},
		"a reply that is gone":          {reply, "", PartAttempts, "reply.json is missing"},
		"an attempt that is gone":       {"attempts/1/task-001", "", PartAttempts, "the folder is missing"},
		"another record":                {record, `{"key":"s1/4","checks":[]}`, PartRecords, "not what the journal has at revision 4"},
		"a record without its findings": {record, `{"key":"s1/4","task":"task-001","checks":[{"command":"make test","outcome":"passed","exitCode":0}],"findings":null}`, PartRecords, "evidence, findings"},
		"a record with another key":     {record, `{"key":"s1/9"}`, PartRecords, "no record with its key"},
		"a record without a key":        {record, `{"checks":[]}`, PartRecords, "no record with its key"},
		"a verification of nobody":      {"phase-1-verify.json", `{"key":"x/33"}`, PartRecords, "no record with its key x/33"},
		"a task that failed":            {"phase-1-tasks.json", `{"tasks":[{"id":"task-001","status":"failed"}]}`, PartRecords, "not what the journal has"},
		"a state for others":            {"state.json", `{"schemaVersion":1}`, PartRecords, "not what the journal has"},
		"a record that is no JSON":      {record, "passed", PartRecords, "cannot be read"},
		"a task file with another task": {"phase-1-tasks.json", `{"tasks":[{"id":"task-002","status":"completed"}]}`, PartRecords, "task-002 is completed there"},
		"a task file that is no JSON":   {"phase-1-tasks.json", "[", PartRecords, "cannot be read"},
		"a state that was edited":       {sessions.SnapshotName, `{"schemaVersion": 7, "stateCrc": "00000000"}`, PartState, "changed by another hand"},
		"a state that is no JSON":       {sessions.SnapshotName, "{", PartState, "damaged"},
		"a state that is gone":          {sessions.SnapshotName, "", PartState, "not there"},
	} {
		t.Run(name, func(t *testing.T) {
			dir, opts := audited(t)
			path := filepath.Join(dir, filepath.FromSlash(c.file))
			if c.text == "" {
				if err := os.RemoveAll(path); err != nil {
					t.Fatal(err)
				}
			} else {
				write(t, c.text, path)
			}
			a, err := Session(dir, opts)
			if err != nil {
				t.Fatal(err)
			}
			if len(a.Problems) != 1 || len(a.Problems[c.part]) != 1 || !strings.Contains(a.Problems[c.part][0].What, c.want) {
				t.Errorf("problems %v, want one of %s with %q", a.Problems, c.part, c.want)
			}
		})
	}
}

func TestAuditTakesWorkThatWasSetAsideForWhatItIs(t *testing.T) {
	dir, opts := audited(t)
	if err := os.Rename(filepath.Join(dir, "attempts", "1"), filepath.Join(dir, "attempts", "1.earlier")); err != nil {
		t.Fatal(err)
	}
	if a, err := Session(dir, opts); err != nil || len(a.Problems) > 0 || a.Replies != 1 {
		t.Errorf("problems %v, %d replies, error %v", a.Problems, a.Replies, err)
	}
}

func TestStateOfAnotherVersionLacksKeysWithoutBlame(t *testing.T) {
	for key, blamed := range map[string]bool{"evidences": false, "unverified": true} {
		was, now := machine.State{}, machine.State{Evidences: 3}
		if key == "unverified" {
			was.Phases, now = []machine.Phase{{}}, machine.State{Phases: []machine.Phase{{Unverified: true}}}
		}
		a := Report{Problems: map[string][]Problem{}}
		a.compareState(sessions.Copy{Name: sessions.SnapshotName, State: was, Replay: &now})
		if got := len(a.Problems[PartState]) == 1; got != blamed || len(a.Said) == 1 == blamed {
			t.Errorf("%s: problems %v, said %q", key, a.Problems, a.Said)
		}
	}
}

func TestJournalThatEndsBeforeTheStateIsAProblem(t *testing.T) {
	dir, opts := audited(t)
	lines := strings.SplitAfter(read(t, dir, sessions.JournalName), "\n")
	write(t, strings.Join(lines[:3], ""), dir, sessions.JournalName)
	a, err := Session(dir, opts)
	if err != nil || !strings.Contains(encoded(t, a.Problems[PartState]), "it ends at revision 3") {
		t.Errorf("problems %v, error %v", a.Problems, err)
	}
}

func TestAuditSaysWhatACrashLeft(t *testing.T) {
	dir, opts := audited(t)
	write(t, read(t, dir, sessions.JournalName)+`{"rev":6,"ty`, dir, sessions.JournalName)
	a, err := Session(dir, opts)
	if err != nil || len(a.Problems) > 0 || len(a.Said) != 1 || !strings.Contains(a.Said[0], "cut off") {
		t.Errorf("problems %v, said %q, error %v", a.Problems, a.Said, err)
	}
}

func TestAuditNeedsAJournal(t *testing.T) {
	dir, opts := audited(t)
	remove(t, dir, sessions.JournalName)
	if _, err := Session(dir, opts); !errors.Is(err, sessions.ErrNoJournal) {
		t.Errorf("error %v, want sessions.ErrNoJournal", err)
	}
	if _, err := Session(filepath.Join(dir, "none"), opts); !errors.Is(err, sessions.ErrNoSession) {
		t.Errorf("error %v, want sessions.ErrNoSession", err)
	}
	dir, opts = audited(t)
	lines := strings.SplitAfter(read(t, dir, sessions.JournalName), "\n")
	write(t, lines[0]+lines[2], dir, sessions.JournalName)
	var unreadable *sessions.UnreadableError
	if _, err := Session(dir, opts); !errors.As(err, &unreadable) {
		t.Errorf("error %v, want an sessions.UnreadableError", err)
	}
}
