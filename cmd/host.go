package cmd

import (
	"context"
	"io"
	"os"
	"strings"
	"time"

	"golang.org/x/term"

	"autopilot/autopilot/process"
	"autopilot/personas"
	"autopilot/sessions"
)

// Host is everything that the program takes from the machine: streams, whether they are terminals, the folder it
// stands in, its environment, the clock.
type Host struct {
	In       io.Reader
	Out, Err io.Writer
	// Terminal says that standard input and standard error are a person's; OutTerminal that standard output is one.
	Terminal, OutTerminal bool
	Width                 func() int   // columns of that terminal; nil or 0: not known
	Forget                func() error // throws away what was typed at In and not read yet; nil: In is no terminal
	Dir                   string
	Environ               []string
	Now                   func() time.Time
	Sleep                 func(context.Context, time.Duration) error // nil is real sleep, which the context ends
	Booted                func() time.Time                           // when the machine was started; nil or zero: not known
	Disk                  sessions.Disk                              // where journals and snapshots lie; nil is the operating system's

	args         []string                  // of the command line
	trusts       bool                      // AUTOPILOT_TRUST=1
	noUserConfig bool                      // the demo is the same for everybody
	final        func(code int, err error) // writes the last object of --json; set by the command
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
	h.OutTerminal = term.IsTerminal(int(os.Stdout.Fd()))
	return h
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

// disk is where stores lie.
func (h *Host) disk() sessions.Disk {
	if h.Disk == nil {
		return sessions.OSDisk{}
	}
	return h.Disk
}

// booted is when the machine was started; zero: not known.
func (h *Host) booted() time.Time {
	if h.Booted == nil {
		return time.Time{}
	}
	return h.Booted()
}

// sleep returns early with its cause when the context ends.
func (h *Host) sleep(ctx context.Context, d time.Duration) error {
	if h.Sleep != nil {
		return h.Sleep(ctx, d)
	}
	return personas.Sleep(ctx, d)
}
