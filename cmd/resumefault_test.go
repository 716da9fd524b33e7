package cmd_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"autopilot/sessions/faulty"
	"autopilot/sessions/storage"
)

// committed is what a plan commit leaves behind.
type committed struct {
	Subjects, Tree, Status string
	Decisions              int
	Left                   []string
}

// TestResumeAfterAFaultInThePlanCommit has the commit of a plan break off at each operation of the
// stores. The next run comes to the same end, and commits nothing twice.
func TestResumeAfterAFaultInThePlanCommit(t *testing.T) {
	t.Parallel()
	p := approvedPlace(t)
	fresh := filepath.Join(p.dir, "fresh")
	copyTree(t, p.repo, fresh)
	again := func() {
		copyTree(t, fresh, filepath.Join(p.dir, "again"))
		p.restore(t, filepath.Join(p.dir, "again"))
	}
	whole := &faulty.Disk{Disk: storage.OSDisk{}}
	p.commitsPlan(t, whole)
	want := p.committed(t)
	if !strings.Contains(want.Subjects, "Plan: First words") {
		t.Fatalf("the plan was not committed: %+v", want)
	}
	hits := 0
	for _, kind := range []faulty.Fault{faulty.Fail, faulty.Short, faulty.Stop, faulty.Tear} {
		points := faulty.Points(whole.Trace, kind)
		if !*full {
			points = []int{points[chance().IntN(len(points))]}
		}
		for _, at := range points {
			again()
			disk := &faulty.Disk{Disk: storage.OSDisk{}, At: at, Kind: kind}
			p.inProcess(disk)(planArgs(p)...)
			p.commitsPlan(t, storage.OSDisk{})
			if diff := cmp.Diff(want, p.committed(t)); diff != "" {
				t.Errorf("fault %d at operation %d (%s): it is otherwise:\n%s", kind, at, disk.Trace[min(at, len(disk.Trace))-1], diff)
			}
			if disk.Ops >= at {
				hits++
			}
		}
	}
	if hits == 0 {
		t.Error("no fault was met")
	}
	t.Logf("%d faults at %d operations", hits, len(whole.Trace))
}

// approvedPlace is a repository whose session waits with an approved plan to be committed.
func approvedPlace(t *testing.T) *place {
	t.Helper()
	p := newEmptyPlace(t)
	story, err := txtar.ParseFile(filepath.Join("testdata", "resume", "crash.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	p.files = story.Files
	p.write(t, "repo/", p.repo)
	p.write(t, "replay.yaml", p.replay)
	p.begin(t)
	run := p.inProcess(nil)
	if code, said := run(planArgs(p)...); code != 3 {
		t.Fatalf("exit code %d: %s", code, said)
	}
	if code, said := run("answer", "docs/spec.md", "yes"); code != 0 {
		t.Fatalf("exit code %d: %s", code, said)
	}
	return p
}

// planArgs run the spec up to its second dispatch, which the budget does not allow.
func planArgs(p *place) []string {
	return []string{"docs/spec.md", "--non-interactive", "--max-dispatches", "1", "--replay", p.replay}
}

func (p *place) commitsPlan(t *testing.T, disk storage.Disk) {
	t.Helper()
	const limited = 5
	if code, said := p.inProcess(disk)(planArgs(p)...); code != limited {
		t.Errorf("exit code %d, want %d: %s%s", code, limited, said, p.journal(t))
	}
}

func (p *place) committed(t *testing.T) committed {
	t.Helper()
	c := committed{
		Subjects: p.git(t, "log", "--format=%s"), Tree: p.git(t, "rev-parse", "HEAD^{tree}"),
		Status: p.git(t, "status", "--porcelain"), Decisions: len(p.state(t).Decisions),
	}
	walk(t, p.repo, func(name string) {
		if strings.HasSuffix(name, "tmp") {
			c.Left = append(c.Left, name)
		}
	})
	slices.Sort(c.Left)
	return c
}
