package notify

import (
	"context"
	"fmt"
	"sync"
	"time"
)

// Channel is one way to tell a person. Send returns soon after its context ended.
type Channel interface {
	Name() string // for people; no two channels of a sender have the same
	Send(ctx context.Context, n Notice) error
}

// pauses are waited before each try to send a notice.
var pauses = []time.Duration{0, 15 * time.Second, time.Minute}

const (
	// tryTime is how long one try may take. With the pauses all tries take less than two minutes.
	tryTime = 10 * time.Second
	// enough notices in a row that a channel did not take: it gets no more.
	enough = 3
	// waiting notices, at most, for a channel that takes its time; further ones are dropped.
	waiting = 32
)

// Sender sends notices in the background, over each channel in their order. The channels do not wait for each other.
type Sender struct {
	sent    *sentFile
	warn    func(text string)
	lines   []*line
	ctx     context.Context // ends when Close has waited long enough
	cancel  context.CancelFunc
	closing chan struct{}
	running sync.WaitGroup
}

// line is a channel with what waits for it.
type line struct {
	Channel

	queue  chan Notice
	failed int // notices in a row
	warned bool
}

// NewSender starts a sender. path is the file of what was sent; "": nothing is remembered. warn is told once of each channel that
// fails, from a goroutine of its own.
func NewSender(channels []Channel, path string, warn func(text string)) *Sender {
	s := &Sender{sent: readSent(path), warn: warn, closing: make(chan struct{})}
	s.ctx, s.cancel = context.WithCancel(context.Background())
	for _, c := range channels {
		l := &line{Channel: c, queue: make(chan Notice, waiting)}
		s.lines = append(s.lines, l)
		s.running.Go(func() { s.work(l) })
	}
	return s
}

// Send has a notice sent over each channel that has not taken it yet. It waits for nothing. Once the sender is closed, nothing is
// sent.
func (s *Sender) Send(n Notice) {
	select {
	case <-s.closing:
		return
	default:
	}
	for _, l := range s.lines {
		if !s.sent.claim(n.ID, l.Name()) {
			continue
		}
		select {
		case l.queue <- n:
		default:
		}
	}
}

// Close ends the sender. What was not sent yet is tried once more, for as long as that; the rest is left to the next run.
func (s *Sender) Close(longest time.Duration) {
	close(s.closing)
	for _, l := range s.lines {
		close(l.queue)
	}
	late := time.AfterFunc(longest, s.cancel)
	defer late.Stop()
	s.running.Wait()
	s.cancel()
}

// work sends what comes for a channel.
func (s *Sender) work(l *line) {
	for n := range l.queue {
		if l.failed == enough || s.ctx.Err() != nil {
			continue
		}
		err := s.try(l, n)
		if err == nil {
			err = s.sent.add(n.ID, l.Name())
			l.failed = 0
		} else {
			l.failed++
		}
		if err != nil && !l.warned {
			l.warned = true
			s.warn(fmt.Sprintf("couldn't send a notice by %s: %v", l.Name(), err))
		}
	}
}

// try sends a notice, several times where it has to.
func (s *Sender) try(l *line, n Notice) (err error) {
	for _, pause := range pauses {
		if !s.pause(pause) {
			return err
		}
		if err = Once(s.ctx, l.Channel, n); err == nil {
			return nil
		}
	}
	return err
}

// Once sends a notice, and gives the channel ten seconds for it.
func Once(ctx context.Context, c Channel, n Notice) error {
	ctx, end := context.WithTimeout(ctx, tryTime)
	defer end()
	return c.Send(ctx, n)
}

// pause waits between two tries, and says whether to try again. While the sender closes it does not wait.
func (s *Sender) pause(d time.Duration) bool {
	wait := time.NewTimer(d)
	defer wait.Stop()
	select {
	case <-wait.C:
	case <-s.closing:
	}
	return s.ctx.Err() == nil
}
