package console

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"syscall"
	"unicode"
	"unicode/utf8"

	"autopilot/autopilot/words"
)

// Clean makes text from a repository, an agent or a server safe to print: control characters and those that change
// the direction of writing never reach a terminal raw.
func Clean(text string) string {
	return strings.Map(func(r rune) rune {
		if words.IsControl(r) || r == unicode.ReplacementChar {
			return '·'
		}
		return r
	}, strings.ToValidUTF8(text, "·"))
}

// guarded is an output that a terminal may be behind. Text is cleaned where it is put together; what was forgotten there,
// and what JSON may hold raw, is written as \u202e, which is the same text to a reader of JSON.
type guarded struct {
	to  io.Writer
	mu  sync.Mutex
	cut []byte // the beginning of a character that a buffer was emptied in the middle of
	err error  // the first write that failed

	actions bool // a GitHub runner reads it: no line may be a command to it
	begun   bool // the line has more than white space in it
	hashes  int  // that stand last
}

// Guard puts a guarded output before w.
func Guard(w io.Writer) io.Writer { return &guarded{to: w} }

// GuardActions is Guard before a GitHub runner, which takes commands from lines that begin with "::" or have "##[" in them.
// Neither is ever written: the runner shows \u003a: and ##\u005b, which are the same text to a reader of JSON.
func GuardActions(w io.Writer) io.Writer { return &guarded{to: w, actions: true} }

// Lost is why not all that was printed is there, or else how the command ended, err. That its reader has gone and wants no more,
// as head does, is neither.
func Lost(w io.Writer, err error) error {
	g, is := w.(*guarded)
	if !is || err != nil && !errors.Is(err, syscall.EPIPE) { // a write that nobody takes may be held up for good
		return err
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if errors.Is(g.err, syscall.EPIPE) {
		return nil
	}
	return cmp.Or(err, g.err)
}

// Unguarded is the output itself, for a program that talks to the person and needs the terminal.
func Unguarded(w io.Writer) io.Writer {
	if g, is := w.(*guarded); is {
		return g.to
	}
	return w
}

func (g *guarded) Write(p []byte) (int, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	text := slices.Concat(g.cut, p)
	whole := len(text) - partialRune(text)
	g.cut = text[whole:]
	if _, err := g.to.Write(g.disarmed(shown(text[:whole]))); err != nil {
		if g.err == nil {
			g.err = err
		}
		return 0, err
	}
	return len(p), nil
}

// disarmed is a text in which a GitHub runner finds no command.
func (g *guarded) disarmed(text []byte) []byte {
	if !g.actions {
		return text
	}
	var b strings.Builder
	for _, r := range string(text) {
		if r == ':' && !g.begun || r == '[' && g.hashes >= 2 {
			fmt.Fprintf(&b, `\u%04x`, r)
		} else {
			b.WriteRune(r)
		}
		g.begun = r != '\n' && (g.begun || !unicode.IsSpace(r))
		if g.hashes++; r != '#' {
			g.hashes = 0
		}
	}
	return []byte(b.String())
}

// partialRune is how many bytes at the end of a text are the beginning of a character.
func partialRune(text []byte) int {
	for n := 1; n < utf8.UTFMax && n <= len(text); n++ {
		if end := text[len(text)-n:]; utf8.RuneStart(end[0]) && !utf8.FullRune(end) {
			return n
		}
	}
	return 0
}

// shown is a text in which nothing makes a terminal act.
func shown(text []byte) []byte {
	if utf8.Valid(text) && bytes.IndexFunc(text, words.IsControl) < 0 {
		return text
	}
	var b bytes.Buffer
	for rest := text; len(rest) > 0; {
		r, n := utf8.DecodeRune(rest)
		if words.IsControl(r) || r == utf8.RuneError && n == 1 {
			fmt.Fprintf(&b, `\u%04x`, r)
		} else {
			b.Write(rest[:n])
		}
		rest = rest[n:]
	}
	return b.Bytes()
}
