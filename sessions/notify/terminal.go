package notify

import (
	"context"
	"io"
	"strings"
)

// Terminal shows a notice at the terminal that a run was started at.
type Terminal struct {
	Out  io.Writer // the terminal itself
	Form TerminalForm
}

// TerminalForm is what a terminal understands.
type TerminalForm string

// The forms. Terminals that know neither OSC 9 nor OSC 99 ring their bell.
const (
	Bell  TerminalForm = "bell"
	OSC9  TerminalForm = "OSC 9"
	OSC99 TerminalForm = "OSC 99"
)

// osc9 are the values of TERM_PROGRAM whose terminals show a notification for OSC 9.
var osc9 = map[string]bool{"iTerm.app": true, "WezTerm": true, "ghostty": true}

// FormOf is what the terminal of an environment understands. Within tmux and screen, which pass neither on, it is the bell.
func FormOf(getenv func(string) string) TerminalForm {
	term := getenv("TERM")
	switch {
	case getenv("TMUX") != "" || getenv("STY") != "":
		return Bell
	case getenv("KITTY_WINDOW_ID") != "" || term == "xterm-kitty" || strings.HasPrefix(term, "foot"):
		return OSC99
	case osc9[getenv("TERM_PROGRAM")]:
		return OSC9
	}
	return Bell
}

// Name is what the channel is called.
func (Terminal) Name() string { return "terminal" }

// Send rings, or has the terminal show the title.
func (t Terminal) Send(_ context.Context, n Notice) error {
	text := "\a"
	switch t.Form {
	case OSC9:
		text = "\x1b]9;" + n.Title + "\x1b\\"
	case OSC99: // while the window has the focus, nothing is shown
		text = "\x1b]99;o=unfocused;" + n.Title + "\x1b\\"
	}
	_, err := io.WriteString(t.Out, text)
	return err
}
