//go:build crash && linux

package cmd_test

import (
	"path/filepath"
	"regexp"
	"testing"
)

// twoPhases goes from the end of a first phase into a second one and on to the end of the session, where the commands of
// the first phase run once more. Without full it is hit only where one phase has nothing like it.
func twoPhases() scene {
	run := []string{"docs/spec.md", "--fast", "--non-interactive", "--replay", "../replay.yaml"}
	place := func(t *testing.T, program string) *place {
		l := &life{place: newStoryPlace(t, "resume", "crashtwo.txtar"), program: program}
		if code, said := l.exec(t, program, run...); code != 3 {
			t.Fatalf("the first phase: exit code %d:\n%s", code, said)
		}
		return l.place
	}
	return scene{name: "two phases", place: place, once: true, beyond: onePhase, steps: []step{{name: "second phase", args: append(run, "--yes")}}}
}

// kindsOf are the kinds of calls that a scene has, with an event and without.
func (s scene) kindsOf(t *testing.T, program string) map[string]bool {
	t.Helper()
	l := s.live(t, program, "")
	l.known = map[string]bool{}
	for i, step := range s.steps {
		l.begin(t, i)
		calls, _, _ := l.strace(t, step.args)
		for n, kind := range l.kinds(calls) {
			l.known[kind], l.known[calls[n].site(l.dir)] = true, true
		}
	}
	return l.known
}

// kinds tell calls apart by what they do to which kind of file. Beside what another scene has, the event counts too that
// was journaled last: what comes behind another one is another moment of the run.
func (l *life) kinds(calls []call) []string {
	var kinds []string
	behind := ""
	for _, c := range calls {
		if m := journaled.FindSubmatch(c.data); m != nil && l.known != nil && filepath.Base(c.paths[0]) == "events.jsonl" {
			behind = string(m[1]) + ", "
		}
		kinds = append(kinds, behind+c.site(l.dir))
	}
	return kinds
}

var journaled = regexp.MustCompile(`"type":"([a-z_]+)"`)
