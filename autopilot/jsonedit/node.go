package jsonedit

import (
	"bytes"
	"encoding/json"
	"iter"
	"slices"
	"unicode/utf8"

	"github.com/tailscale/hujson"
)

// byteOrderMark is what some editors put before UTF-8 text. It says nothing, and stays.
const byteOrderMark = "\ufeff"

// Node is a value of a text. The zero Node stands for one that is not there.
type Node struct {
	value *hujson.Value
	lead  []byte // the end of the line before the one that it begins on, and its indent; nil where it shares a line
	unit  string // the indent of each level
}

// Parse reads a text.
func Parse(data []byte) (Node, error) {
	text := bytes.TrimPrefix(data, []byte(byteOrderMark))
	if err := json.Unmarshal(text, new(json.RawMessage)); err != nil { // hujson takes comments, and any depth
		return Node{}, err
	}
	v, err := hujson.Parse(text)
	if err != nil {
		return Node{}, err
	}
	v.BeforeExtra = data[:len(data)-len(text)+v.StartOffset]
	n := Node{value: &v, lead: []byte("\n"), unit: "  "}
	if bytes.Contains(text, []byte("\r\n")) {
		n.lead = []byte("\r\n")
	}
	if o, ok := v.Value.(*hujson.Object); ok && len(o.Members) > 0 {
		if _, indent, _ := bytes.Cut(lineLead(o.Members[0].Name.BeforeExtra), []byte("\n")); len(indent) > 0 {
			n.unit = string(indent)
		}
	}
	return n, nil
}

// Of is a value as a Node; it must be one that encoding/json can encode.
func Of(value any) Node {
	v, _ := hujson.Parse(Compact(value))
	return Node{value: &v}
}

// Indented is a value as a text of its own, in lines that are indented by two spaces.
func Indented(value any) []byte {
	var b bytes.Buffer
	_ = json.Indent(&b, Compact(value), "", "  ")
	return b.Bytes()
}

// Compact is a value on one line, with <, > and & as they are.
func Compact(value any) []byte {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(value)
	return bytes.TrimSpace(b.Bytes())
}

// Bytes is the text, with the white space around it.
func (n Node) Bytes() []byte { return n.value.Pack() }

// Raw is the value as it is written; nil where there is none.
func (n Node) Raw() json.RawMessage {
	if n.value == nil {
		return nil
	}
	return hujson.Value{Value: n.value.Value}.Pack()
}

// Kind is the first byte of the value, '0' for a number, and 0 where there is none.
func (n Node) Kind() byte {
	if n.value == nil {
		return 0
	}
	return byte(n.value.Value.Kind())
}

// Text is what a string says, and any other value as it is written.
func (n Node) Text() string {
	if n.value == nil {
		return ""
	}
	if text, ok := n.value.Value.(hujson.Literal); ok {
		return textOf(text)
	}
	return string(n.Raw())
}

// textOf is what a literal says. Most texts stand for themselves, and a long list has many.
func textOf(l hujson.Literal) string {
	if l.Kind() == '"' && bytes.IndexByte(l, '\\') < 0 && utf8.Valid(l) {
		return string(l[1 : len(l)-1])
	}
	return l.String()
}

// object is nil where the value is none.
func (n Node) object() *hujson.Object {
	if n.value == nil {
		return nil
	}
	o, _ := n.value.Value.(*hujson.Object)
	return o
}

// array is nil where the value is none.
func (n Node) array() *hujson.Array {
	if n.value == nil {
		return nil
	}
	a, _ := n.value.Value.(*hujson.Array)
	return a
}

func (n Node) members() []hujson.ObjectMember {
	if o := n.object(); o != nil {
		return o.Members
	}
	return nil
}

func (n Node) elements() []hujson.Value {
	if a := n.array(); a != nil {
		return a.Elements
	}
	return nil
}

// Member is the value of a key; what is no object has none.
func (n Node) Member(key string) Node {
	all := n.members()
	if i := last(all, key); i >= 0 {
		return n.below(&all[i].Value, all[i].Name.BeforeExtra)
	}
	return Node{}
}

// Members are the keys of an object and their values, each key once.
func (n Node) Members() iter.Seq2[string, Node] {
	return func(yield func(string, Node) bool) {
		all := n.members()
		for i := range all {
			key := nameOf(all[i])
			if last(all, key) == i && !yield(key, n.below(&all[i].Value, all[i].Name.BeforeExtra)) {
				return
			}
		}
	}
}

// Elements are those of a list; anything else has none.
func (n Node) Elements() iter.Seq2[int, Node] {
	return func(yield func(int, Node) bool) {
		all := n.elements()
		for i := range all {
			if !yield(i, n.below(&all[i], all[i].BeforeExtra)) {
				return
			}
		}
	}
}

// Len is how many members an object has, or elements a list.
func (n Node) Len() int { return len(n.members()) + len(n.elements()) }

func (n Node) below(v *hujson.Value, before hujson.Extra) Node {
	lead := lineLead(before)
	if !bytes.Contains(lead, []byte("\n")) {
		lead = nil
	}
	return Node{value: v, lead: lead, unit: n.unit}
}

func last(all []hujson.ObjectMember, key string) int {
	for i := range slices.Backward(all) {
		if isNamed(all[i], key) {
			return i
		}
	}
	return -1
}

func isNamed(m hujson.ObjectMember, key string) bool {
	name, _ := m.Name.Value.(hujson.Literal)
	if inner := name[1 : len(name)-1]; bytes.IndexByte(inner, '\\') < 0 {
		return string(inner) == key
	}
	return name.String() == key
}

func nameOf(m hujson.ObjectMember) string {
	name, _ := m.Name.Value.(hujson.Literal)
	return textOf(name)
}
