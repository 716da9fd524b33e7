package console

import (
	"bufio"
	"context"
	"fmt"
	"io"

	"autopilot/autopilot/halt"
)

// typed hands over what a person types, line by line. A line is read only once one is wanted: what the program has not
// read can still be thrown away at the terminal.
type typed struct {
	in     io.Reader
	forget func() error // Host.Forget
	lines  *bufio.Scanner
	held   chan string // of the read under way, which cannot be called off: the next who wants a line takes it over
}

func newTyped(in io.Reader, forget func() error) *typed {
	return &typed{in: in, forget: forget, lines: bufio.NewScanner(in)}
}

// afresh throws away what was typed so far, at the terminal and in the hand of the reader, so that it answers no
// question that is asked from now on. What comes from elsewhere than a terminal all counts.
func (t *typed) afresh() error {
	if t.forget == nil {
		return nil
	}
	if err := t.forget(); err != nil {
		return fmt.Errorf("%w, since what was typed before cannot be thrown away: %w", halt.ErrNobody, err)
	}
	select {
	case <-t.held:
		t.held = nil
	default: // nothing came to the read under way: what comes is typed below the question
	}
	if t.held == nil {
		t.lines = bufio.NewScanner(t.in)
	}
	return nil
}

// line waits for a line. It returns ErrStop at the end of the input.
func (t *typed) line(ctx context.Context) (string, error) {
	if t.held == nil {
		t.held = make(chan string, 1)
		go oneLine(t.lines, t.held)
	}
	select {
	case <-ctx.Done():
		return "", ctx.Err()
	case line, ok := <-t.held:
		t.held = nil
		if !ok {
			return "", halt.ErrStop
		}
		return line, nil
	}
}

// oneLine hands a line over, or closes held at the end of the input.
func oneLine(lines *bufio.Scanner, held chan<- string) {
	if !lines.Scan() {
		close(held)
		return
	}
	held <- lines.Text()
}
