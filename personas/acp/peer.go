package acp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"time"

	acp "github.com/coder/acp-go-sdk"

	"autopilot/autopilot/process"
	"autopilot/personas/command"
)

// peer is a program that was started, and the connection to it.
type peer struct {
	conn  *acp.Connection
	input *io.PipeWriter     // of the program
	kill  context.CancelFunc // orders the end of its tree
	ended chan struct{}      // closed when nothing of the tree is left

	greeted bool

	result process.Result // both are for after ended
	err    error
}

// problem is the error of a program that has ended, once.
func (p *peer) problem() error {
	err := p.err
	p.err = nil
	return err
}

// start starts the program of a turn. That it could not be started is seen as its
// end.
func start(ctx context.Context, t command.Turn, s *speaker) *peer {
	ctx, kill := context.WithCancel(context.WithoutCancel(ctx))
	fromUs, input := io.Pipe()
	toUs, answers := io.Pipe()
	p := &peer{input: input, kill: kill, ended: make(chan struct{})}
	p.conn = acp.NewConnection(s.handle, input, toUs)
	p.conn.SetLogger(slog.New(slog.DiscardHandler))
	out := t.Record(&command.Lines{Take: func(line []byte) { s.receive(line, answers) }, TooLong: func() {
		s.said().Notice(fmt.Sprintf("a message of more than %d MB was passed over", command.LongestLine>>20))
	}})
	noise := t.Record(&command.Lines{Take: func(line []byte) { s.said().Noise(line) }})
	c := t.Command
	c.Stdin, c.Output, c.Errors = fromUs, out, noise
	go func() { // a connection that gave up must not hold up the output
		<-p.conn.Done()
		toUs.Close()
	}()
	go func() {
		p.result, p.err = process.Run(ctx, c)
		_ = out.Close() // what fails here failed in Run before
		_ = noise.Close()
		p.over(fromUs, answers)
	}()
	return p
}

// over ends the connection to a program that has ended. Whoever writes to it meets an error then, and has to find that it
// ended.
func (p *peer) over(fromUs *io.PipeReader, answers *io.PipeWriter) {
	p.kill()
	close(p.ended)
	fromUs.Close()
	answers.Close()
}

// gone says whether no program runs.
func (p *peer) gone() bool {
	if p == nil {
		return true
	}
	select {
	case <-p.ended:
		return true
	default:
		return false
	}
}

// ending says whether the program is gone, or does not speak any more.
func (p *peer) ending() bool {
	select {
	case <-p.ended:
		return true
	case <-p.conn.Done():
		p.kill()
		return true
	default:
		return false
	}
}

// stop ends the program at once.
func (p *peer) stop() {
	p.kill()
	<-p.ended
}

// close lets the program end by itself, and makes it after a while. That is not
// told apart: its turns are over.
func (p *peer) close(grace time.Duration) error {
	p.input.Close()
	select {
	case <-p.ended:
	case <-time.After(grace):
		p.stop()
	}
	return p.problem()
}

// request asks the program, and waits for its answer or its end.
func request[T any](ctx context.Context, p *peer, method string, params any) (T, error) {
	type answer struct {
		value T
		err   error
	}
	answered := make(chan answer, 1)
	go func() { // a program that reads nothing must not hold this up
		value, err := acp.SendRequest[T](p.conn, ctx, method, params)
		answered <- answer{value, err}
	}()
	var a answer
	select {
	case a = <-answered:
	case <-ctx.Done():
		return a.value, errNoAnswer
	case <-p.ended:
		a = <-answered // it comes, since the connection is over
	}
	if cutOff(a.err) {
		a.err = errNoAnswer
	}
	return a.value, a.err
}

// cutOff says whether an error is the connection's own, of a program that has gone.
func cutOff(err error) bool {
	var own *acp.RequestError
	if !errors.As(err, &own) {
		return false
	}
	data, _ := own.Data.(map[string]any)
	text, _ := data["error"].(string)
	return strings.HasPrefix(text, "peer disconnected") || text == io.ErrClosedPipe.Error()
}

// envelope is what tells the kinds of messages apart.
type envelope struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params json.RawMessage `json:"params"`
}

// receive takes a line of the program. Notifications are heard here, in their
// order and no faster than they are understood: the connection would give up on
// a program that sends more than a thousand at once.
func (s *speaker) receive(line []byte, answers io.Writer) {
	var e envelope
	switch err := json.Unmarshal(line, &e); {
	case err != nil, e.ID == nil && e.Method == "":
		s.said().Noise(line)
	case e.ID != nil:
		_, _ = answers.Write(append(line, '\n')) // refused only when the connection is over
	case e.Method == acp.ClientMethodSessionUpdate:
		s.update(e.Params)
	}
}

// said hears the turn that goes on.
func (s *speaker) said() *command.Said { return s.turn.Load().Said }
