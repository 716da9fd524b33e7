package cmd_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"time"

	"github.com/creack/pty"

	"autopilot/autopilot/process"
)

// atTerminal is the program `terminal FILE PROGRAM [ARG…]` of the stories. PROGRAM runs with a terminal of its own as
// standard input and standard error; what the terminal showed is the standard error of `terminal`. FILE holds what the
// person there does, one line each, and an empty one leaves the terminal alone:
//
//	= C R     gives the terminal C columns and R rows; as the first line
//	> TEXT    waits until TEXT appears behind what was waited for before
//	$ COMMAND has a shell do something beside the program
//	^C        is Ctrl-C
//	anything else is typed, with Enter
//
// Returned is the exit code of PROGRAM, or 125 where it did not come to that.
func atTerminal(args []string) int {
	if len(args) < 2 {
		fmt.Fprintln(os.Stderr, "usage: terminal FILE PROGRAM [ARG…]")
		return 125
	}
	file, err := os.ReadFile(args[0])
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 125
	}
	s := &sitting{screen: newListener()}
	err = s.sit(string(file), exec.Command(args[1], args[2:]...))
	fmt.Fprint(os.Stderr, strings.ReplaceAll(s.screen.String(), "\r\n", "\n"))
	var exit *exec.ExitError
	switch {
	case errors.As(err, &exit):
		return exit.ExitCode()
	case err != nil:
		fmt.Fprintf(os.Stderr, "\nterminal: %v\n", err)
		return 125
	}
	return 0
}

// sitting is a person at the terminal of one program.
type sitting struct {
	keys   *os.File
	screen *listener
	seen   int           // so much of the screen was waited for
	left   chan struct{} // closed once nothing more comes to the screen
}

// patience is how long each wait for the program lasts at most.
const patience = 60 * time.Second

// sit starts the program, does what the lines say, and waits for its end.
func (s *sitting) sit(lines string, program *exec.Cmd) error {
	program.Stdout = os.Stdout
	var err error
	size := &pty.Winsize{}
	if _, err := fmt.Sscanf(lines, "= %d %d\n", &size.Cols, &size.Rows); err == nil {
		_, lines, _ = strings.Cut(lines, "\n")
	}
	if s.keys, err = pty.StartWithSize(program, size); err != nil {
		return err
	}
	defer s.keys.Close()
	s.left = make(chan struct{})
	go func() {
		defer close(s.left)
		_, _ = io.Copy(s.screen, s.keys) // ends with an error where the last program leaves the terminal
	}()
	ended := make(chan error, 1)
	go func() {
		err := program.Wait()
		<-s.left
		ended <- err
	}()
	for line := range strings.Lines(lines) {
		if err := s.do(strings.TrimSuffix(line, "\n")); err != nil {
			return errors.Join(err, program.Process.Kill())
		}
	}
	select {
	case err := <-ended:
		return err
	case <-time.After(patience):
		return errors.Join(fmt.Errorf("%s did not end", program.Path), program.Process.Kill())
	}
}

func (s *sitting) do(line string) error {
	if text, ok := strings.CutPrefix(line, "> "); ok {
		return s.until(text)
	}
	if command, ok := strings.CutPrefix(line, "$ "); ok {
		var out strings.Builder
		shell := process.Shell(command, "")
		shell.Output, shell.Timeout = &out, patience
		got, err := process.Run(context.Background(), shell)
		if err == nil && got.ExitCode != 0 {
			err = fmt.Errorf("exit code %d", got.ExitCode)
		}
		if err != nil {
			return fmt.Errorf("%s: %w: %s", command, err, &out)
		}
		return nil
	}
	keys := line + "\r"
	if line == "^C" {
		keys = "\x03"
	}
	_, err := io.WriteString(s.keys, keys)
	return err
}

// until waits for a text on the screen, behind the one before.
func (s *sitting) until(text string) error {
	late := time.After(patience)
	for left := s.left; ; {
		shown := s.screen.String()
		if at := strings.Index(shown[s.seen:], text); at >= 0 {
			s.seen += at + len(text)
			return nil
		}
		select {
		case <-s.screen.more:
		case <-left:
			left = nil // one more look at what came last
			if !strings.Contains(s.screen.String()[s.seen:], text) {
				return fmt.Errorf("the program left before %q appeared", text)
			}
		case <-late:
			return fmt.Errorf("%q did not appear", text)
		}
	}
}
