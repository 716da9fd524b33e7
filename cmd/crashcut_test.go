//go:build crash && linux

package cmd_test

import (
	"crypto/sha256"
	"fmt"
	"path/filepath"
	"testing"
)

// seededBugs are the ways of crash.go in which the store can be wrong.
var seededBugs = []string{
	"write in place", "snapshot renamed away first", "snapshot before journal", "temp file not synced", "journal not synced",
	"folder not synced", "counter reset on resume",
}

// finds expects that a bug of the store does not stay hidden.
func finds(t *testing.T, program, bug string) {
	l := onePhase().live(t, program, bug)
	for i := range 2 {
		if _, complaint := l.cuts(t, i); complaint != "" {
			t.Logf("a power cut shows it: %s", complaint)
			return
		}
	}
	const execute = 2
	l.begin(t, execute)
	calls, _, _ := l.strace(t, l.steps[execute].args)
	points := l.points(calls, false)
	for n := 0; n < len(points); n += 15 {
		if _, complaint := l.kill(t, execute, execute, points[n]); complaint != "" {
			t.Logf("a kill at %s shows it: %s", points[n].site(l.dir), complaint)
			return
		}
	}
	t.Error("nothing shows it")
}

// cutAnywhere cuts the power after each call of each step: what is left is taken up, and some of it resumed to the end.
func (s scene) cutAnywhere(t *testing.T, program string) {
	l := s.live(t, program, "")
	for i, step := range s.steps {
		disks, complaint := l.cuts(t, i)
		if complaint != "" {
			t.Errorf("%s, %s: %s", s.name, step.name, complaint)
		}
		resumed := l.cutAndResume(t, i)
		t.Logf("%s, %s: %d disks that a power cut could leave, %d of them resumed", s.name, step.name, disks, resumed)
	}
}

// cuts takes up every disk that a power cut during a step could leave, and says how many there are.
func (l *life) cuts(t *testing.T, i int) (disks int, complaint string) {
	t.Helper()
	l.begin(t, i)
	d := newPowerDisk(t, l.repo, l.session())
	calls, code, said := l.strace(t, l.steps[i].args)
	if code != l.steps[i].code {
		t.Fatalf("%s, traced: exit code %d:\n%s", l.steps[i].name, code, said)
	}
	seen := map[[sha256.Size]byte]bool{}
	for _, c := range calls {
		d.see(c)
		for _, cut := range d.cuts(seen) {
			disks++
			dir := filepath.Join(l.dir, "cut", fmt.Sprint(disks), "spec")
			if complaint := cut.recovered(dir, d.acked, d.wrote); complaint != "" {
				return disks, fmt.Sprintf("after %s number %d (%s): %s", c.name, c.nth, c.site(l.dir), complaint)
			}
		}
	}
	return disks, ""
}

// cutsResumed is how many calls of a step there are for each one at which a power cut is resumed to the end.
const cutsResumed = 25

// cutAndResume kills a step at some calls, puts the disk that a power cut at that moment could have left in the place of
// the one that the kill left, and resumes.
func (l *life) cutAndResume(t *testing.T, i int) (resumed int) {
	t.Helper()
	l.begin(t, i)
	calls, _, _ := l.strace(t, l.steps[i].args)
	points, chance := l.points(calls, false), chance()
	for n := chance.IntN(cutsResumed); n < len(points); n += cutsResumed * *every {
		l.begin(t, i)
		d := newPowerDisk(t, l.repo, l.session())
		met, code, _ := l.strace(t, l.steps[i].args, inject(points[n], "signal=KILL")...)
		if code != killed {
			continue
		}
		for _, c := range met {
			d.see(c)
		}
		cuts := d.cuts(map[[sha256.Size]byte]bool{})
		cut := cuts[chance.IntN(len(cuts))]
		if err := cut.put(l.session()); err != nil {
			t.Fatal(err)
		}
		if complaint := l.resume(t, i, len(l.steps)-1); complaint != "" {
			t.Errorf("%s, %s, power cut at %s: %s", l.scene.name, l.steps[i].name, met[len(met)-1].site(l.dir), complaint)
		}
		resumed++
	}
	return resumed
}
