package jsonedit

import (
	"bytes"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/tailscale/hujson"
)

// DuplicateKeyError reports a key that one object has twice.
type DuplicateKeyError struct {
	Key  string
	Line int // of the second one, from 1
}

// maxKey is how much of a key the message shows, in characters: the whole may be as long as the file.
const maxKey = 80

func (e *DuplicateKeyError) Error() string {
	more := ""
	if utf8.RuneCountInString(e.Key) > maxKey {
		more = "…"
	}
	return fmt.Sprintf("line %d: the key %.*q%s stands twice in one object; write it once", e.Line, maxKey, e.Key, more)
}

// UniqueKeys returns a *DuplicateKeyError for the first key that stands twice in an object of data, which must be JSON that was
// decoded without an error. Keys that differ only in case are the same to encoding/json, and here.
func UniqueKeys(data []byte) error {
	n, err := Parse(data)
	if err != nil {
		return nil //nolint:nilerr // what is not JSON is told by whoever decodes it
	}
	if name := duplicate(n.value); name != nil {
		return &DuplicateKeyError{textOf(name.Value.(hujson.Literal)), 1 + bytes.Count(data[:name.EndOffset], []byte("\n"))}
	}
	return nil
}

// duplicate is the first name in a value that its object has already.
func duplicate(v *hujson.Value) *hujson.Value {
	known := map[string]bool{}
	for _, m := range (Node{value: v}).members() {
		key := strings.Map(fold, nameOf(m))
		if known[key] {
			return &m.Name
		}
		known[key] = true
		if found := duplicate(&m.Value); found != nil {
			return found
		}
	}
	for _, e := range (Node{value: v}).elements() {
		if found := duplicate(&e); found != nil {
			return found
		}
	}
	return nil
}

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
