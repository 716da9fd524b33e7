package command

import (
	"bytes"
	"context"
	"errors"
	"io"
	"sync"

	"autopilot/autopilot/process"
	"autopilot/autopilot/tail"
	"autopilot/personas"
	"autopilot/personas/limits"
)

// Speaker speaks with a program by a protocol, in one dispatch. It is used by one
// goroutine at a time.
type Speaker interface {
	// Ask has the program take its turn on a prompt, in the conversation of the
	// turn before. The program is started where it does not run. The result is zero
	// where the turn ended and the program runs on, whatever came of it; else it is
	// that of the program. An error means that it could not be started.
	Ask(ctx context.Context, t Turn) (process.Result, error)
	// Close ends the program and everything that it started.
	Close() error
}

// Turn is one prompt of a dispatch.
type Turn struct {
	Dispatch personas.Dispatch
	Prompt   string
	Command  process.Command // the program, for when it has to be started; its streams are the speaker's
	Model    string          // that is wanted; "": the program's own
	Keyed    bool            // a key is configured, and the program has it in its environment
	Servers  []personas.MCPServer
	Said     *Said
	Answered func() bool // whether the program has handed in what is meant as its reply
	// Record passes on what the program writes, without secrets, and keeps it in
	// the dispatch's output.log. Close is for the end of the stream.
	Record func(to io.Writer) io.WriteCloser
}

// Getenv looks a variable up in the program's environment; "": it is not set.
func (t Turn) Getenv(name string) string { return valueOf(t.Command.Env, name) }

// Failure is what a turn ended by.
type Failure struct {
	Status    int    // of HTTP, as far as it is known; 0: it is not
	Text      string // for people
	Body      string // the error as it came; "": Text is all of it
	Cancelled bool   // by somebody else
}

// Said is what a program says in a turn, as its Speaker tells it. Its methods may
// be called from any goroutine. What comes after the turn is not heard, and with
// the zero value nothing is.
type Said struct {
	mu   sync.Mutex
	s    *stream
	all  *tail.Writer
	note func(line string) error // of the log; nil: there is none
	over bool
}

func (s *Said) hears(f func(*stream)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.over && s.s != nil {
		f(s.s)
	}
}

// Text is a piece of the program's message.
func (s *Said) Text(piece string) {
	s.hears(func(heard *stream) {
		if !heard.open {
			piece = "\n\n" + piece
		}
		_, _ = s.all.Write([]byte(piece))
		heard.say(piece, true)
	})
}

// EndText says that the next piece begins another message.
func (s *Said) EndText() { s.hears((*stream).close) }

// Tool is a call of a tool, told as people read it.
func (s *Said) Tool(what string) { s.hears(func(heard *stream) { heard.tool(what, nil) }) }

// ToolFailed is a call that was answered with an error.
func (s *Said) ToolFailed(answer string) { s.hears(func(heard *stream) { heard.wrong(answer) }) }

// Notice is something that people should know. The log has it too.
func (s *Said) Notice(text string) {
	s.hears(func(heard *stream) {
		if s.note != nil {
			_ = s.note("!! " + text + "\n") // a log that cannot be written is told by the output, which goes there as well
		}
		heard.report("notice", text)
	})
}

// Noise is a line that belongs to no protocol.
func (s *Said) Noise(line []byte) {
	s.hears(func(heard *stream) {
		_, _ = heard.noise.Write(append(bytes.Clone(line), '\n'))
		heard.trouble(line)
	})
}

// Spent is usage that was not told before.
func (s *Said) Spent(u personas.Usage) { s.hears(func(heard *stream) { heard.spent(u) }) }

// SpentInAll is what the turn used so far. What of it was told before is not counted again.
func (s *Said) SpentInAll(u personas.Usage) {
	s.hears(func(heard *stream) { heard.spentInAll(u) })
}

// Done says that the turn ended, and why where that is not because the program
// was at its end.
func (s *Said) Done(why string) {
	s.hears(func(heard *stream) {
		if heard.done(); why != "" {
			heard.stop = " (" + why + ")"
		}
	})
}

// Failed says that the turn ended by an error.
func (s *Said) Failed(f Failure) { s.hears(func(heard *stream) { heard.fail(f.told()) }) }

// Retrying says that the program is getting over an error by itself.
func (s *Said) Retrying(f Failure) { s.hears(func(heard *stream) { heard.trying(f.told()) }) }

func (f Failure) told() failure {
	if f.Status == 0 {
		f.Status = limits.StatusIn(f.Text)
	}
	return failure{status: f.Status, text: f.Text, body: f.Body, cut: f.Cancelled}
}

// hear makes the stream for what a program says in a protocol.
func (w *work) hear() *stream {
	s := newStream(dialect{}, w.d, w.spend)
	s.known, s.mask = true, w.mask()
	return s
}

// ask has a program that is spoken to take its turn.
func (w *work) ask(ctx context.Context, c process.Command, r *ran) (err error) {
	if w.speaker == nil {
		w.speaker = w.b.o.Speaker()
	}
	r.turn = true
	said := &Said{s: r.said, all: r.tail, note: w.note}
	defer said.hears(func(*stream) { said.over = true })
	r.result, err = w.speaker.Ask(ctx, Turn{
		Dispatch: w.d, Prompt: r.prompt, Command: c, Model: w.b.o.Model, Keyed: w.call.keyEnv != "", Servers: w.call.servers, Said: said, Record: w.record,
		Answered: func() bool {
			said.mu.Lock()
			defer said.mu.Unlock()
			_, _, err := w.find(*r)
			return !errors.Is(err, personas.ErrNoReply)
		},
	})
	return err
}

// record is a mask in front of the log and of what else gets the output.
func (w *work) record(to io.Writer) io.WriteCloser {
	if w.log == nil {
		return w.mask().Writer(to)
	}
	return w.mask().Writer(io.MultiWriter(w.log, to))
}
