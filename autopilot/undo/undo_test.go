package undo

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"autopilot/autopilot/git"
	"autopilot/autopilot/halt"
	"autopilot/autopilot/machine"
)

// at is a state at a revision, with one phase that began at a commit.
func at(rev int64, start string) machine.State {
	return machine.State{Revision: rev, Phases: []machine.Phase{{Number: "1", StartCommit: start}, {Number: "2"}}}
}

func TestBeginningIsTheLastOneThatNoUndoTookAway(t *testing.T) {
	p := &Past{}
	began := func(rev int64, phase int, commit string) {
		before, after := at(rev-1, ""), at(rev, "")
		before.CurrentPhase, after.CurrentPhase = phase, phase
		after.Phases[phase].StartCommit = commit
		p.Take(before, machine.Event{Rev: rev, Type: machine.PlanChecked}, after)
	}
	undone := func(rev, to int64) {
		before, target := at(rev-1, ""), at(to, "")
		before.Undoing = &machine.Undo{State: &target}
		p.Take(before, machine.Event{Rev: rev, Type: machine.Undone}, at(rev, ""))
	}
	find := func(phase, head string, want int64) {
		t.Helper()
		if m, _ := p.began(phase, head); m.rev != want {
			t.Errorf("phase %q with HEAD at %s began at revision %d, want %d", phase, head, m.rev, want)
		}
	}
	find("", "c", 0)
	began(10, 0, "a")
	began(20, 1, "b")
	find("", "c", 20)
	find("", "b", 10) // nothing is committed in the second phase
	find("1", "c", 10)
	undone(30, 19)
	find("2", "b", 0)
	find("", "b", 10)
	began(40, 1, "b")
	find("2", "c", 40)
	undone(50, 39) // and back to before the first undo
	undone(60, 28)
	find("2", "c", 20)
}

// store holds a state that never changes.
type store struct{ s machine.State }

func (s store) State() machine.State                       { return s.s }
func (s store) Apply(machine.Event) (machine.State, error) { return s.s, errors.New("it acts") }

func run(t *testing.T, dir string, args ...string) {
	t.Helper()
	c := exec.Command("git", args...)
	c.Dir = dir
	must(t, c.Run())
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func TestNothingIsUndoneBesideOtherWork(t *testing.T) {
	for name, c := range map[string]struct {
		change func(s *machine.State)
		do     func(t *testing.T, dir string)
		why    string // "": it is at rest
	}{
		"at rest":                {},
		"a dispatch in flight":   {change: func(s *machine.State) { s.InFlight = []machine.InFlight{{Dispatch: &machine.Dispatch{}}} }, why: "killed at work"},
		"a planner beside":       {change: func(s *machine.State) { s.Aside = &machine.Aside{} }, why: "killed at work"},
		"no branch":              {change: func(s *machine.State) { s.Branch = "" }, why: "no branch"},
		"another branch":         {do: func(t *testing.T, dir string) { run(t, dir, "switch", "-qc", "b") }, why: "git switch work"},
		"an unfinished merge":    {do: func(t *testing.T, dir string) { write(t, dir, ".git/MERGE_HEAD", "") }, why: "git merge --abort"},
		"a changed file":         {do: func(t *testing.T, dir string) { write(t, dir, "a.txt", "b") }, why: "1 uncommitted change in a.txt"},
		"a staged file":          {do: func(t *testing.T, dir string) { write(t, dir, "b.txt", "b"); run(t, dir, "add", "b.txt") }, change: done, why: "b.txt"},
		"a new file of a task":   {do: func(t *testing.T, dir string) { write(t, dir, "b.txt", "b") }, why: "b.txt"},
		"a new file of a user":   {do: func(t *testing.T, dir string) { write(t, dir, "b.txt", "b") }, change: func(s *machine.State) { s.LeftOut = []string{"b.txt"} }},
		"a new file of commands": {do: func(t *testing.T, dir string) { write(t, dir, "b.txt", "b") }, change: func(s *machine.State) { s.ByProducts = []string{"b.txt"} }},
		"a new file at the end":  {do: func(t *testing.T, dir string) { write(t, dir, "b.txt", "b") }, change: done},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			run(t, dir, "init", "-q", "-b", "work")
			write(t, dir, "a.txt", "a")
			run(t, dir, "add", ".")
			run(t, dir, "-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "Begin")
			s := machine.State{SpecPath: "docs/spec.md", Branch: "work", CurrentState: machine.Execute}
			if c.do != nil {
				c.do(t, dir)
			}
			if c.change != nil {
				c.change(&s)
			}
			repo, err := git.Find(t.Context(), dir)
			must(t, err)
			_, err = Undo{Repo: repo, Store: store{s}}.atRest(t.Context(), s)
			_, refused := errors.AsType[*halt.UsageError](err)
			if refused != (c.why != "") || refused && !strings.Contains(err.Error(), c.why) {
				t.Errorf("it gave %v, want %q", err, c.why)
			}
		})
	}
}

func done(s *machine.State) { s.CurrentState = machine.Done }

func write(t *testing.T, dir, name, text string) {
	t.Helper()
	must(t, os.WriteFile(filepath.Join(dir, filepath.FromSlash(name)), []byte(text), 0o644))
}
