package cmd

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
)

// jsonPart is a value of a JSON text: a member of an object with its key as written, or an item of a list.
type jsonPart struct {
	key   string // quoted
	value []byte
}

// is says whether the part is the member of a name.
func (p jsonPart) is(name string) bool {
	var key string
	return json.Unmarshal([]byte(p.key), &key) == nil && key == name
}

// jsonParts takes an object ('{') or a list ('[') apart, each value as it is written.
func jsonParts(text []byte, open json.Delim) ([]jsonPart, error) {
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.UseNumber()
	if first, err := dec.Token(); err != nil || first != open {
		return nil, errors.New("is not " + map[json.Delim]string{'{': "an object", '[': "a list"}[open])
	}
	var parts []jsonPart
	for dec.More() {
		var p jsonPart
		if open == '{' {
			from := dec.InputOffset()
			if _, err := dec.Token(); err != nil {
				return nil, err
			}
			p.key = strings.TrimLeft(string(text[from:dec.InputOffset()]), " \t\r\n,")
		}
		var value json.RawMessage
		if err := dec.Decode(&value); err != nil {
			return nil, err
		}
		p.value = value
		parts = append(parts, p)
	}
	return parts, nil
}

// jsonText puts an object or a list together, a part a line. What is inside the values stays as it is written.
func jsonText(parts []jsonPart, open json.Delim, depth int, indent string) []byte {
	ends := map[json.Delim]string{'{': "{}", '[': "[]"}[open]
	if len(parts) == 0 {
		return []byte(ends)
	}
	var b bytes.Buffer
	b.WriteString(ends[:1])
	for i, p := range parts {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString("\n" + strings.Repeat(indent, depth+1))
		if open == '{' {
			b.WriteString(p.key + ": ")
		}
		b.Write(p.value)
	}
	b.WriteString("\n" + strings.Repeat(indent, depth) + ends[1:])
	return b.Bytes()
}

// jsonValue writes a value of the program's own inside a text.
func jsonValue(v any, depth int, indent string) []byte {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent(strings.Repeat(indent, depth), indent)
	_ = enc.Encode(v) // texts and numbers of the program's own
	return bytes.TrimSpace(b.Bytes())
}

// indentOf is what the second line of a text begins with; two spaces where that is nothing.
func indentOf(text string) string {
	_, rest, _ := strings.Cut(text, "\n")
	if space := rest[:len(rest)-len(strings.TrimLeft(rest, " \t"))]; space != "" && len(space) <= 8 {
		return space
	}
	return "  "
}
