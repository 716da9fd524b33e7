package console

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/term"

	"autopilot/autopilot/halt"
	"autopilot/autopilot/process"
	"autopilot/autopilot/shell"
	"autopilot/personas"
	"autopilot/sessions/storage"
)

// Host is everything that the program takes from the machine: streams, whether they are terminals, the folder it
// stands in, its environment, the clock.
type Host struct {
	In       io.Reader
	Out, Err io.Writer
	// Terminal says that standard input and standard error are a person's; OutTerminal that standard output is one.
	Terminal, OutTerminal bool
	Width, Height         func() int   // columns and rows of that terminal; nil or 0: not known
	Forget                func() error // throws away what was typed at In and not read yet; nil: In is no terminal
	Dir                   string
	Environ               []string
	Now                   func() time.Time
	Sleep                 func(context.Context, time.Duration) error // nil is real sleep, which the context ends
	Booted                func() time.Time                           // when the machine was started; nil or zero: not known
	Disk                  storage.Disk                               // where journals and snapshots lie; nil is the operating system's

	Program      string                    // its name, for errors; "": autopilot
	Args         []string                  // of the command line
	By           string                    // who answers; "": a human
	Trusts       bool                      // AUTOPILOT_TRUST=1
	NoUserConfig bool                      // the demo is the same for everybody
	Final        func(code int, err error) // writes the last object of --json; set by the command
}

// System is the machine as it is.
func System() Host {
	dir, err := os.Getwd()
	if err != nil {
		dir = "."
	}
	h := Host{In: os.Stdin, Out: os.Stdout, Err: os.Stderr, Dir: dir, Environ: os.Environ(), Now: time.Now, Booted: process.BootedAt}
	stdin := int(os.Stdin.Fd())
	if term.IsTerminal(stdin) {
		h.Forget = func() error { return forgetTyped(stdin) }
	}
	h.Terminal = h.Forget != nil && term.IsTerminal(int(os.Stderr.Fd())) && h.Getenv("CI") == ""
	h.Width = func() int {
		columns, _, _ := term.GetSize(int(os.Stderr.Fd())) // 0 where it is no terminal
		return columns
	}
	h.Height = func() int {
		_, rows, _ := term.GetSize(int(os.Stderr.Fd()))
		return rows
	}
	h.OutTerminal = term.IsTerminal(int(os.Stdout.Fd()))
	return h
}

// Captured is a host for one command that nobody typed: it stands in a folder, has no terminal, and what it prints is kept. by is
// who decides what the command decides.
func (h *Host) Captured(dir, by string) (*Host, *bytes.Buffer) {
	own, out := *h, &bytes.Buffer{}
	own.In, own.Out, own.Dir, own.By = strings.NewReader(""), out, dir, by
	own.Terminal, own.OutTerminal, own.Forget, own.Width = false, false, nil, nil
	return &own, out
}

// Getenv looks a variable up in the host's environment.
func (h *Host) Getenv(name string) string {
	value := ""
	for _, e := range h.Environ {
		if v, ok := strings.CutPrefix(e, name+"="); ok {
			value = v
		}
	}
	return value
}

// Storage is where stores lie.
func (h *Host) Storage() storage.Disk {
	if h.Disk == nil {
		return storage.OSDisk{}
	}
	return h.Disk
}

// StartedAt is when the machine was started; zero: not known.
func (h *Host) StartedAt() time.Time {
	if h.Booted == nil {
		return time.Time{}
	}
	return h.Booted()
}

// Pause returns early with its cause when the context ends.
func (h *Host) Pause(ctx context.Context, d time.Duration) error {
	if h.Sleep != nil {
		return h.Sleep(ctx, d)
	}
	return personas.Sleep(ctx, d)
}

// Path is a path as the user typed it, made absolute.
func (h *Host) Path(p string) string {
	if filepath.IsAbs(p) {
		return filepath.Clean(p)
	}
	return filepath.Join(h.Dir, p)
}

// trustVariable is the yes of a user without a terminal. It is taken out of the environment before anything is started.
const trustVariable = "AUTOPILOT_TRUST"

// TakeTrust looks whether the environment says yes, and keeps that from every child process: an agent must not be able to
// Say yes by itself.
func (h *Host) TakeTrust() {
	h.Trusts, _ = strconv.ParseBool(h.Getenv(trustVariable))
	h.Environ = slices.DeleteFunc(slices.Clone(h.Environ), func(kv string) bool { return strings.HasPrefix(kv, trustVariable+"=") })
	_ = os.Unsetenv(trustVariable)
}

// Again is the command that the user typed, with one more flag.
func (h *Host) Again(flag string) string {
	args := slices.Clone(h.Args)
	if end := slices.Index(args, "--"); end >= 0 {
		args = slices.Insert(args, end, flag)
	} else {
		args = append(args, flag)
	}
	line := cmp.Or(h.Program, "autopilot")
	for _, arg := range args {
		line += " " + shell.QuoteWord(arg)
	}
	return line
}

// Say prints a message on standard output.
func (h *Host) Say(format string, args ...any) error {
	_, err := fmt.Fprintln(h.Out, Told(fmt.Sprintf(format, args...), h.OutWidth()))
	return err
}

// OutWidth is how many columns standard output has, where it is a person's terminal; else 0.
func (h *Host) OutWidth() int {
	if !h.OutTerminal {
		return 0
	}
	return h.Columns()
}

// Columns is how many columns the person's terminal has; 0 where that is not known.
func (h *Host) Columns() int {
	if h.Width == nil {
		return 0
	}
	return h.Width()
}

// Rows is how many rows the person's terminal has; 0 where that is not known.
func (h *Host) Rows() int {
	if h.Height == nil {
		return 0
	}
	return h.Height()
}

// Explain prints an error for people, and says whether there was one to print; questions explain themselves where they
// are asked.
func (h *Host) Explain(err error) bool {
	coded, isCoded := errors.AsType[*CodedError](err)
	if err == nil || is[*halt.WaitingError](err) || is[*halt.StoppedError](err) || isCoded && coded.Err == nil {
		return false
	}
	fmt.Fprintln(h.Err, Told(cmp.Or(h.Program, "autopilot")+": "+Clean(WithRemedy(err)), h.Columns()))
	return true
}

// WithoutConfig is an environment without the user's own settings, for a run that is only shown.
func WithoutConfig(environ []string) []string {
	return slices.DeleteFunc(slices.Clone(environ), func(e string) bool {
		return strings.HasPrefix(e, "AUTOPILOT_") || strings.HasPrefix(e, "OPENAI_") || strings.HasPrefix(e, "GIT_")
	})
}
