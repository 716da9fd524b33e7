package sessions

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"autopilot/autopilot/machine"
	"autopilot/sessions/storage"
)

// setBack is a session whose clock is set back by a day, with a question that was asked before.
func setBack(t *testing.T) (s *Session, dir string, set func(time.Time)) {
	t.Helper()
	now := time.Now()
	dir = sessionDir(t)
	opts := on(storage.OSDisk{})
	opts.Now = func() time.Time { return now }
	s, err := Create(dir, first(), opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	apply(t, s, machine.Event{Type: machine.GateRaised})
	now = now.Add(-24 * time.Hour).Round(0)
	return s, dir, func(at time.Time) { now = at }
}

func TestTimeGoesOnFromTheLastEventWhereTheClockWasSetBack(t *testing.T) {
	s, _, set := setBack(t)
	asked, now := s.State().UpdatedAt, s.opts.Now()
	for _, passed := range []time.Duration{0, 5 * time.Second, time.Minute} {
		set(now.Add(passed))
		apply(t, s, machine.Event{Type: machine.Noted})
		if got := s.State().UpdatedAt.Sub(asked); got != passed {
			t.Errorf("%s after the clock was set back, %s have passed in the journal", passed, got)
		}
	}
}

func TestAnAnswerIsTakenAlthoughTheClockWasSetBack(t *testing.T) {
	s, dir, _ := setBack(t)
	if err := PostAnswer(dir, machine.Answer{Gate: "g2", Option: "yes"}); err != nil {
		t.Fatal(err)
	}
	yesterday := s.opts.Now()
	if err := os.Chtimes(filepath.Join(dir, inboxName, "g2.json"), yesterday, yesterday); err != nil {
		t.Fatal(err)
	}
	if files := theInbox(t, s); len(files) != 1 || files[0].Problem != "" {
		t.Errorf("the inbox: %+v", files)
	}
}
