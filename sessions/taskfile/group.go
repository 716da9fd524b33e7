package taskfile

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
)

// group is an object or an array taken apart, so that some of its parts can be replaced and the others keep their bytes
// and their place.
type group struct {
	open  byte
	parts []part
	tail  []byte // from the last part on, the closing bracket included
	after []byte // what stands behind it
	end   int    // where the last part ends
	at    place
}

// part is a member of an object or an element of an array.
type part struct {
	lead  []byte // what stands between it and the one before, the comma included
	head  []byte // of a member: its key and what follows up to the value
	key   string
	value []byte
	apart *group // the value in parts, where it is one that was changed
}

// place says how the line is indented that a value begins on, and whether its parts go on lines of their own.
type place struct {
	indent string
	lines  bool
}

// groupOf takes an object or an array of a document apart. Others have no parts: ok is false.
func groupOf(data []byte, at place) (g group, ok bool) {
	g = group{at: at, end: 1}
	if len(data) == 0 || data[0] != '{' && data[0] != '[' {
		return g, false
	}
	g.open = data[0]
	s := scanner{data: data}
	var err error
	if g.open == '[' {
		err = s.array(func() error { return g.take(&s, nil, s.value) })
	} else {
		err = s.object(func(key []byte) error { return g.take(&s, key, s.value) })
	}
	g.tail, g.after = data[g.end:s.at], data[s.at:]
	return g, err == nil
}

// take adds the part whose value stands in front of the scanner, and which pass passes over.
func (g *group) take(s *scanner, key []byte, pass func() error) error {
	from, head := s.at, s.at
	if g.open == '{' {
		from = g.end + bytes.IndexByte(s.data[g.end:], '"') // between two members there is no other quote
	}
	if err := pass(); err != nil {
		return err
	}
	g.parts = append(g.parts, part{lead: s.data[g.end:from], head: s.data[from:head], key: string(key), value: s.data[head:s.at]})
	g.end = s.at
	return nil
}

// bytes puts the group together again. Where nothing was replaced, it is what was taken apart.
func (g group) bytes() []byte { return g.appendTo(make([]byte, 0, g.size())) }

func (g group) size() int {
	n := 1 + len(g.tail)
	for _, p := range g.parts {
		if n += len(p.lead) + len(p.head); p.apart != nil {
			n += p.apart.size()
		} else {
			n += len(p.value)
		}
	}
	return n
}

func (g group) appendTo(out []byte) []byte {
	out = append(out, g.open)
	for _, p := range g.parts {
		if out = append(append(out, p.lead...), p.head...); p.apart != nil {
			out = p.apart.appendTo(out)
		} else {
			out = append(out, p.value...)
		}
	}
	return append(out, g.tail...)
}

// index finds a member. Of several with the same key the last one counts, as for every reader of JSON.
func (g group) index(key string) int {
	for i, p := range slices.Backward(g.parts) {
		if p.key == key {
			return i
		}
	}
	return -1
}

// raw is the value of a member, nil where there is none.
func (g group) raw(key string) []byte {
	if i := g.index(key); i >= 0 {
		return g.parts[i].value
	}
	return nil
}

// place is where the value of a part begins: one that is there, or one to be added.
func (g group) place(i int) place {
	lead := g.at.lead()
	if i < len(g.parts) {
		lead = g.parts[i].lead
	} else if n := len(g.parts); n > 0 {
		lead = g.parts[n-1].lead
	}
	if n := bytes.LastIndexByte(lead, '\n'); n >= 0 {
		return place{strings.ReplaceAll(string(lead[n+1:]), ",", " "), true} // some write commas first
	}
	return place{}
}

// lead is what stands in front of the first part of a group that had none.
func (p place) lead() []byte {
	if !p.lines {
		return nil
	}
	return []byte("\n" + p.indent + "  ")
}

// set gives a member its value, at its place where it is there, else behind the others; nil takes it out. Of several with
// the key the last one stays: it is the one that counts.
func (g *group) set(key string, value []byte) {
	i := g.index(key)
	switch {
	case value == nil:
		g.drop(func(p part) bool { return p.key == key })
	case i >= 0:
		g.parts[i].value = value
		last := &g.parts[i].value[0]
		g.drop(func(p part) bool { return p.key == key && &p.value[0] != last })
	default:
		colon := []byte(": ")
		if n := len(g.parts); n > 0 {
			head := g.parts[n-1].head
			colon = head[bytes.LastIndexByte(head, '"')+1:]
		}
		g.add(part{head: slices.Concat(compact(key), colon), key: key, value: value})
	}
}

// add puts a part behind the others.
func (g *group) add(p part) {
	switch n := len(g.parts); n {
	case 0:
		p.lead = g.at.lead()
		if g.at.lines {
			g.tail = slices.Concat([]byte("\n"+g.at.indent), g.tail[len(g.tail)-1:])
		}
	case 1:
		p.lead = slices.Concat([]byte{','}, g.parts[0].lead)
	default:
		p.lead = g.parts[n-1].lead
	}
	g.parts = append(g.parts, p)
}

// drop takes parts out.
func (g *group) drop(which func(part) bool) {
	if len(g.parts) == 0 {
		return
	}
	first := g.parts[0].lead
	if g.parts = slices.DeleteFunc(g.parts, which); len(g.parts) > 0 {
		g.parts[0].lead = first
	}
}

// spread writes a value for its place: over several lines, or on one.
func spread(v any, at place) []byte {
	text := compact(v)
	if !at.lines {
		return text
	}
	var b bytes.Buffer
	_ = json.Indent(&b, text, at.indent, "  ") // compact made it: it is valid
	return b.Bytes()
}

// compact is a value as JSON on one line, with <, > and & as they are. No value of this package is without one.
func compact(v any) []byte {
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(v)
	return []byte(strings.TrimSuffix(b.String(), "\n"))
}
