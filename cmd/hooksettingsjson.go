package cmd

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
	"strings"
)

// jsonNode is an object or a list of a JSON text, by the offsets of its brackets: text[from] is the opening one, and
// text[to-1] the closing one.
type jsonNode struct {
	from, to int
	parts    []jsonPart
}

// jsonPart is a member of an object or an item of a list: where it begins, where its value does, and where it ends.
type jsonPart struct {
	key          string // decoded; "" in a list
	from, at, to int
}

// jsonNodeAt takes the object ('{') or the list ('[') apart that a value of a valid text is.
func jsonNodeAt(text string, from, to int, open json.Delim) (jsonNode, error) {
	n := jsonNode{from: from, to: to}
	dec := json.NewDecoder(strings.NewReader(text[from:to]))
	if first, err := dec.Token(); err != nil || first != open {
		return n, errors.New("is not " + map[json.Delim]string{'{': "an object", '[': "a list"}[open])
	}
	for end := from + 1; dec.More(); end = from + int(dec.InputOffset()) {
		p := jsonPart{from: end + len(text[end:]) - len(strings.TrimLeft(text[end:], " \t\r\n,"))}
		if open == '{' {
			key, err := dec.Token()
			if err != nil {
				return n, err
			}
			p.key, _ = key.(string)
		}
		var value json.RawMessage
		if err := dec.Decode(&value); err != nil {
			return n, err
		}
		p.to = from + int(dec.InputOffset())
		p.at = p.to - len(value)
		n.parts = append(n.parts, p)
	}
	return n, nil
}

// last is where the part of a name stands: of several the last one, which counts; -1 where there is none.
func (n jsonNode) last(name string) int {
	for i, p := range slices.Backward(n.parts) {
		if p.key == name {
			return i
		}
	}
	return -1
}

// lead is what stands between a part and the bracket or the comma before it.
func (n jsonNode) lead(text string, i int) string {
	if i == 0 {
		return text[n.from+1 : n.parts[0].from]
	}
	_, lead, _ := strings.Cut(text[n.parts[i-1].to:n.parts[i].from], ",")
	return lead
}

// jsonEdit replaces a stretch of a text.
type jsonEdit struct {
	from, to int
	with     string
}

// edited is a text with edits that do not overlap.
func edited(text string, edits []jsonEdit) string {
	slices.SortFunc(edits, func(a, b jsonEdit) int { return b.from - a.from })
	for _, e := range edits {
		text = text[:e.from] + e.with + text[e.to:]
	}
	return text
}

// jsonText is a text as a value, with <, > and & as they are.
func jsonText(text string) string {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(text) // a text can always be encoded
	return strings.TrimSpace(b.String())
}

// lineLead is what stands before a part, from the last end of a line on.
func lineLead(lead string) string {
	i := strings.LastIndexByte(lead, '\n')
	if i < 0 {
		return lead
	}
	return lead[len(strings.TrimSuffix(lead[:i], "\r")):]
}

// laidOut is a part of the program's own, which is handed in on one line, as it is to stand behind a lead: in lines where
// that is one of a line, each level indented by unit.
func laidOut(part, lead, unit string) string {
	eol, indent, lines := strings.Cut(lead, "\n")
	if !lines {
		return part
	}
	var b bytes.Buffer
	if strings.HasPrefix(part, `"`) {
		key, value, _ := strings.Cut(part, ":")
		b.WriteString(key + ": ")
		part = value
	}
	_ = json.Indent(&b, []byte(part), indent, unit) // JSON of the program's own
	return strings.ReplaceAll(b.String(), "\n", eol+"\n")
}
