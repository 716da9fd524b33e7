// Package process runs child processes whose whole tree ends: when the command
// ends by itself, when a limit is reached, when the caller's context is
// cancelled, and when the calling program dies, even by kill -9.
//
// On Linux and other Unix systems each command has a small supervisor, a second
// start of the program itself, so main and TestMain must call Supervise first.
// On Windows a job object does the same work without one.
package process

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"strings"
	"time"

	"autopilot/autopilot/process/supervise"
)

// DefaultGrace is the time between the polite signal and the hard one.
const DefaultGrace = 2 * time.Second

// Limit names the time limit that ended a command.
type Limit string

// The limits of a Command.
const (
	NoLimit    Limit = ""
	IdleLimit  Limit = "idle"  // no output for Command.Idle
	WholeLimit Limit = "whole" // longer than Command.Timeout
)

// Command says what to run and how long it may take. Limits count the time that
// the machine is awake: Go's timers stand still while a Linux machine is
// suspended.
type Command struct {
	Argv []string // the program, looked up in Env's PATH, and its arguments
	Dir  string   // working folder; empty is the caller's
	Env  []string // KEY=value; nil is the caller's environment

	// Stdin is copied to the command; nil is the null device. A reader that
	// blocks for ever leaves one goroutine behind when the command ends.
	Stdin io.Reader
	// Output gets standard output and standard error in the order they were
	// written, from one goroutine; nil discards them.
	Output io.Writer
	// Errors gets standard error apart from Output, from a goroutine of its own;
	// nil leaves it there. What is written to it is output all the same for Idle.
	Errors io.Writer

	Idle    time.Duration // longest time without output; 0 is no limit
	Timeout time.Duration // longest time in all; 0 is no limit
	Grace   time.Duration // between SIGTERM and SIGKILL; 0 is DefaultGrace

	// LockFile is kept open by the supervisor for as long as a process of the
	// tree lives and is never given to the command itself, so that a lock on it
	// outlives the caller exactly as long as its command does. Windows has no
	// supervisor and needs none: there the tree dies with the caller.
	LockFile *os.File

	patience time.Duration // with the supervisor, beyond the grace; 0 is stuckPause
}

// EndedAt tells when the last command ended whose caller, which held this lock, was killed while it ran: what was written
// later nothing of that tree wrote. Zero is that no such kill is known, as always on Windows and in a copy of the repository.
func EndedAt(lock *os.File) time.Time { return supervise.EndedAt(endedFile(lock)) }

// EndLeft ends the processes that an earlier holder of the lock left, where the supervisor that was to end them was killed
// too, and names them. The caller holds the lock, and runs nothing with it yet. The error is a *LeftError. Only Linux
// shows such processes.
func EndLeft(lock *os.File) (ended []string, err error) {
	found, rest := endOf(lock)
	if len(rest) > 0 {
		return nil, &LeftError{rest}
	}
	if len(found) > 0 {
		supervise.MarkEnded(endedFile(lock)) // it ended now
	}
	return found, nil
}

// FreeLock has the supervisors end that keep a lock, whose file is at a path, although their caller was killed: what they
// watch stopped them. It is for a lock whose holder is known to be dead.
func FreeLock(path string) {
	if lock, err := os.Open(path); err == nil {
		defer lock.Close()
		freeLock(lock)
	}
}

// LeftError says that processes of an earlier run can't be ended: to work beside them would be wrong.
type LeftError struct{ Processes []string } // each as "4711 (sleep)"

func (e *LeftError) Error() string {
	return fmt.Sprintf("can't end process %s, which an earlier run left\n  end it yourself, or restart the machine\n  then run the same command again",
		strings.Join(e.Processes, ", "))
}

// ForgetEnded forgets such a kill.
func ForgetEnded(lock *os.File) { _ = os.Remove(endedFile(lock)) }

// endedFile lies beside a lock.
func endedFile(lock *os.File) string {
	if lock == nil {
		return ""
	}
	return lock.Name() + ".ended"
}

// Result is how a command ended.
type Result struct {
	ExitCode    int           // the command's own; 128 + n when signal n ended it
	Signal      string        // name of the signal that ended it (SIGKILL), or empty
	TimedOut    Limit         // which limit ended it, or NoLimit
	Interrupted bool          // the context was cancelled while it ran
	Duration    time.Duration // from the start until the last of the tree was gone
}

// StartError says that a command never ran: the program or the folder is
// missing, or may not be used. It is "could not check", never "failed".
type StartError struct {
	Program string
	Dir     string
	Err     error
}

func (e *StartError) Error() string {
	where, why := "", e.Err.Error()
	if e.Dir != "" {
		where = " in " + e.Dir
	}
	if _, named := errors.AsType[*exec.Error](e.Err); named && errors.Is(e.Err, fs.ErrNotExist) {
		where, why = "", "it is not on PATH"
	}
	return fmt.Sprintf("cannot start %s%s: %s; install it or correct the command", e.Program, where, why)
}

// Unwrap gives the cause, such as fs.ErrNotExist.
func (e *StartError) Unwrap() error { return e.Err }

// Shell is a Command that has the POSIX shell run command in dir; on Windows
// that is the sh which Git brings.
func Shell(command, dir string) Command {
	return Command{Argv: []string{shellProgram(), "-c", command}, Dir: dir}
}

// Bash is a Command that has bash run command in dir, where a pipe fails with any of its commands; and false, with the
// POSIX shell, where env has no bash.
func Bash(command, dir string, env []string) (Command, bool) {
	c := Command{Argv: []string{bashProgram(), "-o", "pipefail", "-c", command}, Dir: dir, Env: env}
	if c.Check() == nil {
		return c, true
	}
	c.Argv = []string{shellProgram(), "-c", command}
	return c, false
}

func (c Command) grace() time.Duration {
	if c.Grace <= 0 {
		return DefaultGrace
	}
	return c.Grace
}

// answer is how long a supervisor may take to end the tree.
func (c Command) answer() time.Duration {
	if c.patience > 0 {
		return c.grace() + c.patience
	}
	return c.grace() + stuckPause
}

func (c Command) startError(err error) *StartError {
	program := "a command without a program"
	if len(c.Argv) > 0 {
		program = c.Argv[0]
	}
	return &StartError{Program: program, Dir: c.Dir, Err: err}
}
