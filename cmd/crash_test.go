//go:build crash && linux

package cmd_test

import (
	"flag"
	"fmt"
	"os/exec"
	"path/filepath"
	"testing"
)

// TestCrash hits the real program at its system calls. `make crash` runs it; the program is built with the tag crash,
// which keeps the calls of the main goroutine on one thread, and with which a bug can be put into the store.
func TestCrash(t *testing.T) {
	if _, err := exec.LookPath("strace"); err != nil {
		t.Fatal("strace is missing: apt-get install strace")
	}
	program := filepath.Join(t.TempDir(), "autopilot")
	if out, err := exec.Command("go", "build", "-tags", "crash", "-o", program, "./autopilot").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	t.Run("seeded bugs are found", func(t *testing.T) {
		t.Parallel()
		for _, bug := range seededBugs {
			t.Run(bug, func(t *testing.T) { finds(t, program, bug) })
		}
	})
	t.Run("power cuts", func(t *testing.T) {
		t.Parallel()
		onePhase().cutAnywhere(t, program)
	})
	for shard := range shards {
		for _, s := range []scene{onePhase(), twoPhases(), resumed(), claim(), wave()} {
			t.Run(fmt.Sprintf("killed, %s, part %d", s.name, shard+1), func(t *testing.T) {
				t.Parallel()
				s.killed(t, program, shard)
			})
			t.Run(fmt.Sprintf("failing, %s, part %d", s.name, shard+1), func(t *testing.T) {
				t.Parallel()
				s.failing(t, program, shard)
			})
		}
	}
}

// shards is in how many parts, beside each other, the points are taken.
const shards = 2

// every thins out the points, for a quick look.
var every = flag.Int("every", 1, "of how many points of the crash tests one is taken")

// stride is of how many calls one is hit besides the first of each kind.
const stride = 20

// killed kills each step at its points, and resumes it.
func (s scene) killed(t *testing.T, program string, shard int) {
	l := s.live(t, program, "")
	for i, step := range s.steps {
		if s.first && i > 0 {
			break
		}
		l.begin(t, i)
		calls, code, said := l.strace(t, step.args)
		if code != step.code {
			t.Fatalf("%s, traced: exit code %d:\n%s", step.name, code, said)
		}
		points, met := l.points(calls, s.once || step.answer != "" && i > 1), map[string]bool{}
		hits, aimed := 0, 0
		for n, at := range points {
			if n%shards != shard || (n/shards+int(*seed))%*every != 0 {
				continue
			}
			aimed++
			last := i
			if step.answer != "" {
				last = i + 1 // what shows the answer is written by the next run, if a kill kept it from being
			}
			if *full || n/shards%10 == 0 {
				last = len(s.steps) - 1
			}
			hit, complaint := l.kill(t, i, last, at)
			if complaint != "" {
				t.Errorf("%s, %s, killed at %s number %d (%s): %s", s.name, step.name, at.name, at.nth, hit, complaint)
			}
			if hit != "" {
				hits++
				met[hit] = true
			}
		}
		t.Logf("%s, %s: %d points, %d kills, of %d kinds; %d met nothing", s.name, step.name, len(points), hits, len(met), aimed-hits)
		if *every == 1 && (hits == 0 || tooMany(aimed-hits, aimed)) {
			t.Errorf("%s, %s: of %d kills %d met nothing", s.name, step.name, aimed, aimed-hits)
		}
	}
}

// kill kills one step at one call and resumes it. It names the call that was met; "" where the run came to its end first.
func (l *life) kill(t *testing.T, i, last int, at call) (hit, complaint string) {
	t.Helper()
	l.begin(t, i)
	calls, code, said := l.strace(t, l.steps[i].args, append(inject(at, "signal=KILL"), withoutData...)...)
	if code != killed {
		if code != l.steps[i].code {
			return "nothing", fmt.Sprintf("exit code %d: %s", code, said)
		}
		return "", ""
	}
	met := calls[len(calls)-1]
	hit = met.site(l.dir)
	if complaint = l.healthy(i > 0); complaint != "" {
		return hit, complaint
	}
	return hit, l.resume(t, i, last)
}
