//go:build crash && linux

package cmd_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"autopilot/autopilot/machine"
	"autopilot/sessions"
)

// step is one command of a scene, and the exit code that it comes to when nothing happens to it.
type step struct {
	name   string
	args   []string
	code   int
	answer machine.GateKind                  // the question that it answers; "": it answers none
	done   func(t *testing.T, p *place) bool // says that it must not be typed again; nil: it may
}

// scene is a story in steps. What is hit in a step is resumed to the end of that step at least.
type scene struct {
	name  string
	steps []step
	place func(t *testing.T, program string) *place
	once  bool                             // it is hit at each kind of call, and a few more, not at each call
	first bool                             // its first step alone is hit
	end   func(t *testing.T, p *place) any // what a step leaves behind; nil: all that belongs to a session

	roadmap bool         // it comes to where the roadmap is written: calls on that have to fail too
	beyond  func() scene // without full it is hit only where this scene has no call of the kind; nil: everywhere
}

// life is a scene that is lived through without anything happening to it, with a copy of the repository before each step
// and what each step came to.
type life struct {
	*place
	scene
	program string
	bug     string // what the store does wrong
	fresh   []string
	want    []stepEnd
	known   map[string]bool // the kinds of calls of the scene that this one goes beyond
}

// stepEnd is what a step leaves behind.
type stepEnd struct {
	Ending any
	Gate   machine.GateKind
}

func placeOf(story string) func(*testing.T, string) *place {
	return func(t *testing.T, _ string) *place { return newStoryPlace(t, "resume", story) }
}

// onePhase is a whole spec, which stops at each of its three questions.
func onePhase() scene {
	run := []string{"docs/spec.md", "--non-interactive", "--replay", "../replay.yaml"}
	yes := []string{"answer", "docs/spec.md", "yes"}
	return scene{name: "one phase", place: placeOf("crash.txtar"), roadmap: true, steps: []step{
		{name: "plan", args: run, code: 3},
		{name: "approve", args: yes, answer: machine.GateApprovePlan},
		{name: "execute", args: run, code: 3},
		{name: "look", args: yes, answer: machine.GateCheckpoint},
		{name: "verify", args: run, code: 3},
		{name: "continue", args: yes, answer: machine.GateContinue},
		{name: "finish", args: run},
	}}
}

func (s scene) live(t *testing.T, program, bug string) *life {
	t.Helper()
	l := &life{place: s.place(t, program), scene: s, program: program, bug: bug}
	for i, step := range s.steps {
		l.fresh = append(l.fresh, filepath.Join(l.dir, fmt.Sprintf("fresh-%d", i)))
		copyTree(t, l.repo, l.fresh[i])
		if code, said := l.exec(t, program, step.args...); code != step.code {
			t.Fatalf("%s: exit code %d, want %d:\n%s%s", step.name, code, step.code, said, l.journal(t))
		}
		l.want = append(l.want, l.outcome(t))
	}
	if s.beyond != nil && !*full {
		l.known = s.beyond().kindsOf(t, program)
	}
	return l
}

func (l *life) outcome(t *testing.T) stepEnd {
	t.Helper()
	if l.end != nil {
		return stepEnd{Ending: l.end(t, l.place)}
	}
	o := stepEnd{Ending: l.ending(t)}
	if gate := l.state(t).Gate; gate != nil {
		o.Gate = gate.Kind
	}
	return o
}

// begin puts the repository as it was before a step.
func (l *life) begin(t *testing.T, i int) {
	t.Helper()
	again := filepath.Join(l.dir, "again")
	copyTree(t, l.fresh[i], again)
	l.restore(t, again)
}

// resume types the command of a step again, and those of the steps after it until last, and compares what comes of it.
func (l *life) resume(t *testing.T, i, last int) string {
	t.Helper()
	for ; i <= last; i++ {
		if said := l.through(t, l.steps[i]); said != "" {
			return said
		}
	}
	if diff := cmp.Diff(l.want[last], l.outcome(t)); diff != "" {
		return fmt.Sprintf("after %s it is otherwise (-uninterrupted +resumed):\n%s", l.steps[last].name, changedLines(diff))
	}
	if left := l.processes(t); len(left) > 0 {
		return fmt.Sprintf("processes are left over: %q", left)
	}
	return ""
}

// changedLines leaves out of a difference what is the same.
func changedLines(diff string) string {
	lines := slices.Collect(strings.Lines(diff))
	return strings.Join(slices.DeleteFunc(lines, func(line string) bool { return !strings.ContainsAny(line[:1], "+-") }), "")
}

// through types a command until it comes to its end; the supervisor of a killed run may hold the lock for a moment.
func (l *life) through(t *testing.T, s step) string {
	t.Helper()
	for end := time.Now().Add(time.Minute); ; {
		if s.answer != "" && l.asks() != s.answer || s.done != nil && s.done(t, l.place) {
			return ""
		}
		code, said := l.exec(t, l.program, s.args...)
		switch {
		case code == s.code:
			return ""
		case code != held || time.Now().After(end):
			return fmt.Sprintf("%s, resumed: exit code %d:\n%s", s.name, code, said)
		}
	}
}

// asks is the question that is open, "" for none.
func (l *life) asks() machine.GateKind {
	s, _, err := sessions.Read(l.session(), sessions.Options{Now: time.Now})
	if err != nil || s.Gate == nil {
		return ""
	}
	return s.Gate.Kind
}

// processes are those that work in the place, once what is ending has ended.
func (l *life) processes(t *testing.T) []string {
	t.Helper()
	var left []string
	for range 100 {
		if left = workingIn(t, l.dir); len(left) == 0 {
			return nil
		}
		time.Sleep(10 * time.Millisecond)
	}
	return left
}

// healthy looks at what is left before anything is resumed: once there was a snapshot, there is a good one.
func (l *life) healthy(had bool) string {
	if l.end != nil {
		return ""
	}
	state := filepath.Join(l.session(), "autopilot-state.json")
	if _, err := os.Lstat(state); err != nil && had {
		return "there is no snapshot"
	}
	_, notes, err := sessions.Read(l.session(), sessions.Options{Now: time.Now})
	if len(notes) > 0 {
		return fmt.Sprintf("the snapshot: %q", notes)
	}
	if err != nil && had {
		return err.Error()
	}
	return ""
}

// points are the calls of a step at which to hit it: all that change something, or with once the first of each kind and a
// few more.
func (l *life) points(calls []call, once bool) []call {
	var all, some []call
	seen := map[string]bool{}
	chance := chance()
	kinds := l.kinds(calls)
	for n, c := range calls {
		if !c.changes() || l.known[kinds[n]] {
			continue
		}
		all = append(all, c)
		if kind := kinds[n]; !seen[kind] || l.known == nil && chance.IntN(stride) == 0 {
			seen[kind] = true
			some = append(some, c)
		}
	}
	if once && !*full {
		return some
	}
	return slices.Clip(all)
}
