//go:build crash && linux

package cmd_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"autopilot/autopilot/machine"
	"autopilot/sessions"
)

// endsWell says what is wrong with how a step ended in which a call failed: an exit code that promises something else than
// what is there, or a failure that nobody is told of.
func (l *life) endsWell(t *testing.T, code int, p failurePoint, said string) string {
	t.Helper()
	switch {
	case strings.Contains(said, "goroutine "):
		return "it breaks off: " + said
	case !l.keptPromise(t, code, p):
		return fmt.Sprintf("the exit code %d is not what it should be: %s", code, said)
	case code != l.steps[p.step].code && !strings.Contains(strings.ToLower(said), p.fault.words):
		return fmt.Sprintf("it does not say %q: %s", p.fault.words, said)
	}
	return ""
}

// keptPromise says whether an exit code is true: 0 with nothing left to do, 3 with a question that waits, 2 where a new
// session may not be written. No backend is missing here, no limit is reached, and no other run is there.
func (l *life) keptPromise(t *testing.T, code int, p failurePoint) bool {
	t.Helper()
	switch code {
	case 0:
		return l.steps[p.step].code == 0 && l.worked(t, p.step)
	case 1:
		return true
	case 2:
		_, err := os.Lstat(filepath.Join(l.fresh[p.step], ".harness", "sessions", "spec"))
		return p.fault == noRight && err != nil
	case 3:
		return l.asks() != ""
	}
	return false
}

// worked says whether what a step is there for has happened.
func (l *life) worked(t *testing.T, i int) bool {
	t.Helper()
	step := l.steps[i]
	switch {
	case step.done != nil:
		return step.done(t, l.place)
	case step.answer != "":
		return l.asks() != step.answer
	}
	s, _, err := sessions.Read(l.session(), sessions.Options{Now: time.Now})
	return err == nil && s.CurrentState == machine.Done
}
