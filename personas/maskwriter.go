package personas

import (
	"bytes"
	"fmt"
	"io"
	"strings"
)

const (
	// maxHeldBack is how much of a line without an end is held back, in bytes.
	maxHeldBack = 64 << 10
	// maxKey is how much is held back of a private key whose end has not come yet.
	maxKey = 16 << 10
	// widest is how long what looks like a key may be, for a line that is passed on in pieces.
	widest = 4 << 10
)

// MaskWriter passes text on with the secrets taken out, also where one arrives in pieces: by whole lines, and a private
// key whole. What shortens a text stands behind it, so that no secret is cut before it can be known as one.
type MaskWriter struct {
	m       *Mask
	replace func(string) string
	to      io.Writer
	held    []byte
}

// Writer masks for what is written down, as Replace does.
func (m *Mask) Writer(to io.Writer) *MaskWriter { return &MaskWriter{m: m, replace: m.Replace, to: to} }

// KnownWriter masks for what a model is told, as Known does.
func (m *Mask) KnownWriter(to io.Writer) *MaskWriter {
	return &MaskWriter{m: m, replace: m.Known, to: to}
}

// Write takes all of p; what it does not pass on yet is held.
func (w *MaskWriter) Write(p []byte) (int, error) {
	if w.m == nil {
		return w.to.Write(p)
	}
	w.held = append(w.held, p...)
	if bytes.IndexByte(p, '\n') < 0 && len(w.held) <= maxHeldBack {
		return len(p), nil
	}
	return len(p), w.pass(w.ready())
}

// Close passes on what is held. It does not close what it writes to.
func (w *MaskWriter) Close() error { return w.pass(len(w.held)) }

func (w *MaskWriter) pass(n int) error {
	if n == 0 {
		return nil
	}
	text := w.replace(string(w.held[:n]))
	w.held = append(w.held[:0], w.held[n:]...)
	if _, err := io.WriteString(w.to, text); err != nil {
		return fmt.Errorf("writing what was masked: %w", err)
	}
	return nil
}

// ready is how much no secret can reach beyond.
func (w *MaskWriter) ready() int {
	end := bytes.LastIndexByte(w.held, '\n') + 1
	if at := openKey(w.held[:end]); at >= 0 && len(w.held)-at <= maxKey {
		return at
	}
	if end > 0 || len(w.held) <= maxHeldBack {
		return end
	}
	return w.within()
}

// openKey is where the line begins in which a private key does whose end is not there; -1: there is none.
func openKey(text []byte) int {
	begin := bytes.LastIndex(text, []byte("-----BEGIN "))
	if begin < 0 || !bytes.Contains(text[begin:], []byte("PRIVATE KEY-----")) || bytes.Contains(text[begin:], []byte("-----END ")) || bytes.ContainsAny(text[begin:], "{}") {
		return -1
	}
	return bytes.LastIndexByte(text[:begin], '\n') + 1
}

// within is a place in a very long line at which no secret is parted.
func (w *MaskWriter) within() int {
	reach := widest
	if len(w.m.values) > 0 {
		reach = max(reach, len(w.m.values[0]))
	}
	last := max(len(w.held)-reach, 1)
	from := max(last-reach, 0)
	if at := unparted(w.m.found(string(w.held[from:])), last-from); from+at > 0 {
		return from + at
	}
	return last
}

// unparted is the last place up to end that lies inside none of the places.
func unparted(places [][]int, end int) int {
	for again := true; again; {
		again = false
		for _, at := range places {
			if at[0] < end && end < at[1] {
				end, again = at[0], true
			}
		}
	}
	return end
}

// found is where secrets stand in a text.
func (m *Mask) found(text string) [][]int {
	places := keyLike.FindAllStringIndex(text, -1)
	if m.alone != nil {
		places = append(places, m.alone.FindAllStringIndex(text, -1)...)
	}
	for _, v := range m.values {
		for at := 0; ; at += len(v) {
			next := strings.Index(text[at:], v)
			if next < 0 {
				break
			}
			at += next
			places = append(places, []int{at, at + len(v)})
		}
	}
	return places
}
