package jsonedit

import (
	"bytes"
	"encoding/json"
	"slices"

	"github.com/tailscale/hujson"
)

// Set gives a key of an object its value: in its place, or behind the others. Where the key was there twice, it is there once.
func (n Node) Set(key string, value any) {
	o := n.object()
	if o == nil {
		return
	}
	i := last(o.Members, key)
	if i < 0 {
		i = len(o.Members)
		m := hujson.ObjectMember{Name: hujson.Value{Value: hujson.Literal(Compact(key))}}
		if m.Name.BeforeExtra = n.next(i, &o.AfterExtra, func(i int) hujson.Extra { return o.Members[i].Name.BeforeExtra }); i > 0 {
			before := o.Members[i-1]
			m.Name.AfterExtra, m.Value.BeforeExtra = before.Name.AfterExtra, before.Value.BeforeExtra
		} else if bytes.Contains(m.Name.BeforeExtra, []byte("\n")) {
			m.Value.BeforeExtra = hujson.Extra(" ")
		}
		o.Members = append(o.Members, m)
	}
	m := &o.Members[i]
	m.Value.Value = n.laidOut(value, m.Name.BeforeExtra)
	n.removeMembers(func(at int) bool { return at < i && isNamed(o.Members[at], key) })
}

// Remove takes a key out of an object.
func (n Node) Remove(key string) {
	all := n.members()
	n.removeMembers(func(i int) bool { return isNamed(all[i], key) })
}

func (n Node) removeMembers(gone func(i int) bool) {
	o := n.object()
	if o == nil {
		return
	}
	kept := without(o.Members, gone)
	switch len(kept) {
	case len(o.Members):
		return
	case 0:
		o.AfterExtra = nil
	default:
		kept[0].Name.BeforeExtra = o.Members[0].Name.BeforeExtra
		kept[len(kept)-1].Value.AfterExtra = nil // hujson takes another for a comma
	}
	o.Members = kept
}

// Append puts a value at the end of a list.
func (n Node) Append(value any) {
	a := n.array()
	if a == nil {
		return
	}
	var e hujson.Value
	e.BeforeExtra = n.next(len(a.Elements), &a.AfterExtra, func(i int) hujson.Extra { return a.Elements[i].BeforeExtra })
	e.Value = n.laidOut(value, e.BeforeExtra)
	a.Elements = append(a.Elements, e)
}

// DeleteFunc takes elements out of a list.
func (n Node) DeleteFunc(gone func(i int) bool) {
	a := n.array()
	if a == nil {
		return
	}
	kept := without(a.Elements, gone)
	switch len(kept) {
	case len(a.Elements):
		return
	case 0:
		a.AfterExtra = nil
	default:
		kept[0].BeforeExtra = a.Elements[0].BeforeExtra
		kept[len(kept)-1].AfterExtra = nil
	}
	a.Elements = kept
}

func without[P any](parts []P, gone func(i int) bool) []P {
	var kept []P
	for i, p := range parts {
		if !gone(i) {
			kept = append(kept, p)
		}
	}
	return kept
}

// Change gives an object what differs between two values of it. Keys that neither has stay, and a list that only grew keeps
// its elements.
func (n Node) Change(was, is Node) {
	for key, value := range is.Members() {
		before, here := was.Member(key), n.Member(key)
		switch {
		case bytes.Equal(before.Raw(), value.Raw()):
		case value.Kind() == '{' && before.Kind() == '{' && here.Kind() == '{':
			here.Change(before, value)
		case here.Kind() == '[' && value.beginsWith(before):
			for _, added := range value.elements()[len(before.elements()):] {
				here.Append(json.RawMessage(added.Pack()))
			}
		default:
			n.Set(key, value.Raw())
		}
	}
	for key := range was.Members() {
		if is.Member(key).Kind() == 0 {
			n.Remove(key)
		}
	}
}

// beginsWith says whether a list begins with the elements of another.
func (n Node) beginsWith(other Node) bool {
	all, first := n.elements(), other.elements()
	return n.Kind() == '[' && other.Kind() == '[' && len(first) <= len(all) &&
		slices.EqualFunc(first, all[:len(first)], func(a, b hujson.Value) bool { return bytes.Equal(a.Pack(), b.Pack()) })
}

// next is what stands before part i, which is to be added behind the others: the same as before the last one.
func (n Node) next(i int, after *hujson.Extra, before func(i int) hujson.Extra) hujson.Extra {
	switch {
	case i > 0:
		return lineLead(before(i - 1))
	case n.lead == nil:
		return nil
	}
	*after = n.lead
	return append(slices.Clone(n.lead), n.unit...)
}

// lineLead is what stands before a part, from the last end of a line on.
func lineLead(before hujson.Extra) hujson.Extra {
	i := bytes.LastIndexByte(before, '\n')
	if i > 0 && before[i-1] == '\r' {
		i--
	}
	return before[max(i, 0):]
}

// laidOut is a value of its own as it is to stand behind what is before it: in lines where that ends one.
func (n Node) laidOut(value any, before hujson.Extra) hujson.ValueTrimmed {
	text := Compact(value)
	if end, indent, lines := bytes.Cut(lineLead(before), []byte("\n")); lines {
		var b bytes.Buffer
		_ = json.Indent(&b, text, string(indent), n.unit)
		text = bytes.ReplaceAll(b.Bytes(), []byte("\n"), append(slices.Clone(end), '\n'))
	}
	v, _ := hujson.Parse(text)
	return v.Value
}
