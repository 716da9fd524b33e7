// Package jsonkeys finds what encoding/json passes over in silence: keys that an object holds twice. Of such keys one
// reader takes the first and another the last, so that what one has judged is not what the other does.
package jsonkeys

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// TwiceError is a key that stands twice in one object.
type TwiceError struct {
	Key  string
	Line int // of the second one, from 1
}

// maxKey is how much of a key the message shows, in characters: the whole may be as long as the file.
const maxKey = 80

func (e *TwiceError) Error() string {
	more := ""
	if utf8.RuneCountInString(e.Key) > maxKey {
		more = "…"
	}
	return fmt.Sprintf("line %d: the key %.*q%s stands twice in one object; write it once", e.Line, maxKey, e.Key, more)
}

// Once returns a *TwiceError for the first key that stands twice in an object of data, which must be JSON that was
// decoded without an error. Keys that differ only in case are the same to encoding/json, and here.
func Once(data []byte) error {
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber()
	var open []map[string]bool // of each value around the present place: the keys so far; nil in an array
	isKey := false
	for {
		token, err := dec.Token()
		if err != nil {
			return nil //nolint:nilerr // the end, or what is not JSON: that is told by whoever decodes it
		}
		switch token := token.(type) {
		case json.Delim:
			switch token {
			case '{':
				open = append(open, map[string]bool{})
			case '[':
				open = append(open, nil)
			default:
				open = open[:len(open)-1]
			}
			isKey = inObject(open)
			continue
		case string:
			if !isKey {
				break
			}
			known, folded := open[len(open)-1], strings.Map(fold, token)
			if known[folded] {
				return &TwiceError{token, 1 + bytes.Count(data[:dec.InputOffset()], []byte("\n"))}
			}
			known[folded], isKey = true, false
			continue
		}
		isKey = inObject(open)
	}
}

func inObject(open []map[string]bool) bool { return len(open) > 0 && open[len(open)-1] != nil }

// fold makes runes equal that encoding/json takes for equal in keys, such as s and ſ.
func fold(r rune) rune {
	for {
		next := unicode.SimpleFold(r)
		if next <= r {
			return next
		}
		r = next
	}
}
