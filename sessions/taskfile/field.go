package taskfile

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"autopilot/autopilot/machine"
)

// field is a key of the format that this program knows, as part of a T.
type field[T any] struct {
	key    string
	quoted string // the key as a document has it
	// read takes over what stands in the file; what it cannot take leaves the T as it is.
	read func(v *T, raw []byte)
	// reset takes back what was read.
	reset func(v *T, blank T)
	same  func(a, b *T) bool
	// write is the new value in the file; nil takes the key out. raw is what stands there, nil where nothing does.
	write func(raw []byte, was, is *T, at place) []byte
}

// fields are the known keys of a T, in the order that they have in a document which has none of them yet.
type fields[T any] []*field[T]

func fieldsOf[T any](all ...field[T]) fields[T] {
	f := make(fields[T], len(all))
	for i := range all {
		f[i] = &all[i]
		f[i].quoted = `"` + f[i].key + `"`
	}
	return f
}

func (f fields[T]) has(key string) bool {
	return slices.ContainsFunc(f, func(known *field[T]) bool { return known.key == key })
}

func (f fields[T]) same(a, b *T) bool {
	for _, known := range f {
		if !known.same(a, b) {
			return false
		}
	}
	return true
}

// write gives an object the values that changed. What is no object is replaced by one.
func (f fields[T]) write(raw []byte, was, is *T, at place) []byte {
	if f.same(was, is) {
		return raw
	}
	g, ok := groupOf(raw, at)
	if !ok || g.open != '{' {
		return spread(is, at)
	}
	f.set(&g, was, is)
	return g.bytes()
}

func (f fields[T]) set(g *group, was, is *T) {
	for _, known := range f {
		if !known.same(was, is) {
			i := g.index(known.key)
			if i < 0 {
				i = len(g.parts)
			}
			g.set(known.key, known.write(g.raw(known.key), was, is, g.place(i)))
		}
	}
}

// resetting sets the field back to what it is where the file says nothing of it.
func resetting[T, V any](at func(*T) *V) func(v *T, blank T) {
	return func(v *T, blank T) { *at(v) = *at(&blank) }
}

// plainly makes the field of a value that is written as a whole.
func plainly[T any, V comparable](key string, at func(*T) *V, read func(raw []byte) (V, bool)) field[T] {
	return field[T]{
		key: key,
		read: func(v *T, raw []byte) {
			if x, ok := read(raw); ok {
				*at(v) = x
			}
		},
		reset: resetting(at),
		same:  func(a, b *T) bool { return *at(a) == *at(b) },
		write: func(_ []byte, _, is *T, to place) []byte { return spread(*at(is), to) },
	}
}

// maybe makes the field of a value that can be absent. gone says that its key is then taken out, as the other programs
// do it with a claim, and not set to null.
func maybe[T, V any](key string, gone bool, at func(*T) **V, read func(raw []byte) (V, bool), same func(a, b V) bool) field[T] {
	return field[T]{
		key: key,
		read: func(v *T, raw []byte) {
			if x, ok := read(raw); ok {
				there := x // memory is only made for what is there
				*at(v) = &there
			}
		},
		reset: resetting(at),
		same: func(a, b *T) bool {
			x, y := *at(a), *at(b)
			return x == y || x != nil && y != nil && same(*x, *y)
		},
		write: func(_ []byte, _, is *T, to place) []byte {
			if gone && *at(is) == nil {
				return nil
			}
			return spread(*at(is), to)
		},
	}
}

// listing makes the field of a list. What is added behind is added to what stands in the file, so that elements which
// this program could not read stay there.
func listing[T, V any](key string, at func(*T) *[]V, read func(raw []byte) []V, same func(a, b V) bool) field[T] {
	return field[T]{
		key:   key,
		read:  func(v *T, raw []byte) { *at(v) = read(raw) },
		reset: resetting(at),
		same:  func(a, b *T) bool { return slices.EqualFunc(*at(a), *at(b), same) },
		write: func(raw []byte, was, is *T, to place) []byte {
			old, list := *at(was), *at(is)
			g, ok := groupOf(raw, to)
			if !ok || g.open != '[' || len(list) < len(old) || !slices.EqualFunc(old, list[:len(old)], same) {
				return spread(append([]V{}, list...), to)
			}
			for _, v := range list[len(old):] {
				g.add(part{value: spread(v, g.place(len(g.parts)))})
			}
			return g.bytes()
		},
	}
}

// within makes the field of an object with known keys of its own.
func within[T any, V comparable](key string, at func(*T) *V, inner fields[V]) field[T] {
	return field[T]{
		key:   key,
		read:  func(v *T, raw []byte) { inner.readAll(raw, at(v)) },
		reset: resetting(at),
		same:  func(a, b *T) bool { return inner.same(at(a), at(b)) },
		write: func(raw []byte, was, is *T, to place) []byte {
			return inner.write(raw, at(was), at(is), to)
		},
	}
}

// wordIn is a text. Of the words that nearly every task has there is one copy.
func wordIn(text []byte) string {
	switch string(text) {
	case machine.TaskPending:
		return machine.TaskPending
	case machine.TaskRunning:
		return machine.TaskRunning
	case machine.TaskCompleted:
		return machine.TaskCompleted
	case machine.TaskFailed:
		return machine.TaskFailed
	case "P0":
		return "P0"
	case "P1":
		return "P1"
	case "P2":
		return "P2"
	}
	return string(text)
}

// wordOf reads a text. Other values than texts count as they are written; null and the empty text are none.
func wordOf(raw []byte) (string, bool) {
	switch {
	case len(raw) == 0 || string(raw) == "null":
		return "", false
	case raw[0] == '"':
		word := wordIn(unquoted(raw))
		return word, word != ""
	}
	return string(raw), true
}

// textOf reads what is a text and nothing else.
func textOf(raw []byte) (string, bool) {
	if len(raw) == 0 || raw[0] != '"' {
		return "", false
	}
	return string(unquoted(raw)), true
}

// maxCount is the highest number that is taken from a file: what is added to it must still be one.
const maxCount = 1 << 30

// countOf reads a whole number, also one that is written as a text. There are none below 0.
func countOf(raw []byte) (int, bool) {
	if len(raw) == 0 {
		return 0, false
	}
	if n, err := strconv.Atoi(string(raw)); err == nil {
		return min(max(n, 0), maxCount), true
	}
	text := string(raw)
	if raw[0] == '"' {
		text = strings.TrimSpace(string(unquoted(raw)))
	}
	n, err := strconv.ParseFloat(text, 64)
	if text == "" || strings.Trim(text, "+-.0123456789eE") != "" || err != nil && n == 0 {
		return 0, false
	}
	return int(min(max(n, 0), maxCount)), true
}

// layouts are the ways to write a time that the other programs take; one without a zone is UTC.
var layouts = []string{
	time.RFC3339Nano, "2006-01-02T15:04:05.999999999", "2006-01-02 15:04:05.999999999Z07:00", "2006-01-02 15:04:05.999999999",
	"2006-01-02T15:04Z07:00", "2006-01-02T15:04", "2006-01-02 15:04", time.DateOnly,
}

func timeOf(raw []byte) (time.Time, bool) {
	text, ok := textOf(raw)
	if !ok {
		return time.Time{}, false
	}
	text = strings.TrimSpace(text)
	for _, layout := range layouts {
		if t, err := time.Parse(layout, text); err == nil {
			return t.UTC(), true
		}
	}
	return time.Time{}, false
}

// eachOf calls with every element of an array, as it is written; anything else has none.
func eachOf(raw []byte, call func(element []byte)) {
	if len(raw) == 0 || raw[0] != '[' {
		return
	}
	s := scanner{data: raw}
	_ = s.array(func() error {
		from := s.at
		err := s.value()
		call(raw[from:s.at])
		return err
	})
}

// linesOf reads a list of texts; an element of another kind counts as it is written.
func linesOf(raw []byte) []string {
	var lines []string
	eachOf(raw, func(e []byte) {
		line, ok := textOf(e)
		if !ok {
			line = string(e)
		}
		lines = append(lines, line)
	})
	return lines
}

// same says whether two values are written in the same way.
func same[V comparable](a, b V) bool { return a == b }
