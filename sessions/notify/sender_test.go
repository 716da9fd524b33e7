package notify

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// channel takes what it is sent, after it failed a number of times.
type channel struct {
	name  string
	fails int
	hangs bool

	mu    sync.Mutex
	tries []time.Duration // since the clock of the test began
	took  []string
}

func (c *channel) Name() string { return c.name }

func (c *channel) Send(ctx context.Context, n Notice) error {
	if c.hangs {
		<-ctx.Done()
		return ctx.Err()
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.tries = append(c.tries, time.Since(began))
	if c.fails > 0 {
		c.fails--
		return errors.New("no")
	}
	c.took = append(c.took, n.ID)
	return nil
}

// began is when the clock of each bubble begins.
var began = time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)

// warnings collects what a sender warns of.
type warnings struct {
	mu   sync.Mutex
	said []string
}

func (w *warnings) warn(text string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.said = append(w.said, text)
}

func TestANoticeIsTriedThreeTimesWithinTwoMinutes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var w warnings
		ok, bad := &channel{name: "ok", fails: 2}, &channel{name: "bad", fails: 1000}
		s := NewSender([]Channel{ok, bad}, "", w.warn)
		s.Send(Notice{ID: "a/1"})
		time.Sleep(2 * time.Minute)
		synctest.Wait()
		if want := []time.Duration{0, 15 * time.Second, 75 * time.Second}; !slices.Equal(ok.tries, want) || !slices.Equal(bad.tries, want) {
			t.Errorf("tried after %s and %s, want %s", ok.tries, bad.tries, want)
		}
		for _, id := range []string{"a/2", "a/3", "a/4", "a/5"} {
			s.Send(Notice{ID: id})
			time.Sleep(2 * time.Minute)
		}
		s.Close(time.Second)
		if want := []string{"a/1", "a/2", "a/3", "a/4", "a/5"}; !slices.Equal(ok.took, want) {
			t.Errorf("arrived: %q", ok.took)
		}
		if len(bad.tries) != enough*len(pauses) {
			t.Errorf("a channel that fails was tried %d times", len(bad.tries))
		}
		if want := []string{"couldn't send a notice by bad: no"}; !slices.Equal(w.said, want) {
			t.Errorf("warned of %q", w.said)
		}
	})
}

func TestAChannelThatHangsHoldsNobodyUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var w warnings
		ok, stuck := &channel{name: "ok"}, &channel{name: "stuck", hangs: true}
		s := NewSender([]Channel{stuck, ok}, "", w.warn)
		for range 100 {
			s.Send(Notice{ID: time.Now().String()})
			time.Sleep(time.Millisecond)
		}
		if got := time.Since(began); got != 100*time.Millisecond {
			t.Errorf("sending took %s", got)
		}
		s.Close(5 * time.Second)
		if got := time.Since(began).Round(time.Second); got != 5*time.Second {
			t.Errorf("with the end it took %s", got)
		}
		if len(ok.took) != 100 || len(w.said) != 1 {
			t.Errorf("%d arrived elsewhere, warned of %q", len(ok.took), w.said)
		}
	})
}

func TestTheEndDoesNotWaitForAPause(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := &channel{name: "late", fails: 1}
		s := NewSender([]Channel{c}, "", func(string) {})
		s.Send(Notice{ID: "a/1"})
		synctest.Wait()
		s.Close(5 * time.Second)
		if time.Since(began) != 0 || len(c.took) != 1 {
			t.Errorf("after %s arrived: %q", time.Since(began), c.took)
		}
	})
}

// TestAKillBeforeItWasNotedSendsTheSameAgain: at least once, with the same id; what was noted is not sent again.
func TestAKillBeforeItWasNotedSendsTheSameAgain(t *testing.T) {
	path := filepath.Join(t.TempDir(), "session", SentName)
	c := &channel{name: "hook"}
	run := func(killed bool, ids ...string) {
		s := NewSender([]Channel{c}, path, func(text string) { t.Error(text) })
		if killed {
			s.sent.path = "" // it was sent, and the process ended before the file was written
		}
		for _, id := range ids {
			s.Send(Notice{ID: id})
			s.Send(Notice{ID: id})
		}
		s.Close(time.Minute)
	}
	run(false, "a/1")
	run(true, "a/1", "a/2")
	run(false, "a/1", "a/2")
	run(false, "a/1", "a/2", "a/3")
	if want := []string{"a/1", "a/2", "a/2", "a/3"}; !slices.Equal(c.took, want) {
		t.Errorf("arrived: %q, want %q", c.took, want)
	}
}
