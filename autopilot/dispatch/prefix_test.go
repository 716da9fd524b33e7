package dispatch

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"autopilot/autopilot/git"
	"autopilot/autopilot/machine"
	"autopilot/personas"
)

// desk is a repository in which a session of one phase with three tasks is at work.
type desk struct {
	*testing.T
	Briefs
	dir   string
	state machine.State
	plan  string
}

func newDesk(t *testing.T) *desk {
	t.Helper()
	d := &desk{T: t, dir: t.TempDir()}
	for n := range 30 {
		d.write(fmt.Sprintf("store/part%02d.go", n), fmt.Sprintf("package store\n\n// Part%02d is a part of the store, one of many.\ntype Part%02d struct{ ID int }\n", n, n))
	}
	d.plan = "# Plan: Store\n\n**Spec:** docs/spec.md\n\n## Goal\n\nEach part of the store can be read, written and listed by its name.\n\n## Tasks\n\n"
	for n := 1; n <= 3; n++ {
		d.plan += fmt.Sprintf("### Task %d: Make part %d\n%s\n", n, n, taskText(n))
	}
	d.write("docs/plans/store.md", d.plan)
	d.write("docs/spec.md", "# Store\n")
	d.write(".harness/sessions/spec/spec.md", "# Store\n")
	d.git("init", "-q", "-b", "main")
	d.git("add", "store", "docs")
	d.commit("Begin")
	repo, err := git.Find(t.Context(), d.dir)
	if err != nil {
		t.Fatal(err)
	}
	d.Briefs = Briefs{Repo: repo, Dir: filepath.Join(d.dir, ".harness", "sessions", "spec")}
	start := d.head()
	d.state = machine.State{
		RigorLevel: machine.Standard, SpecPath: "docs/spec.md", CurrentState: machine.Execute, StartingCommit: start,
		Spec:   machine.SpecRef{Title: "Store", Criteria: []string{"What is written to the store can be read again after a restart."}},
		Phases: []machine.Phase{{Number: "1", Name: "Parts", Complexity: "low", PlanPath: "docs/plans/store.md", StartCommit: start, Status: machine.PhaseInProgress}},
	}
	for n := 1; n <= 3; n++ {
		d.state.Tasks = append(d.state.Tasks, machine.Task{
			ID: fmt.Sprintf("task-%03d", n), Number: fmt.Sprint(n), Title: fmt.Sprintf("Make part %d", n), Kind: machine.KindPlan,
			Files: []string{fmt.Sprintf("store/part%02d.go", n)}, Validation: "go test ./store/",
		})
	}
	return d
}

func taskText(n int) string {
	return fmt.Sprintf("**Depends on:** none | **Files:** store/part%02d.go | **Validation:** `go test ./store/`\n\n"+
		"1. A test that writes part %d, opens the store anew, and reads it.\n2. `func (p Part%02d) Save(w io.Writer) error`; an error names the part.\n", n, n, n)
}

func (d *desk) write(name, text string) {
	d.Helper()
	full := filepath.Join(d.dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
		d.Fatal(err)
	}
	if err := os.WriteFile(full, []byte(text), 0o644); err != nil {
		d.Fatal(err)
	}
}

func (d *desk) git(args ...string) string {
	d.Helper()
	cmd := exec.Command("git", append([]string{"-c", "user.name=A User", "-c", "user.email=user@example.com"}, args...)...)
	cmd.Dir = d.dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		d.Fatalf("git %v: %v\n%s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

func (d *desk) commit(subject string) string {
	d.Helper()
	d.git("add", "store")
	d.git("commit", "-q", "-m", subject)
	return d.head()
}

func (d *desk) head() string { return d.git("rev-parse", "HEAD") }

// sent is the prompt of a step's dispatch, as the built-in agent gets it.
func (d *desk) sent(step machine.Step, id string) string {
	d.Helper()
	set, err := personas.Load(nil)
	if err != nil {
		d.Fatal(err)
	}
	out := filepath.Join(d.dir, ".harness", "out", id)
	order := personas.Dispatch{
		SpecCopy: filepath.Join(d.Dir, "spec.md"), SessionDir: d.Dir, ScratchpadDir: filepath.Join(out, "scratchpad"), ReplyPath: filepath.Join(out, "reply.json"),
		AttemptDir: filepath.Join(d.Dir, "attempts", "1", FolderOf(step), fmt.Sprint(step.Attempt)),
	}
	facts := Facts{
		Project: "Languages (files): Go (30).", Validations: []string{"go vet ./...", "go test ./..."}, Learnings: []string{"[gotcha] The store is opened once."},
		PhaseText: "Each part is saved and read on its own, and an error names the part that is wrong.\n", PlanDir: "docs/plans", VerifyLog: "verify.log",
	}
	for i := range d.state.Tasks {
		if step.Task == d.state.Tasks[i].ID && d.state.Tasks[i].Kind == machine.KindPlan {
			facts.Body = taskText(i + 1)
		}
	}
	b, err := d.Write(d.Context(), d.state, step, order, facts)
	if err != nil {
		d.Fatal(err)
	}
	b.Submits = true
	return personas.Render(set.For(personas.Name(step.Persona), PurposeOf(step)), b)
}

// alike is how many bytes of b are as a begins, in per cent of b.
func alike(a, b string) int {
	n := 0
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	return 100 * n / len(b)
}

// twice is the share of a prompt, in per cent, that are lines of 40 bytes and more which it had before.
func twice(prompt string) int {
	seen, again := map[string]bool{}, 0
	for line := range strings.Lines(prompt) {
		if line = strings.TrimSpace(line); len(line) >= 40 && seen[line] {
			again += len(line)
		}
		seen[line] = true
	}
	return 100 * again / len(prompt)
}

// TestPromptsOfAPhaseBeginAlike: what a provider has cached of one dispatch serves the next one of the same persona.
func TestPromptsOfAPhaseBeginAlike(t *testing.T) {
	d := newDesk(t)
	first := d.sent(machine.Step{State: machine.Execute, Persona: "executor", Phase: 1, Task: "task-001", Attempt: 1}, "0a")
	d.write("store/part01.go", "package store\n\n// Part01 can be saved.\ntype Part01 struct{ ID, Size int }\n")
	d.commit("Make part 1")
	second := d.sent(machine.Step{State: machine.Execute, Persona: "executor", Phase: 1, Task: "task-002", Attempt: 1}, "0b")
	verify := machine.Step{State: machine.Verify, Persona: "verifier", Phase: 1, Attempt: 1}
	judged := d.sent(verify, "0c")
	d.write("store/part02.go", "package store\n\n// Part02 can be saved.\ntype Part02 struct{ ID, Size int }\n")
	d.commit("Make part 2")
	verify.Attempt = 2
	again := d.sent(verify, "0d")
	for name, c := range map[string]struct {
		before, now string
		floor       int
	}{"executor, the next task": {first, second, 85}, "verifier, after a commit": {judged, again, 75}} {
		if share := alike(c.before, c.now); share < c.floor {
			t.Errorf("%s: %d %% of the prompt begin as the one before, at least %d are wanted; it goes on with\n%s", name, share, c.floor, c.now[share*len(c.now)/100:])
		} else {
			t.Logf("%s: %d %%", name, share)
		}
	}
}

// TestPromptsSayThingsOnce: of no prompt stand more than a twentieth there before, in lines of 40 bytes and more.
func TestPromptsSayThingsOnce(t *testing.T) {
	d := newDesk(t)
	d.state.CurrentState = machine.Execute
	prompts := map[string]string{
		"planner":  d.sent(machine.Step{State: machine.Plan, Persona: "planner", Phase: 1, Attempt: 1}, "0a"),
		"executor": d.sent(machine.Step{State: machine.Execute, Persona: "executor", Phase: 1, Task: "task-001", Attempt: 1}, "0b"),
	}
	d.state.Tasks[0].Attempts = []machine.Attempt{{Result: "failed", Error: "go test ./store/ exited 1:\nstore_test.go:14: part 1 is not what was written before"}, {Result: "failed", Error: "the same"}}
	prompts["executor, third attempt"] = d.sent(machine.Step{State: machine.Execute, Persona: "executor", Phase: 1, Task: "task-001", Attempt: 3}, "0c")
	d.write("store/part01.go", "package store\n\n// Part01 can be saved, and read again after a restart.\ntype Part01 struct{ ID, Size int }\n")
	d.write("store/part_test.go", "package store\n\n// TestPart writes a part, opens the store anew, and reads it.\nfunc TestPart(t *testing.T) {}\n")
	d.commit("Make part 1")
	d.state.Phases[0].Checks = []machine.Check{{Command: "go test ./...", Outcome: machine.CheckPassed, Detail: "ok  \tstore\t0.01s"}}
	prompts["verifier"] = d.sent(machine.Step{State: machine.Verify, Persona: "verifier", Phase: 1, Attempt: 1}, "0d")
	prompts["reviewer"] = d.sent(machine.Step{State: machine.Review, Persona: "reviewer", Phase: 1, Attempt: 1}, "0e")
	d.state.CurrentState = machine.FinalReview
	prompts["final review"] = d.sent(machine.Step{State: machine.FinalReview, Persona: "reviewer", Purpose: "final", Attempt: 1}, "0f")
	for name, prompt := range prompts {
		if share := twice(prompt); share > 5 {
			t.Errorf("%s: %d %% of the prompt stood there before:\n%s", name, share, prompt)
		}
	}
}

// TestExecutorHasTheSmallFilesOfItsTask: it need not begin with a turn that only reads them.
func TestExecutorHasTheSmallFilesOfItsTask(t *testing.T) {
	d := newDesk(t)
	d.write("store/large.go", "package store\n\n//"+strings.Repeat(" x", maxTaskFiles)+"\n")
	d.write("store/bytes.bin", "\x00\x01")
	d.commit("More files")
	d.write("store/.gitignore", "*.env\n")
	d.write("store/secret.env", "PASSWORD=sesame\n")
	d.state.Tasks[0].Files = []string{"store/part01.go", "store/large.go", "store/bytes.bin", "store/secret.env", "store/new.go", "store/part01.go"}
	step := machine.Step{State: machine.Execute, Persona: "executor", Phase: 1, Task: "task-001", Attempt: 1}
	got := d.sent(step, "0a")
	if strings.Count(got, "`store/part01.go`:\n```data\npackage store") != 1 || !strings.Contains(got, "Not shown, for their size: `store/large.go (96018 bytes)`\n") {
		t.Errorf("the files are not there:\n%s", got)
	}
	for _, other := range []string{"`store/bytes.bin`:", "sesame", "`store/new.go`:"} {
		if strings.Contains(got, other) {
			t.Errorf("it holds %s", other)
		}
	}
	d.state.Tasks[0].Kind, d.state.Tasks[0].Files = machine.KindReviewFix, nil
	d.state.Tasks[0].Finding = &machine.Finding{Severity: machine.Important, File: "store/part02.go", Title: "It is too small"}
	if got := d.sent(step, "0b"); !strings.Contains(got, "`store/part02.go`:\n```data\npackage store") {
		t.Error("a fix has no file of its finding")
	}
}

// TestSecondVerdictIsOnWhatCameSince: who judged before is told what it said, and shown the change since.
func TestSecondVerdictIsOnWhatCameSince(t *testing.T) {
	d := newDesk(t)
	d.write("store/part01.go", "package store\n\n// Part01 can be saved, "+strings.Repeat("and more ", 1000)+".\n")
	judged := d.commit("Make part 1")
	step := machine.Step{State: machine.Verify, Persona: "verifier", Phase: 1, Attempt: 2}
	d.state.CurrentState = machine.Verify
	d.state.Phases[0].Judged = map[string]machine.Judged{"verifier": {Attempt: 1, Commit: judged}}
	d.write(".harness/sessions/spec/attempts/1/verifier/1/reply.json", `{"v":1,"status":"done","summary":"Part 2 is lost.","criteria":[{"text":"It saves.","satisfied":true,"confidence":"high","evidence":"go test"}]}`)
	if got := d.sent(step, "0a"); strings.Contains(got, "You judged") || !strings.Contains(got, "and more") {
		t.Errorf("nothing came since, and it is asked about that:\n%s", got)
	}
	lost := machine.Finding{Severity: machine.Critical, File: "store/part02.go", Title: "Part 2 is lost", Source: "verifier"}
	d.state.Register = d.state.Register.Raise(machine.Entry{Phase: 1, Finding: lost})
	d.state.Tasks = append(d.state.Tasks, machine.Task{ID: "task-004", Kind: machine.KindVerifyFix, Status: machine.TaskCompleted, Finding: &lost})
	d.write("store/part02.go", "package store\n\n// Part02 is kept.\n")
	fixed := d.commit("Fix part 2")
	got := d.sent(step, "0b")
	for _, want := range []string{
		"You judged `" + judged + "`. Since then a change is meant to fix F1: it is below.", "Part 2 is lost.\n- satisfied: true (high): It saves.: go test\n",
		"+// Part02 is kept.", "git diff " + judged + ".." + fixed, "The whole of the work is `git diff " + d.state.StartingCommit + "`", "F1 [critical] store/part02.go: Part 2 is lost",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("it does not hold %q:\n%s", want, got)
		}
	}
	if strings.Contains(got, "and more") {
		t.Error("it holds what was judged before")
	}
	if share := twice(got); share > 5 {
		t.Errorf("%d %% of the prompt stood there before", share)
	}
	d.git("reset", "-q", "--hard", d.state.StartingCommit)
	d.write("store/part03.go", "package store\n")
	d.commit("Another way")
	if got := d.sent(step, "0c"); strings.Contains(got, "You judged") {
		t.Error("what was judged is not in the history any more")
	}
}
