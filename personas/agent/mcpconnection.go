package agent

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"strings"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"autopilot/autopilot/process"
	"autopilot/autopilot/tail"
)

// closeGrace is how long a server may take to end by itself once its input has.
const closeGrace = time.Second

// connection is a server that was started.
type connection struct {
	session *mcp.ClientSession
	input   *io.PipeWriter     // of the server
	answers *io.PipeReader     // what it writes
	kill    context.CancelFunc // orders the end of its tree
	ended   chan struct{}      // closed when nothing of the tree is left
	words   *lastWords

	err error // for after ended: why it could not be run
}

// connect starts a server and greets it. Its processes live until close, which
// the end of the dispatch calls, and not until ctx ends.
func connect(ctx context.Context, g *guest) (*connection, error) {
	running, kill := context.WithCancel(context.WithoutCancel(ctx))
	fromUs, input := io.Pipe()
	answers, toUs := io.Pipe()
	c := &connection{input: input, answers: answers, kill: kill, ended: make(chan struct{}), words: &lastWords{tail: tail.Writer{Limit: 500}}}
	errs := g.mask.Writer(c.words)
	command := process.Command{
		Argv: g.server.Command, Dir: g.d.Dir, Env: g.environ, Stdin: fromUs, Output: &messages{to: toUs}, Errors: errs,
		LockFile: g.d.LockFile, Grace: closeGrace,
	}
	go func() {
		_, c.err = process.Run(running, command)
		_ = errors.Join(errs.Close(), fromUs.Close(), toUs.Close()) // closing a pipe never fails, nor do words that are kept
		close(c.ended)
	}()
	client := mcp.NewClient(&mcp.Implementation{Name: "autopilot", Version: "1"}, &mcp.ClientOptions{
		Capabilities: &mcp.ClientCapabilities{}, Logger: slog.New(slog.DiscardHandler),
	})
	var err error
	c.session, err = client.Connect(ctx, &mcp.IOTransport{Reader: answers, Writer: input}, &mcp.ClientSessionOptions{ProtocolVersion: plainVersion})
	if err == nil {
		return c, nil
	}
	if ctx.Err() != nil {
		err = errors.New("it did not greet in time")
	}
	c.close(0)
	if _, ok := errors.AsType[*process.StartError](c.err); ok {
		return nil, c.err
	}
	return nil, errors.New(err.Error() + c.lastWords())
}

// gone says whether the server has ended.
func (c *connection) gone() bool {
	select {
	case <-c.ended:
		return true
	default:
		return false
	}
}

// close ends the server and waits until nothing of its tree is left.
func (c *connection) close(grace time.Duration) {
	_ = c.input.Close()
	if grace > 0 {
		select {
		case <-c.ended:
		case <-time.After(grace):
		}
	}
	c.kill()
	_ = c.answers.Close()
	<-c.ended
	if c.session != nil {
		_ = c.session.Close()
	}
}

// lastWords is what the server wrote to standard error last, for a message.
func (c *connection) lastWords() string {
	words := c.words.String()
	if words == "" {
		return ""
	}
	return "; its last words: " + words
}

// messages lets only lines through that may be messages: some servers greet the
// terminal where the protocol belongs.
type messages struct {
	to   io.Writer
	pass bool // of the line that is being written
	mid  bool // a line is being written
}

func (m *messages) Write(p []byte) (int, error) {
	n := len(p)
	for len(p) > 0 {
		if !m.mid {
			if p = bytes.TrimLeft(p, " \t\r\n"); len(p) == 0 {
				break
			}
			m.mid, m.pass = true, p[0] == '{' || p[0] == '['
		}
		line := p
		if end := bytes.IndexByte(p, '\n'); end >= 0 {
			line, m.mid = p[:end+1], false
		}
		p = p[len(line):]
		if m.pass {
			if _, err := m.to.Write(line); err != nil {
				return n - len(p), err
			}
		}
	}
	return n, nil
}

// lastWords keeps the last of what is written to it, which was masked before: it may begin anywhere.
type lastWords struct {
	mu   sync.Mutex
	tail tail.Writer
}

func (l *lastWords) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.tail.Write(p)
}

func (l *lastWords) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return strings.TrimSpace(strings.ToValidUTF8(l.tail.String(), ""))
}
