package changes

import (
	"errors"
	"flag"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"autopilot/autopilot/facts"
	"autopilot/autopilot/git"
	"autopilot/autopilot/inmemory"
	"autopilot/autopilot/journal"
	"autopilot/autopilot/machine"
	"autopilot/autopilot/machine/transition"
	"autopilot/autopilot/plainfile"
	"autopilot/autopilot/plans"
	"autopilot/autopilot/workspace"
)

// desk is a session in memory.
type desk struct{ state machine.State }

func (d *desk) State() machine.State { return d.state }

func (d *desk) Apply(e machine.Event) (machine.State, error) {
	e.Rev = d.state.Revision + 1
	next, err := transition.Apply(d.state, e)
	if err == nil {
		d.state = next
	}
	return next, err
}

// first is what the first commit has of the files that are edited.
var first = map[string]string{
	"src/a.go": content(0), "src/b.go": content(0), "notes.md": content(0), "docs/spec.md": content(0), "docs/plans/README.md": content(0),
}

var edited = []string{
	"src/a.go", "src/b.go", "src/new.go", "notes.md", "made.log", "out/made.bin", "docs/spec.md", "docs/plans/other-plan.md", "docs/plans/README.md",
}

// content is long, and much the same for each number, so that git takes a file for another one that was renamed.
func content(n int) string { return strings.Repeat("a line of all files\n", 20) + fmt.Sprintln(n) }

// tree is a working tree where somebody edits now and then, and what is to be known of each path.
type tree struct {
	*rapid.T
	desk    *desk
	changes Changes
	edits   int
	base    string            // the last commit
	in      map[string]string // what it has of each file
	was     map[string]string // what each file holds
	users   map[string]bool   // changed while nobody was at work
	left    map[string]bool   // a command left it behind
	claimed map[string]bool   // and the task made it its own
	cut     map[string]bool   // untracked when a check began that was cut off; nil: none was
	others  map[string]string // what lay there when the task began
}

func newRepo(t *testing.T) *git.Repo {
	t.Helper()
	dir := t.TempDir()
	for name, text := range first {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	for _, args := range [][]string{{"init", "-q"}, {"add", "-A"}, {"-c", "user.name=U", "-c", "user.email=u@example.com", "commit", "-qm", "Begin"}} {
		if out, err := exec.CommandContext(t.Context(), "git", append([]string{"-C", dir}, args...)...).CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
	}
	repo, err := git.Find(t.Context(), dir)
	if err == nil {
		err = os.WriteFile(filepath.Join(repo.CommonDir(), "hooks", "pre-commit"), []byte(leaving), 0o755)
	}
	if err != nil {
		t.Fatal(err)
	}
	return repo
}

// leaving is a hook that takes files from a folder of git's own into the working tree.
const leaving = `#!/bin/sh
from=$(git rev-parse --git-path leave)
[ ! -d "$from" ] || cp -R "$from/." .
`

// begin is the tree as another process finds it: nothing is known but what is on the disk.
func (tr *tree) begin(home, repo *git.Repo, lane string) {
	j := journal.New(tr.desk, nil, nil, nil, time.Now)
	ids := tr.desk.state.Revision * 1000
	tr.changes = Changes{
		Repo: repo, Journal: j, Lane: lane, Plans: plans.Plans{Root: repo.Root(), Home: home.Root(), Journal: j, Now: time.Now, Parsed: &plans.Parsed{}},
		Facts: facts.Facts{
			Snapshots: workspace.Snapshots{Repo: home, Refs: "refs/autopilot/spec/snap/"}, Journal: j, Known: &facts.Known{},
			NewID: func() string { ids++; return fmt.Sprint(ids) },
		},
		ByHand: func(machine.State) bool { return false },
	}
}

// edit writes or removes some files, and lists those that are not what they were.
func (tr *tree) edit(files []string, remove bool) (paths []string) {
	for _, path := range rapid.SliceOfNDistinct(rapid.SampledFrom(files), 1, 3, rapid.ID).Draw(tr.T, "paths") {
		file := filepath.Join(tr.changes.Repo.Root(), filepath.FromSlash(path))
		if _, is := tr.was[path]; is && remove && rapid.IntRange(0, 3).Draw(tr.T, "remove") == 0 {
			tr.must(os.Remove(file))
			delete(tr.was, path)
		} else {
			tr.edits++
			tr.was[path] = content(tr.edits)
			tr.must(errors.Join(os.MkdirAll(filepath.Dir(file), 0o755), os.WriteFile(file, []byte(tr.was[path]), 0o644)))
		}
		paths = append(paths, path)
	}
	return paths
}

func (tr *tree) must(err error) {
	if err != nil {
		tr.Helper()
		tr.Fatal(err)
	}
}

func (tr *tree) untracked(path string) bool {
	_, there := tr.was[path]
	_, tracked := tr.in[path]
	return there && !tracked
}

func (tr *tree) task() *machine.Task { return &tr.desk.state.Tasks[0] }

// dispatch has the task's agent edit files.
func (tr *tree) dispatch() {
	ctx := tr.Context()
	status, err := tr.changes.Repo.Tree.Status(ctx)
	tr.must(err)
	saved, err := tr.changes.Repo.Files.Save(ctx, "refs/autopilot/spec/test", "before", git.Paths(status.Dirt))
	tr.must(err)
	paths := tr.edit(edited, true)
	claimed, err := tr.changes.Claimed(ctx, "task-001", saved, git.Paths(status.Dirt))
	tr.must(err)
	tr.desk.state.Tasks = slices.Clone(tr.desk.state.Tasks)
	tr.task().Claimed = append(tr.task().Claimed, claimed...)
	for _, path := range paths {
		if tr.untracked(path) && tr.task().Announces(path) {
			tr.claimed[path] = true
		}
	}
}

// away has the user edit files while no run is at work: after one that ended, or one that was killed.
func (tr *tree) away(killed bool) {
	ctx, s := tr.Context(), tr.desk.state
	if killed {
		tr.changes.KilledAt = time.Now()
		probe := filepath.Join(tr.changes.Repo.GitDir(), "probe")
		for tr.must(os.WriteFile(probe, nil, 0o644)); !plainfile.ChangedAfter(probe, tr.changes.KilledAt); { // file times have a grain
			tr.must(os.WriteFile(probe, nil, 0o644))
		}
	} else {
		tr.must(tr.changes.KeepEnd(ctx, s, nil))
	}
	var want []string
	for _, path := range tr.edit(edited, !killed) { // nobody knows when a file went
		if tr.was[path] != tr.in[path] && !isSessions(path) && !tr.users[path] {
			want = append(want, path)
			tr.users[path] = true
		}
	}
	theirs, err := tr.changes.External(ctx, tr.desk.state)
	tr.must(err)
	slices.Sort(want)
	if diff := cmp.Diff(want, theirs, cmpopts.EquateEmpty()); diff != "" {
		tr.Fatalf("what the user did (-want +got):\n%s", diff)
	}
	tr.desk.state.LeftOut = append(slices.Clone(tr.desk.state.LeftOut), theirs...)
}

// check has commands write files that git does not track. One that is cut off is not booked.
func (tr *tree) check(cutOff bool) {
	ctx, known := tr.Context(), maps.Clone(tr.cut)
	if known == nil {
		known = map[string]bool{}
		for path := range tr.was {
			known[path] = tr.untracked(path)
		}
	}
	before, err := tr.changes.BeforeCheck(ctx)
	tr.must(err)
	tr.edit([]string{"made.log", "out/made.bin", "src/new.go"}, false)
	tr.cut = known
	if cutOff {
		return
	}
	now, err := workspace.Untracked(ctx, tr.changes.Repo)
	tr.must(err)
	for path := range tr.was {
		tr.left[path] = tr.left[path] || tr.untracked(path) && !known[path]
	}
	tr.cut = nil
	tr.desk.state.ByProducts = append(slices.Clone(tr.desk.state.ByProducts), NewIn(now, before)...)
	tr.desk.state.Evidences++
	tr.desk.state.Tasks = slices.Clone(tr.desk.state.Tasks)
	tr.task().Dispatches++
}

// commit commits what is the task's, while a hook writes files that git does not track.
func (tr *tree) commit() {
	ctx := tr.Context()
	var paths []string
	for _, path := range edited {
		if tr.was[path] != tr.in[path] && tr.owner(path) == Tasks {
			paths = append(paths, path)
		}
	}
	if len(paths) == 0 {
		tr.Skip("the task has done nothing")
	}
	leave := filepath.Join(tr.changes.Repo.GitDir(), "leave")
	tr.must(os.RemoveAll(leave))
	held, known := maps.Clone(tr.was), map[string]bool{}
	for path := range tr.was {
		known[path] = true
	}
	for _, path := range paths { // a file of the commit that it removes, and a hook writes again
		known[path] = true
	}
	for _, path := range tr.edit([]string{"made.log", "out/made.bin", "src/new.go"}, false) { // by the hook, not yet
		file, lies := filepath.Join(leave, filepath.FromSlash(path)), filepath.Join(tr.changes.Repo.Root(), filepath.FromSlash(path))
		tr.must(errors.Join(os.MkdirAll(filepath.Dir(file), 0o755), os.Rename(lies, file)))
		if text, lay := held[path]; lay {
			tr.must(os.WriteFile(lies, []byte(text), 0o644))
		}
	}
	made, err := tr.changes.Repo.Commits.Make(ctx, git.Commit{Paths: paths, Subject: "Work"})
	tr.must(err)
	tr.base, tr.in = made.SHA, maps.Clone(tr.in)
	for _, path := range paths {
		if text, there := held[path]; there {
			tr.in[path] = text
		} else {
			delete(tr.in, path)
		}
	}
	for path := range tr.was {
		tr.left[path] = tr.left[path] || tr.untracked(path) && !known[path]
	}
	tr.desk.state.ByProducts = append(slices.Clone(tr.desk.state.ByProducts), made.HookLeft...)
}

func isSessions(path string) bool {
	return path == "docs/spec.md" || strings.HasPrefix(path, "docs/plans/")
}

// owner is whose a path is by what happened to it.
func (tr *tree) owner(path string) Owner {
	switch {
	case isSessions(path):
		return Session
	case tr.users[path]:
		return User
	case tr.untracked(path) && (tr.left[path] && !tr.claimed[path] || tr.cut != nil && !tr.cut[path]):
		return Command
	case tr.others[path] != "" && tr.others[path] == tr.was[path]:
		return Others
	}
	return Tasks
}

func (tr *tree) compare() {
	all, err := tr.changes.Since(tr.Context(), tr.base, tr.desk.state.Tasks, tr.task().Leftover)
	tr.must(err)
	got, want := map[string]Owner{}, map[string]Owner{}
	for _, c := range all {
		got[c.Path] = c.Owner
		if c.OldPath != "" {
			got[c.OldPath] = c.Owner
		}
	}
	for _, path := range edited {
		if tr.was[path] != tr.in[path] {
			want[path] = tr.owner(path)
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		tr.Fatalf("whose the changes are (-want +got):\n%s", diff)
	}
}

func TestMain(m *testing.M) {
	inmemory.Use()
	os.Exit(m.Run())
}

// TestWhateverHappensItIsKnownWhoseAChangeIs has the task's agent, the user, checks, hooks, commits and kills follow each
// other in any order, in the run's own working tree and in that of a lane.
func TestWhateverHappensItIsKnownWhoseAChangeIs(t *testing.T) {
	t.Setenv("GIT_CONFIG_GLOBAL", os.DevNull)
	t.Setenv("GIT_CONFIG_NOSYSTEM", "1")
	for _, name := range []string{"GIT_AUTHOR_NAME", "GIT_AUTHOR_EMAIL", "GIT_COMMITTER_NAME", "GIT_COMMITTER_EMAIL"} {
		t.Setenv(name, "u@example.com")
	}
	// Each round runs git some two hundred times; make chaos plays more of them.
	if checks := flag.Lookup("rapid.checks"); checks.Value.String() == checks.DefValue {
		if err := checks.Value.Set("2"); err != nil {
			t.Fatal(err)
		}
	}
	for _, lane := range []string{"", "task-001"} {
		home, n := newRepo(t), 0
		base, err := home.Position(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		rapid.Check(t, func(rt *rapid.T) {
			n++
			repo, err := home.Worktrees.AddBranch(t.Context(), filepath.Join(t.TempDir(), fmt.Sprint(n)), fmt.Sprintf("lane-%d", n), base.Head)
			if err != nil {
				rt.Fatal(err)
			}
			tr := &tree{
				T: rt, base: base.Head, in: first, was: maps.Clone(first), users: map[string]bool{}, left: map[string]bool{}, claimed: map[string]bool{}, others: map[string]string{},
				desk: &desk{machine.State{
					SessionID: "s", SessionSlug: "spec", SpecPath: "docs/spec.md", CurrentState: machine.Execute, Step: machine.StepPick, RigorLevel: machine.Fast,
					SchemaVersion: machine.SchemaVersion, Revision: int64(n), Runs: 1, CurrentTask: "task-001",
					Phases: []machine.Phase{{Number: "1", Name: "Greet", Status: machine.PhaseInProgress}},
					Tasks:  []machine.Task{{ID: "task-001", Kind: machine.KindPlan, Status: machine.TaskRunning, Files: []string{"src/", "out/"}}},
				}},
			}
			tr.begin(home, repo, lane)
			if rapid.Bool().Draw(rt, "beside what others left") {
				for _, path := range tr.edit([]string{"src/b.go", "notes.md"}, false) {
					tr.others[path] = tr.was[path]
				}
				tr.task().Leftover, err = tr.changes.LeftoverBeside(rt.Context(), "task-001", nil)
				tr.must(err)
			}
			settled := func(do func()) func(*rapid.T) {
				return func(rt *rapid.T) {
					if tr.cut != nil {
						rt.Skip("a check that was cut off is done again first")
					}
					do()
				}
			}
			steps := map[string]func(*rapid.T){
				"dispatch": settled(tr.dispatch),
				"check":    func(*rapid.T) { tr.check(false) },
				"cut off":  func(*rapid.T) { tr.check(true); tr.begin(home, repo, lane) },
				"killed":   func(*rapid.T) { tr.begin(home, repo, lane) },
				"commit":   settled(tr.commit),
				"":         func(*rapid.T) { tr.compare() },
			}
			if lane == "" {
				steps["user"] = settled(func() { tr.away(false) })
				steps["user after a kill"] = func(*rapid.T) { tr.away(true); tr.begin(home, repo, lane) }
			} else { // a lane's tree is its task's alone: what the user does there counts as the task's
				steps["user"] = settled(func() { tr.dispatch(); tr.begin(home, repo, lane) })
			}
			rt.Repeat(steps)
		})
	}
}
