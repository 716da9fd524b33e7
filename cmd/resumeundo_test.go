package cmd_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"autopilot/autopilot/machine"
)

// killsAtWrite is git, but for its nth call that changes something: before or after that one it kills whoever called it.
const killsAtWrite = `#!/bin/sh
PATH=$REAL
for word; do case $word in update-ref | update-index | checkout-index)
	echo "$word" >> "$COUNT"
	[ "$(wc -l < "$COUNT")" -eq "$NTH" ] || break
	[ "$WHEN" = before ] || git "$@"
	kill -9 $PPID
	exit 1
esac; done
exec git "$@"
`

// undoneWrites are the calls of an undo: the ref, the branch, the index, the files.
const undoneWrites = 4

// TestResumeOfAnUndoKilledAtEachStep kills an undo before and after each of its steps. The same command, or the run, finishes it,
// and each comes to the same end; taken back, the session is what it was.
func TestResumeOfAnUndoKilledAtEachStep(t *testing.T) {
	leftToCI(t)
	if runtime.GOOS == "windows" {
		t.Skip("a script as git")
	}
	t.Parallel()
	place := newStoryPlace(t, "resume", "undo.txtar")
	place.drive(t, place.inProcess(nil))
	former, fresh := place.undone(t), filepath.Join(place.dir, "fresh")
	copyTree(t, place.repo, fresh)
	run := place.process(t, nil)
	undo := []string{"undo", "docs/spec.md", "--confirm"}
	if code, said := run(undo...); code != 0 {
		t.Fatalf("undo: exit code %d: %s", code, said)
	}
	want := place.undone(t)

	bin := filepath.Join(place.dir, "bin")
	place.put(t, filepath.Join(bin, "git"), []byte(killsAtWrite))
	if err := os.Chmod(filepath.Join(bin, "git"), 0o755); err != nil {
		t.Fatal(err)
	}
	var points []string
	for nth := range undoneWrites {
		points = append(points, fmt.Sprintf("before %d", nth+1), fmt.Sprintf("after %d", nth+1))
	}
	for i, point := range sample(points) {
		t.Run(point, func(t *testing.T) {
			again := filepath.Join(place.dir, "again")
			copyTree(t, fresh, again)
			place.restore(t, again)
			place.killedUndo(t, point, bin, undo)
			if place.state(t).Undoing == nil {
				t.Fatal("nothing was cut off")
			}
			if code, said := run("phases", "docs/spec.md", "redo", "1", "--confirm"); code == 0 {
				t.Errorf("a phase is redone in the middle of an undo: %s", said)
			}
			finish := [][]string{undo, {"docs/spec.md", "--max-dispatches", "1", "--non-interactive", "--replay", place.replay}}[i%2]
			if code, said := run(finish...); code != 0 && code != 5 {
				t.Fatalf("%v: exit code %d: %s", finish, code, said)
			}
			if diff := cmp.Diff(want, place.undone(t)); diff != "" {
				t.Errorf("resumed, it is undone otherwise (-uninterrupted +resumed):\n%s", diff)
			}
			if code, said := run("undo", "docs/spec.md", "--back"); code != 0 {
				t.Fatalf("exit code %d: %s", code, said)
			}
			if diff := cmp.Diff(former, place.undone(t)); diff != "" {
				t.Errorf("taken back, the session is another (-before +after):\n%s", diff)
			}
		})
	}
}

// undone is what an undo changes, and what must not change.
type undone struct {
	Tree, Status, Log string
	Decisions         []machine.Decision
	Usage             machine.Usage
	First             []string // of the first phase: a run that finishes the undo begins the second again
	Tasks             []machine.Task
}

func (p *place) undone(t *testing.T) undone {
	t.Helper()
	s := p.state(t)
	u := undone{
		Tree: p.git(t, "rev-parse", "HEAD^{tree}"), Status: p.git(t, "status", "--porcelain"), Log: p.git(t, "log", "--format=%H", "autopilot/spec"),
		Decisions: s.Decisions, Usage: s.Usage, Tasks: s.Tasks,
	}
	for i := range u.Decisions {
		u.Decisions[i].Timestamp = time.Time{}
	}
	u.First = []string{s.Phases[0].Status, s.Phases[0].StartCommit}
	return u
}

// killedUndo runs an undo with a git that kills it at a point.
func (p *place) killedUndo(t *testing.T, point, bin string, args []string) {
	t.Helper()
	var when string
	var nth int
	if _, err := fmt.Sscanf(point, "%s %d", &when, &nth); err != nil {
		t.Fatal(err)
	}
	count := filepath.Join(t.TempDir(), "count")
	c := exec.Command("autopilot", args...)
	c.Dir = p.repo
	c.Env = append(p.env, "REAL="+os.Getenv("PATH"), "PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"), "COUNT="+count, fmt.Sprint("NTH=", nth), "WHEN="+when)
	if out, err := c.CombinedOutput(); err == nil || c.ProcessState.ExitCode() != killed {
		t.Fatalf("it is not killed %s: %v: %s", point, err, out)
	}
}
