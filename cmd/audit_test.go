package cmd_test

import (
	"bytes"
	"fmt"
	"hash/crc32"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// finished is a place with the session of testdata/audit/story.txtar, driven to its end.
func finished(t *testing.T) *place {
	t.Helper()
	p := newStoryPlace(t, "audit", "story.txtar")
	p.drive(t, p.inProcess(nil))
	return p
}

// finding is one that nobody had.
const finding = `"findings": [{"severity": "critical", "title": "It does not greet"}]`

// TestOutputForPeopleIsACopy: what somebody does to the output that a phase shows leaves the evidence as it is.
func TestOutputForPeopleIsACopy(t *testing.T) {
	t.Parallel()
	p := finished(t)
	for _, name := range []string{"baseline.log", "phase-1-verify.log", "attempts/1/task-001/1/validation.log"} {
		f := &falsifier{T: t, place: p}
		file, err := os.OpenFile(f.path(name), os.O_APPEND|os.O_WRONLY, 0)
		if err != nil {
			t.Fatal(err)
		}
		if _, err = file.WriteString("more\n"); err != nil || file.Close() != nil {
			t.Fatal(err)
		}
	}
	if code, said := p.inProcess(nil)("audit", "docs/spec.md"); code != 0 {
		t.Errorf("exit code %d:\n%s", code, said)
	}
}

func TestAuditFindsEachFalsification(t *testing.T) {
	t.Parallel()
	p := finished(t)
	honest := filepath.Join(p.dir, "honest")
	copyTree(t, p.repo, honest)
	if code, said := p.inProcess(nil)("audit", "docs/spec.md"); code != 0 || !strings.Contains(said, "Everything holds.") {
		t.Fatalf("the honest session: exit code %d:\n%s", code, said)
	}
	for name, c := range map[string]struct {
		falsify func(*falsifier)
		code    int
		says    string
	}{
		"an output with other bytes":          {func(f *falsifier) { f.edit("evidence/002-task-001.log", "hello", "jello") }, 1, `evidence/002-task-001.log .*SHA-256`},
		"an output that was cut":              {func(f *falsifier) { f.edit("evidence/002-task-001.log", "hello\n", "") }, 1, `evidence/002-task-001.log .*bytes, and the record says`},
		"an output that is gone":              {func(f *falsifier) { f.remove("evidence/002-task-001.log") }, 1, `the file is missing`},
		"an entry left out":                   {func(f *falsifier) { f.drop(`"type":"validated"`, false) }, 7, `revision \d+ follows revision`},
		"an entry left out and sealed anew":   {func(f *falsifier) { f.drop(`"type":"validated"`, true) }, 7, `cannot have happened there`},
		"a harmless entry left out, sealed":   {func(f *falsifier) { f.drop(`"type":"used"`, true) }, 7, `cannot have happened there`},
		"the end of the journal left out":     {func(f *falsifier) { f.journal(func(lines []string) []string { return lines[:len(lines)-2] }) }, 1, `it ends at revision`},
		"an entry that was changed":           {func(f *falsifier) { f.entry(`"type":"validated"`, `"exitCode":0`, `"exitCode":1`, false) }, 7, `checksum does not match`},
		"another exit code, sealed":           {func(f *falsifier) { f.entry(`"type":"validated"`, `"exitCode":0`, `"exitCode":3`, true) }, 1, `exit code other than 0`},
		"another exit code in VERIFY, sealed": {func(f *falsifier) { f.entry(`"type":"checked"`, `"exitCode":0`, `"exitCode":3`, true) }, 1, `no line "\[passed, exit code 3\]"`},
		"a record without its check, sealed":  {func(f *falsifier) { f.entry(`"type":"validated"`, `"checks":`, `"nothing":`, true) }, 1, `no record of its validation|not what the journal leads to`},
		"another commit in the journal":       {func(f *falsifier) { f.otherCommit() }, 1, `git has no such commit`},
		"the state says another thing":        {func(f *falsifier) { f.edit("autopilot-state.json", `"runs": 1`, `"runs": 7`) }, 1, `changed by another hand`},
		"the state is sealed anew":            {func(f *falsifier) { f.state(`"runs": 1`, `"runs": 7`) }, 1, `not what the journal leads to .*runs`},
		"a mark taken out of the state":       {func(f *falsifier) { f.state(`"verification": true,`, ``) }, 1, `not what the journal leads to .*phases.0.verification`},
		"a task completed in the task file":   {func(f *falsifier) { f.edit("phase-1-tasks.json", `"task-001"`, `"task-009"`) }, 1, `task-009 is completed there`},
		"a task completed in the state":       {func(f *falsifier) { f.state(`"tasks": []`, `"tasks": [{"id":"task-009","status":"completed"}]`) }, 1, `not what the journal leads to .*tasks`},
		"another reply":                       {func(f *falsifier) { f.edit("attempts/1/reviewer/1/reply.json", "Sound", "Great") }, 1, `not the reply that the journal has`},
		"a dispatch without its folder":       {func(f *falsifier) { f.remove("attempts/1/task-001/1") }, 1, `the folder is missing`},
		"another record beside the journal":   {func(f *falsifier) { f.edit("attempts/1/task-001/1/evidence.json", `"exitCode": 0`, `"exitCode": 1`) }, 1, `evidence.json: it is not what the journal has`},
		"a verification with another key":     {func(f *falsifier) { f.edit("phase-1-verify.json", `"key": "`, `"key": "x`) }, 1, `phase-1-verify.json: it is not what the journal has .*: key`},
		"a verification of another command":   {func(f *falsifier) { f.edit("phase-1-verify.json", `grep hello`, `grep jello`) }, 1, `phase-1-verify.json: .*checks.1.command`},
		"a verification that found something": {func(f *falsifier) { f.edit("phase-1-verify.json", `"findings": null`, finding) }, 1, `phase-1-verify.json: .*: findings`},
		"a review that found something":       {func(f *falsifier) { f.edit("phase-1-review.json", `"findings": null`, finding) }, 1, `phase-1-review.json: .*: findings`},
		"a review that was overridden":        {func(f *falsifier) { f.edit("phase-1-review.json", `"overridden": false`, `"overridden": true`) }, 1, `phase-1-review.json: .*: overridden`},
		"another final review":                {func(f *falsifier) { f.edit("final-review.json", `"passed"`, `"overridden"`) }, 1, `final-review.json: .*: status`},
		"a review that is gone":               {func(f *falsifier) { f.remove("phase-1-review.json") }, 1, `phase-1-review.json: it is not there`},
		"an end with more tasks":              {func(f *falsifier) { f.edit("final.json", `"tasksCompleted": 1`, `"tasksCompleted": 2`) }, 1, `final.json: .*: history.0.tasksCompleted`},
		"an end that was not verified":        {func(f *falsifier) { f.edit("final.json", `"verificationPassed": true`, `"verificationPassed": null`) }, 1, `final.json: .*: history.0.verificationPassed`},
		"an end with a key of its own":        {func(f *falsifier) { f.edit("final.json", `{`, `{"approved": true,`) }, 1, `final.json: .*: approved`},
		"a task that failed in the task file": {func(f *falsifier) { f.edit("phase-1-tasks.json", `"completed"`, `"failed"`) }, 1, `phase-1-tasks.json: .*: tasks.0.status`},
		"other decisions for other tools":     {func(f *falsifier) { f.edit("state.json", `"decision": "`, `"decision": "no `) }, 1, `state.json: .*: decisions.0.decision`},
		"a record that names another key":     {func(f *falsifier) { f.edit("attempts/1/task-001/1/evidence.json", `"key": "`, `"key": "x`) }, 1, `evidence.json: the journal has no record with its key`},
		"findings in the record of a task":    {func(f *falsifier) { f.edit("attempts/1/task-001/1/evidence.json", `"findings": null`, finding) }, 1, `evidence.json: .*: findings`},
		"a commit with another message":       {func(f *falsifier) { f.git("commit", "-q", "--amend", "-m", "Other words") }, 1, `not on branch autopilot/spec`},
		"a commit of its own name":            {func(f *falsifier) { f.git("commit", "-q", "--allow-empty", "-m", "Mine\n\n"+f.trailers()) }, 1, `the journal did not make it`},
		"a commit taken away":                 {func(f *falsifier) { f.git("reset", "-q", "--hard", "HEAD~1") }, 1, `not on branch`},
		"a squash":                            {func(f *falsifier) { f.squash() }, 1, `not on branch`},
		"a commit taken away and forgotten":   {func(f *falsifier) { f.forget() }, 1, `git has no such commit`},
	} {
		t.Run(name, func(t *testing.T) {
			if err := os.RemoveAll(p.repo); err != nil {
				t.Fatal(err)
			}
			copyTree(t, honest, p.repo)
			c.falsify(&falsifier{T: t, place: p})
			code, said := p.inProcess(nil)("audit", "docs/spec.md")
			if code != c.code || !regexp.MustCompile(c.says).MatchString(said) {
				t.Errorf("exit code %d, want %d and %q:\n%s", code, c.code, c.says, said)
			}
		})
	}
}

// falsifier changes what a session left.
type falsifier struct {
	*testing.T
	place *place
}

func (f *falsifier) path(name string) string {
	return filepath.Join(f.place.session(), filepath.FromSlash(name))
}

func (f *falsifier) git(args ...string) string { return f.place.git(f.T, args...) }

func (f *falsifier) read(name string) string {
	f.Helper()
	data, err := os.ReadFile(f.path(name))
	if err != nil {
		f.Fatal(err)
	}
	return string(data)
}

// edit changes a file of the session.
func (f *falsifier) edit(name, old, now string) {
	f.Helper()
	text := f.read(name)
	if !strings.Contains(text, old) {
		f.Fatalf("%s has no %q:\n%s", name, old, text)
	}
	f.place.put(f.T, f.path(name), []byte(strings.Replace(text, old, now, 1)))
}

func (f *falsifier) remove(name string) {
	if err := os.RemoveAll(f.path(name)); err != nil {
		f.Fatal(err)
	}
}

// journal changes the lines of the journal.
func (f *falsifier) journal(change func([]string) []string) {
	lines := strings.SplitAfter(strings.TrimSuffix(f.read("events.jsonl"), "\n"), "\n")
	lines[len(lines)-1] += "\n"
	f.place.put(f.T, f.path("events.jsonl"), []byte(strings.Join(change(lines), "")))
}

func (f *falsifier) find(lines []string, part string) int {
	f.Helper()
	i := slices.IndexFunc(lines, func(line string) bool { return strings.Contains(line, part) })
	if i < 0 {
		f.Fatalf("the journal has no %s", part)
	}
	return i
}

// drop leaves an entry out, and numbers and seals those behind it anew.
func (f *falsifier) drop(part string, sealed bool) {
	f.Helper()
	f.journal(func(lines []string) []string {
		i := f.find(lines, part)
		lines = slices.Delete(lines, i, i+1)
		for n := i; sealed && n < len(lines); n++ {
			lines[n] = seal(regexp.MustCompile(`^\{"rev":\d+`).ReplaceAllString(lines[n], fmt.Sprintf(`{"rev":%d`, n+1)))
		}
		return lines
	})
}

// entry changes an entry.
func (f *falsifier) entry(part, old, now string, sealed bool) {
	f.Helper()
	f.journal(func(lines []string) []string {
		i := f.find(lines, part)
		if !strings.Contains(lines[i], old) {
			f.Fatalf("the entry has no %s: %s", old, lines[i])
		}
		if lines[i] = strings.Replace(lines[i], old, now, 1); sealed {
			lines[i] = seal(lines[i])
		}
		return lines
	})
}

func (f *falsifier) otherCommit() {
	made := regexp.MustCompile(`"commit":"[0-9a-f]{40}"`)
	f.journal(func(lines []string) []string {
		i := f.find(lines, `"type":"effect_done"`)
		lines[i] = seal(made.ReplaceAllString(lines[i], `"commit":"`+strings.Repeat("5", 40)+`"`))
		return lines
	})
}

// seal gives a journal's line the checksum of what it holds.
func seal(line string) string {
	body := line[:strings.LastIndex(line, `,"crc":"`)]
	return body + fmt.Sprintf(`,"crc":"%08x"}`, crc32.Checksum([]byte(body), crc32.MakeTable(crc32.Castagnoli))) + "\n"
}

// state changes the snapshot, with its checksum.
func (f *falsifier) state(old, now string) {
	f.Helper()
	f.edit("autopilot-state.json", old, now)
	blank := regexp.MustCompile(`"stateCrc": "[0-9a-f]*"`).ReplaceAll([]byte(f.read("autopilot-state.json")), []byte(`"stateCrc": ""`))
	sum := crc32.Checksum(blank, crc32.MakeTable(crc32.Castagnoli))
	f.place.put(f.T, f.path("autopilot-state.json"), bytes.Replace(blank, []byte(`"stateCrc": ""`), fmt.Appendf(nil, `"stateCrc": "%08x"`, sum), 1))
}

// trailers are those of the last commit.
func (f *falsifier) trailers() string { return f.git("log", "-1", "--format=%(trailers)") }

// squash makes one commit of all that the session made.
func (f *falsifier) squash() {
	f.git("reset", "-q", "--soft", "main")
	f.git("commit", "-q", "-m", "All of it")
}

// forget takes the last commit away, from git's memory too.
func (f *falsifier) forget() {
	f.git("reset", "-q", "--hard", "HEAD~1")
	for _, name := range strings.Fields(f.git("for-each-ref", "--format=%(refname)", "refs/autopilot")) {
		f.git("update-ref", "-d", name)
	}
	f.git("reflog", "expire", "--expire=all", "--all")
	f.git("update-ref", "-d", "ORIG_HEAD")
	f.git("gc", "-q", "--prune=now")
}

func TestAuditRunsTheRecordedCommandsAgain(t *testing.T) {
	t.Parallel()
	p := finished(t)
	run := p.inProcess(nil)
	if code, said := run("audit", "--rerun"); code != 0 || !strings.Contains(said, "commands run again on") {
		t.Fatalf("exit code %d:\n%s", code, said)
	}
	// A command that looks beside the repository shows something else later.
	p.put(t, filepath.Join(p.dir, "changed"), nil)
	code, said := run("audit", "docs/spec.md", "--rerun")
	if code != 1 || !strings.Contains(said, "it ended as failed, exit code 1; recorded is passed, exit code 0") {
		t.Errorf("exit code %d:\n%s", code, said)
	}
	if trees := p.git(t, "worktree", "list"); strings.Contains(trees, "\n") {
		t.Errorf("a working tree was left behind:\n%s", trees)
	}
}
