package taskfile

import (
	"encoding/json"
	"fmt"
)

// maxDepth is how deep a document may be nested; deeper ones could exhaust the stack.
const maxDepth = 1000

// scanner walks over JSON text once, checks it, and shows where its parts lie. encoding/json would read a large file
// three times, and would not tell where a value stands.
type scanner struct {
	data  []byte
	at    int
	depth int
}

func (s *scanner) fail(what string) error { return fmt.Errorf("%s at byte %d", what, s.at) }

// space passes over white space. As in text, what the loop needs is in local variables: nearly all of a file is passed
// over in these two.
func (s *scanner) space() {
	data, at := s.data, s.at
	for at < len(data) && data[at] <= ' ' && (data[at] == ' ' || data[at] == '\n' || data[at] == '\r' || data[at] == '\t') {
		at++
	}
	s.at = at
}

// next is the byte at the present place; 0 at the end, which no JSON text has outside a string.
func (s *scanner) next() byte {
	if s.at < len(s.data) {
		return s.data[s.at]
	}
	return 0
}

func (s *scanner) take(c byte) error {
	if s.next() == c {
		s.at++
		return nil
	}
	return s.missing(c)
}

func (s *scanner) missing(c byte) error { return s.fail(fmt.Sprintf("no %q", c)) }

// value passes over one value of any kind.
func (s *scanner) value() error {
	switch c := s.next(); c {
	case '{':
		return s.object(nil)
	case '[':
		return s.array(nil)
	case '"':
		return s.text()
	case 't':
		return s.word("true")
	case 'f':
		return s.word("false")
	case 'n':
		return s.word("null")
	default:
		return s.number()
	}
}

// object passes over an object. each is called with every key, in front of its value, which it has to pass over; nil
// passes over all.
func (s *scanner) object(each func(key []byte) error) error {
	if err := s.enter('{'); err != nil {
		return err
	}
	for first := true; ; first = false {
		more, err := s.more('}', first)
		if !more || err != nil {
			return err
		}
		key, err := s.key()
		if err != nil {
			return err
		}
		if each == nil {
			err = s.value()
		} else {
			err = each(unquoted(key))
		}
		if err != nil {
			return err
		}
	}
}

// array passes over an array. each is called in front of every element, which it has to pass over; nil passes over all.
func (s *scanner) array(each func() error) error {
	if err := s.enter('['); err != nil {
		return err
	}
	for first := true; ; first = false {
		more, err := s.more(']', first)
		if !more || err != nil {
			return err
		}
		if each == nil {
			err = s.value()
		} else {
			err = each()
		}
		if err != nil {
			return err
		}
	}
}

func (s *scanner) enter(bracket byte) error {
	if s.depth++; s.depth > maxDepth {
		return s.fail("nested too deeply")
	}
	err := s.take(bracket)
	s.space()
	return err
}

// more passes over what stands in front of the next part, or over the end.
func (s *scanner) more(end byte, first bool) (bool, error) {
	s.space()
	if s.next() == end {
		s.at++
		s.depth--
		return false, nil
	}
	if first {
		return true, nil
	}
	err := s.take(',')
	if s.space(); s.next() == end { // a comma in front of the end
		err = s.fail("no value")
	}
	return true, err
}

// key passes over a key and its colon, and returns it as it is written.
func (s *scanner) key() ([]byte, error) {
	from := s.at
	if err := s.text(); err != nil {
		return nil, err
	}
	key := s.data[from:s.at]
	return key, s.colon()
}

// colon passes over what stands between a key and its value.
func (s *scanner) colon() error {
	if at := s.at; at+2 < len(s.data) && s.data[at] == ':' && s.data[at+1] == ' ' && s.data[at+2] > ' ' {
		s.at += 2 // as most write it
		return nil
	}
	s.space()
	err := s.take(':')
	s.space()
	return err
}

// begins says whether a text stands at the present place.
func (s *scanner) begins(text string) bool {
	return len(s.data)-s.at >= len(text) && string(s.data[s.at:s.at+len(text)]) == text
}

// inText are the bytes that stand for themselves in a string.
var inText = func() (table [256]bool) {
	for c := range table {
		table[c] = c >= ' ' && c != '"' && c != '\\'
	}
	return table
}()

// text passes over a string.
func (s *scanner) text() error {
	if err := s.take('"'); err != nil {
		return err
	}
	for data := s.data; ; {
		at := s.at
		for at < len(data) && inText[data[at]] {
			at++
		}
		s.at = at
		switch {
		case at == len(data):
			return s.fail("a string without an end")
		case data[at] == '"':
			s.at++
			return nil
		case data[at] != '\\':
			return s.fail("a control character in a string")
		}
		if err := s.escape(); err != nil {
			return err
		}
	}
}

func (s *scanner) escape() error {
	s.at++
	c := s.next()
	s.at++
	switch c {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return nil
	case 'u':
		for range 4 {
			if !isHex(s.next()) {
				return s.fail("a wrong escape")
			}
			s.at++
		}
		return nil
	}
	return s.fail("a wrong escape")
}

func (s *scanner) word(w string) error {
	if !s.begins(w) {
		return s.fail("no value")
	}
	s.at += len(w)
	return nil
}

func (s *scanner) number() error {
	if s.next() == '-' {
		s.at++
	}
	switch {
	case s.next() == '0':
		s.at++
	case !s.digits():
		return s.fail("no value")
	}
	if s.next() == '.' {
		s.at++
		if !s.digits() {
			return s.fail("no digit")
		}
	}
	if c := s.next(); c == 'e' || c == 'E' {
		s.at++
		if c := s.next(); c == '+' || c == '-' {
			s.at++
		}
		if !s.digits() {
			return s.fail("no digit")
		}
	}
	return nil
}

func (s *scanner) digits() bool {
	from := s.at
	for c := s.next(); '0' <= c && c <= '9'; c = s.next() {
		s.at++
	}
	return s.at > from
}

func isHex(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c && c <= 'f' || 'A' <= c && c <= 'F'
}

// unquoted is what a valid JSON string says. It shares memory with the string unless that has escapes.
func unquoted(quoted []byte) []byte {
	inner := quoted[1 : len(quoted)-1]
	for _, c := range inner {
		if c == '\\' || c >= 0x80 { // beyond ASCII it may be no valid UTF-8
			var text string
			_ = json.Unmarshal(quoted, &text)
			return []byte(text)
		}
	}
	return inner
}
