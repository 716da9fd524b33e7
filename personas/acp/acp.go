// Package acp is the backend that speaks the Agent Client Protocol with an agent
// program: the prompt goes to it as a turn of a session, its questions for
// permission are answered by what the persona may do, and what it does is heard
// while it works.
//
// What is common to all agent programs, such as their environment, their record
// and how a reply is found, is that of package command.
package acp

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"autopilot/autopilot/process"
	"autopilot/personas/command"
)

// How long a program gets to end by itself: its turn, when it is cancelled, and
// the whole of it, when no more is asked.
const (
	cancelGrace = 3 * time.Second
	closeGrace  = time.Second
)

// New makes a Backend. The arguments in o.Argv have the program speak the
// protocol on its standard streams.
func New(o command.Options) *command.Backend {
	o.Speaker = func() command.Speaker {
		return &speaker{cancelGrace: cancelGrace, closeGrace: closeGrace, calls: map[string]toolCall{}}
	}
	return command.New(o)
}

// speaker holds the conversation of one dispatch.
type speaker struct {
	cancelGrace, closeGrace time.Duration

	peer    *peer  // nil: no program was started
	session string // "": none is open
	told    greeting

	turn   atomic.Pointer[command.Turn] // what goes on; never nil once a program runs
	replay atomic.Bool                  // a session of before is told anew
	cut    atomic.Bool                  // the turn is cancelled
	denied atomic.Bool                  // a call was, and none was begun since

	mu    sync.Mutex
	calls map[string]toolCall // that are not over

	// Of the goroutine that reads what the program writes.
	message string  // which message the last piece of text belongs to
	cost    float64 // of the session, as far as it was told
}

// Ask has the program take its turn.
func (s *speaker) Ask(ctx context.Context, t command.Turn) (process.Result, error) {
	s.turn.Store(&t)
	s.cut.Store(false)
	elapsed := process.Stopwatch()
	result, err := s.ask(ctx, t)
	if result.Duration == 0 || !s.peer.gone() {
		result.Duration = elapsed()
	}
	return result, err
}

func (s *speaker) ask(ctx context.Context, t command.Turn) (process.Result, error) {
	ranOn := !s.peer.gone()
	err := s.talk(ctx, t)
	if err != nil && ctx.Err() == nil && ranOn && s.peer.ending() { // it was about to end
		<-s.peer.ended
		if err := s.peer.problem(); err != nil {
			return process.Result{}, err
		}
		err = s.talk(ctx, t)
	}
	switch {
	case err == nil:
		return process.Result{}, nil
	case ctx.Err() != nil:
		s.peer.stop()
		return process.Result{Interrupted: true}, s.peer.problem()
	case s.peer.ending():
		<-s.peer.ended
		if r := s.peer.result; r.ExitCode == 0 && r.TimedOut == process.NoLimit {
			t.Said.Failed(command.Failure{Text: "the program ended in the middle of its turn"})
		}
		return s.peer.result, s.peer.problem()
	}
	t.Said.Failed(s.failure(err))
	return process.Result{}, nil
}

// talk does the whole of a turn, with the program that runs or with a new one.
func (s *speaker) talk(ctx context.Context, t command.Turn) error {
	if s.peer.gone() {
		s.peer = start(ctx, t, s)
	}
	if err := s.open(ctx, t); err != nil {
		return err
	}
	return s.prompt(ctx, t)
}

// Close ends the program: it is told that nothing more will come, and then made to go.
func (s *speaker) Close() error {
	if s.peer == nil {
		return nil
	}
	return s.peer.close(s.closeGrace)
}

// errNoAnswer is a program that is gone, or was made to go.
var errNoAnswer = errors.New("the program gave no answer")
