//go:build crash && linux

package cmd_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"autopilot/autopilot/closing"
	"autopilot/autopilot/machine"
)

// failurePoint is a call of a step that is to fail, and with what.
type failurePoint struct {
	step   int
	at     call
	alike  int // its number among the calls of its kind in the step
	steady int // its number among the calls of its name, without those about processes
	fault  fault
}

// tally counts what came of the calls that were to fail.
type tally struct {
	tried, ended, elsewhere, missed int
	roadmap                         bool
}

// failing lets calls fail, each kind once in each command: the program ends in a documented way and says why, or does
// without; the next run comes to the same end.
func (s scene) failing(t *testing.T, program string, shard int) {
	l := s.live(t, program, "")
	var sum tally
	points := l.failurePoints(t)
	for n, p := range points {
		if n%shards == shard && (n/shards+int(*seed))%*every == 0 {
			l.tryFailure(t, p, &sum)
		}
	}
	t.Logf("%s: %d points in all parts, %d calls failed, %d of them ended the run otherwise, %d in a question of its own; %d were not met",
		s.name, len(points), sum.tried, sum.ended, sum.elsewhere, sum.missed)
	sum.judge(t, s)
}

// tryFailure lets one call fail and counts what comes of it.
func (l *life) tryFailure(t *testing.T, p failurePoint, sum *tally) {
	t.Helper()
	step, site := l.steps[p.step], p.at.site(l.dir)
	f := l.fail(t, p)
	if !f.met {
		sum.missed++
		t.Logf("not met: %s, %s, %s at %s", l.scene.name, step.name, p.fault.name, site)
		return
	}
	sum.tried++
	sum.roadmap = sum.roadmap || strings.Contains(site, closing.RoadmapPath)
	if f.code != step.code {
		sum.ended++
	}
	if f.elsewhere != "" {
		sum.elsewhere++
		t.Logf("a question of its own: %s, %s, %s at %s: %s", l.scene.name, step.name, p.fault.name, site, f.elsewhere)
	}
	if f.complaint != "" {
		t.Errorf("%s, %s, %s at %s number %d (%s), exit code %d: %s",
			l.scene.name, step.name, p.fault.name, p.at.name, p.at.nth, site, f.code, f.complaint)
	}
}

// judge says where too little was tried for the claim. A share is one of what was meant to fail; a thinned run has too
// few for it.
func (sum tally) judge(t *testing.T, s scene) {
	t.Helper()
	if *every > 1 {
		return
	}
	if all := sum.tried + sum.missed; tooMany(sum.missed, all) {
		t.Errorf("%s: %d of %d calls that were to fail were not met", s.name, sum.missed, all)
	}
	if sum.elsewhere*10 > sum.tried {
		t.Errorf("%s: %d of %d failed calls ended in a question of their own: nothing shows that the run could go on", s.name, sum.elsewhere, sum.tried)
	}
	// Its calls follow each other, so each part has some.
	if s.roadmap && !sum.roadmap {
		t.Errorf("%s: no call on %s failed", s.name, closing.RoadmapPath)
	}
}

// tooMany says whether so many of what was to be hit were not met that the rest shows too little. A few are not met each
// time: how many calls a run makes depends on what else the machine does.
func tooMany(missed, all int) bool { return missed > 1+all/10 }

// failurePoints are the calls that are to fail: of each kind in each command the first, and where each call is hit every
// start of a child, each in one of its ways, in turn; with full all of them, in all their ways.
func (l *life) failurePoints(t *testing.T) []failurePoint {
	t.Helper()
	var points []failurePoint
	seen := map[string]bool{}
	for i, step := range l.steps {
		if l.first && i > 0 {
			break
		}
		l.begin(t, i)
		calls, _, _ := l.strace(t, step.args)
		alike, processes := map[string]int{}, map[string]int{}
		kinds := l.kinds(calls)
		for n, at := range calls {
			alike[at.site(l.dir)]++
			if at.ofProcess() {
				processes[at.name]++
			}
			kind := step.args[0] + " " + kinds[n]
			again := seen[kind] && !*full
			if !l.mayFail(at) || l.known[kinds[n]] || again && (l.once || !at.child()) {
				continue
			}
			seen[kind] = true
			faults := at.faults()
			if !*full {
				faults = faults[(len(points)+int(*seed))%len(faults):][:1]
			}
			for _, f := range faults {
				points = append(points, failurePoint{i, at, alike[at.site(l.dir)], at.nth - processes[at.name], f})
			}
		}
	}
	return points
}

// failure is what came of a call that was to fail.
type failure struct {
	code      int
	met       bool             // strace met the call
	elsewhere machine.GateKind // the question that the run asks instead of that of its step
	complaint string
}

// routine are the questions that a scene comes to by itself. They are answered, by its next step or by --yes.
var routine = []machine.GateKind{machine.GateApprovePlan, machine.GateCheckpoint, machine.GateContinue}

// fail lets one call of a step fail, and resumes.
func (l *life) fail(t *testing.T, p failurePoint) failure {
	t.Helper()
	calls, f, said := l.inject(t, p)
	if !f.met {
		return f
	}
	if f.complaint = l.endsWell(t, f.code, p, said); f.complaint != "" {
		return f
	}
	if f.complaint = relied(calls); f.complaint != "" {
		return f
	}
	if asks := l.asks(); asks != "" && !slices.Contains(routine, asks) {
		// What could not be checked or done is a person's to decide on, and the fault is what the question tells.
		f.elsewhere = asks
		if !strings.Contains(strings.ToLower(said), p.fault.words) {
			f.complaint = fmt.Sprintf("it asks %s, and does not say %q: %s", asks, p.fault.words, said)
		}
		return f
	}
	f.complaint = l.resume(t, p.step, min(p.step+1, len(l.steps)-1))
	return f
}
