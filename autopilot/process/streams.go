package process

import (
	"fmt"
	"io"
	"os"
)

// streams are the two ends of a command's standard streams. Ours may be nil, and
// may be closed all the same: nothing is fed, standard error goes with the output.
type streams struct {
	theirs          [3]*os.File // standard input, output and error
	in, out, errors *os.File
}

func openStreams(c Command) (*streams, error) {
	s := &streams{}
	var err error
	if s.theirs[0], s.in, err = openStdin(c.Stdin); err != nil {
		return nil, err
	}
	s.out, s.theirs[1], err = os.Pipe()
	if s.theirs[2] = s.theirs[1]; err == nil && c.Errors != nil {
		s.errors, s.theirs[2], err = os.Pipe()
	}
	if err != nil {
		s.given()
		s.close()
		return nil, fmt.Errorf("opening a pipe for output: %w", err)
	}
	return s, nil
}

// given closes the command's ends, which it has by now.
func (s *streams) given() {
	for i, f := range s.theirs {
		if i < 2 || f != s.theirs[1] {
			f.Close()
		}
	}
}

func (s *streams) close() {
	s.in.Close()
	s.out.Close()
	s.errors.Close()
}

// openStdin gives the command's end and ours, which is nil when there is nothing
// to feed.
func openStdin(r io.Reader) (theirs, ours *os.File, err error) {
	if r == nil {
		theirs, err = os.Open(os.DevNull)
	} else {
		theirs, ours, err = os.Pipe()
	}
	if err != nil {
		return nil, nil, fmt.Errorf("opening standard input for a command: %w", err)
	}
	return theirs, ours, nil
}
