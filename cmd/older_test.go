package cmd_test

import (
	"bytes"
	stdcmp "cmp"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"autopilot/autopilot/machine"
	"autopilot/cmd/console"
)

// olderSession says how to resume a session in testdata/older, and what the result is.
type olderSession struct {
	before  func(*testing.T, *place) // what the user does first
	answers []said
	commits []string // of the session; nil: oneWord
	files   string   // changed by the commits, without docs; "": task-001.txt
	left    string   // uncommitted; "": the user's file
	tags    string   // of the agent, which stay
}

// olderSessions has a row for each session in testdata/older.
var olderSessions = map[string]olderSession{
	"between-tasks":      {commits: followedBy("[autopilot][phase 1] Word 2"), files: "task-001.txt task-002.txt"},
	"ctrl-c":             {commits: followedBy("[autopilot][phase 1] Word 2"), files: "task-001.txt task-002.txt"},
	"killed-dispatch":    {tags: "stray"},
	"killed-validation":  {},
	"killed-pre-commit":  {before: removesLock},
	"killed-post-commit": {},
	"killed-wave":        {commits: followedBy("[autopilot][phase 1] Word 2", "[autopilot][phase 1] Word 3"), files: "task-001.txt task-002.txt task-003.txt"},
	"killed-plan-draft":  {before: writesPlan, answers: []said{{option: "done"}}},

	"gate-baseline_red":            {before: writing("check.sh", ""), answers: []said{{option: "continue", reason: "CI runs it"}}, left: "?? check.sh ?? mine.txt"},
	"gate-plan_wanted":             {before: writesPlan, answers: []said{{option: "done"}}},
	"gate-approve_skeleton":        {answers: []said{{option: "yes"}, {option: "yes"}}},
	"gate-approve_plan":            {answers: []said{{option: "yes"}}},
	"gate-pause":                   {answers: []said{{option: "continue"}, {option: "continue"}, {option: "continue"}}},
	"gate-no_output-planner":       {answers: tryAgain},
	"gate-no_output-final":         {answers: tryAgain},
	"gate-blocked-planner":         {answers: tryAgain},
	"gate-blocked-executor":        {answers: tryAgain},
	"gate-blocked-verifier":        {answers: tryAgain},
	"gate-blocked-reviewer":        {answers: tryAgain},
	"gate-dirty_overlap":           {before: commitsOwn, answers: []said{{option: "done"}}, commits: []string{oneWord[0], "Mine", oneWord[1]}},
	"gate-checkpoint-decision":     {answers: []said{{option: "1"}}},
	"gate-checkpoint-human-action": {answers: []said{{option: "done"}}},
	"gate-checkpoint-human-verify": {answers: []said{{option: "yes"}}},
	"gate-tasks_exhausted": {
		before: writing("task-001.txt", "hello\n"), answers: []said{{option: "continue"}},
		commits: []string{oneWord[0], "[autopilot][recovery] Phase 1: unfinished work", oneWord[1]},
	},
	"gate-verify_failed":   {answers: []said{{option: "fix"}}, commits: followedBy("[autopilot][phase 1] Fix: Too loud"), files: "task-001.txt task-002.txt"},
	"gate-review_blocking": {answers: []said{{option: "fix"}}, commits: followedBy("[autopilot][phase 1] Fix: Too loud"), files: "task-001.txt task-002.txt"},
	"gate-continue":        {answers: []said{{option: "yes"}}},
	"gate-spec_changed": {
		answers: []said{{option: "keep"}}, commits: followedBy("[autopilot][phase 2] Plan: Part", "[autopilot][phase 2] Word 1"),
		left: "M docs/spec.md ?? mine.txt",
	},
	"gate-final_blocking": {answers: []said{{option: "fix"}}, commits: followedBy("[autopilot][final review] Fix: Too loud")},
	"gate-effect_unclear": {answers: []said{{option: "adopt"}}, commits: []string{oneWord[0], "Somebody else"}},
}

// olderTaskLists has the task lists in testdata/older.
var olderTaskLists = []string{"killed-tasks-exclusive", "killed-tasks-concurrent", "killed-tasks-validation"}

// oneWord lists the commits of a plan with one task.
var oneWord = []string{"[autopilot][phase 1] Plan: Greet", "[autopilot][phase 1] Word 1"}

func followedBy(more ...string) []string { return slices.Concat(oneWord, more) }

var tryAgain = []said{{option: "retry", reason: "look again"}}

func writesPlan(t *testing.T, p *place) {
	plan := strings.NewReplacer("Write the greeting", "Word 1", "greet.txt", "task-001.txt").Replace(oneTask)
	writing("docs/plans/greet-plan.md", plan)(t, p)
}

func commitsOwn(t *testing.T, p *place) { p.git(t, "commit", "-q", "-m", "Mine", "task-001.txt") }

// removesLock removes the lock that the killed git left, as autopilot asks for.
func removesLock(t *testing.T, p *place) {
	if err := os.Remove(filepath.Join(p.repo, ".git", "index.lock")); err != nil {
		t.Error(err)
	}
}

func TestOlderSessionsResumeAtAnotherPath(t *testing.T) {
	t.Parallel()
	for _, name := range sample(slices.Sorted(maps.Keys(olderSessions))) {
		s := olderSessions[name]
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newOlderPlace(t, name)
			p.checkAppends(t, filepath.Join(p.session(), "events.jsonl"), func() { s.resume(t, p) })
			if at := p.state(t).CurrentState; at != machine.Done {
				t.Errorf("the state is %s", at)
			}
			if notes, err := filepath.Glob(filepath.Join(p.repo, ".git", "autopilot", "*.json")); err != nil || len(notes) > 0 {
				t.Errorf("notes of the older version were not taken over: %q, %v", notes, err)
			}
			s.check(t, p)
		})
	}
}

func TestOlderTaskListsResumeAtAnotherPath(t *testing.T) {
	leftToCI(t)
	t.Parallel()
	for _, name := range olderTaskLists {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newOlderPlace(t, name)
			p.checkAppends(t, filepath.Join(p.repo, "harness-progress.txt"), func() { p.succeeds(t, "tasks", "run") })
			p.allCompleted(t, "autopilot/tasks")
			p.git(t, "switch", "-q", "autopilot/tasks")
			olderSession{
				commits: []string{"[autopilot][task-001] Word 1", "[autopilot][task-002] Word 2", "[autopilot][task-003] Word 3"},
				files:   "task-001.txt task-002.txt task-003.txt",
			}.check(t, p)
		})
	}
}

func TestOlderSessionsCoverEachGate(t *testing.T) {
	archives, err := filepath.Glob(filepath.Join("testdata", "older", "*.tar.gz"))
	if err != nil || len(archives) != len(olderSessions)+len(olderTaskLists) {
		t.Errorf("%d archives, %d rows: %v", len(archives), len(olderSessions)+len(olderTaskLists), err)
	}
	for _, o := range machine.Offers() {
		if o.Kind == machine.GateAlreadyDone || o.Kind == machine.GateLargeChange {
			continue // that version did not ask them
		}
		if !strings.Contains(strings.Join(archives, "\n"), "gate-"+string(o.Kind)) {
			t.Errorf("no archive stops at gate %s", o.Kind)
		}
	}
}

// newOlderPlace unpacks a repository in which an older autopilot worked at another path.
func newOlderPlace(t *testing.T, name string) *place {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("the agent is a shell script")
	}
	p := newEmptyPlace(t)
	c := exec.Command("tar", "-xzpf", filepath.Join("testdata", "older", name+".tar.gz"), "-C", p.dir)
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return p
}

// resume answers each gate and runs the session until it is done.
func (s olderSession) resume(t *testing.T, p *place) {
	t.Helper()
	if s.before != nil {
		s.before(t, p)
	}
	run := []string{"docs/spec.md", "--yes", "--non-interactive"}
	for i, a := range s.answers {
		if i > 0 {
			p.command(console.Host{Booted: p.madeAt}, run...) // to the next gate
		}
		p.succeeds(t, append([]string{"answer", "docs/spec.md", a.option}, a.flags()...)...)
	}
	p.succeeds(t, run...)
}

// succeeds runs a command on a machine that started after the older autopilot ended.
func (p *place) succeeds(t *testing.T, args ...string) {
	t.Helper()
	if end := p.command(console.Host{Booted: p.madeAt}, args...); end.code != 0 {
		t.Fatalf("%s: exit code %d:\n%s", strings.Join(args, " "), end.code, end.text)
	}
}

// madeAt returns when newEmptyPlace made the place, before anything was unpacked.
func (p *place) madeAt() time.Time {
	info, err := os.Stat(filepath.Join(p.dir, "tmp", "keep"))
	if err != nil {
		return time.Time{}
	}
	return info.ModTime()
}

// checkAppends fails if do changes what a file has already, instead of appending to it.
func (p *place) checkAppends(t *testing.T, file string, do func()) {
	t.Helper()
	before, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	do()
	if after, err := os.ReadFile(file); err != nil || !bytes.HasPrefix(after, before) {
		t.Errorf("%s was rewritten: %v\n%s", filepath.Base(file), err, after)
	}
}

// check compares commits and files, and the user's files, branches and tags.
func (s olderSession) check(t *testing.T, p *place) {
	t.Helper()
	if s.commits == nil {
		s.commits = oneWord
	}
	if diff := cmp.Diff(s.commits, strings.Split(p.git(t, "log", "--reverse", "--format=%s", "main.."), "\n")); diff != "" {
		t.Errorf("commits (-want +got):\n%s", diff)
	}
	for _, c := range []struct{ what, want, got string }{
		{"files", stdcmp.Or(s.files, "task-001.txt"), p.git(t, "diff", "--name-only", "main..", "--", ":!docs")},
		{"with a greeting", stdcmp.Or(s.files, "task-001.txt"), p.git(t, "grep", "-l", "hello", "--", "task-*")},
		{"uncommitted", stdcmp.Or(s.left, "?? mine.txt"), p.git(t, "status", "--porcelain", "-uall")},
		{"the user's branch", p.git(t, "rev-parse", "main"), p.git(t, "rev-parse", "idea")},
		{"tags", s.tags, p.git(t, "tag")},
		{"the user's files", "mine mine", p.git(t, "grep", "-h", "--no-index", "mine", "--", "mine.txt", "mine.local")},
	} {
		if got := strings.Join(strings.Fields(c.got), " "); got != c.want {
			t.Errorf("%s: got %q, want %q", c.what, got, c.want)
		}
	}
}
