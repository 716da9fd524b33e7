package profile

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// object is a JSON object whose values are kept as they are.
type object map[string]json.RawMessage

// list is one of the profile's lists of objects.
type list struct {
	key      string
	identity []string // the keys that tell its entries apart
	scanned  string   // what only a scan writes: an entry without it is a person's
	keys     []string // those of a scan, in their order; a scan decides on them all but those in open
	open     []string // a person may fill these in where a scan finds nothing
}

var lists = []list{
	{"languages", []string{"name"}, "files", []string{"name", "files"}, nil},
	{"package_managers", []string{"name", "dir"}, "source", []string{"name", "dir", "source", "lock", "install", "installed"}, nil},
	{"test_commands", []string{"command", "dir"}, "source", []string{"command", "dir", "source"}, nil},
	{"lint_commands", []string{"command", "dir"}, "source", []string{"command", "dir", "source"}, nil},
	{"build_commands", []string{"command", "dir"}, "source", []string{"command", "dir", "source"}, nil},
	{"services", []string{"name", "dir"}, "source", []string{"name", "dir", "command", "ports", "source", "health_check"}, []string{"command", "ports"}},
	{"docs", []string{"path"}, "kind", []string{"path", "kind"}, nil},
}

// topKeys are those of the profile itself, in their order.
func topKeys() []string {
	keys := []string{"version"}
	for _, l := range lists {
		keys = append(keys, l.key)
	}
	return keys
}

// Merge writes a fresh scan over what an earlier profile says, old, which may be empty. What people added stays: keys
// that a scan does not write, entries without a source, and every health_check that is not empty. A service that is not
// found any more stays while it has something of a person's. An old profile that cannot be read, or is of another
// version, is an error: it is for a person to mend or to remove.
func Merge(old []byte, now Profile) ([]byte, error) {
	before := object{}
	if len(bytes.TrimSpace(old)) > 0 {
		if _, err := Parse(old); err != nil {
			return nil, err
		}
		if err := json.Unmarshal(old, &before); err != nil {
			return nil, err
		}
	}
	now.Version = Version
	after, err := toObject(now)
	if err != nil {
		return nil, err
	}
	for _, l := range lists {
		if after[l.key], err = l.merge(before[l.key], after[l.key]); err != nil {
			return nil, fmt.Errorf("%s: %w", l.key, err)
		}
	}
	keep(after, before, topKeys())
	var out bytes.Buffer
	if err := json.Indent(&out, after.bytes(topKeys()), "", "  "); err != nil {
		return nil, err
	}
	out.WriteByte('\n')
	return out.Bytes(), nil
}

func (l list) merge(old, now json.RawMessage) (json.RawMessage, error) {
	was, err := entries(old)
	if err != nil {
		return nil, err
	}
	is, err := entries(now)
	if err != nil {
		return nil, err
	}
	var all [][]byte
	known := map[string]bool{}
	for _, e := range is {
		id := l.id(e)
		known[id] = true
		for _, o := range slices.Backward(was) { // where it stands there twice, the first has the last word
			if l.id(o) == id {
				l.keep(e, o)
			}
		}
		all = append(all, e.bytes(l.keys))
	}
	for _, o := range was {
		if !known[l.id(o)] && l.personal(o) {
			all = append(all, o.bytes(l.keys))
		}
	}
	return append(append([]byte("["), bytes.Join(all, []byte(","))...), ']'), nil
}

func (l list) id(o object) string {
	var parts []string
	for _, key := range l.identity {
		var text string
		_ = json.Unmarshal(o[key], &text) // one that is not there is empty
		parts = append(parts, text)
	}
	return strings.Join(parts, "\x00")
}

// personal says whether an entry that a scan does not find (any more) is or holds something of a person's.
func (l list) personal(o object) bool {
	if blank(o[l.scanned]) {
		return true
	}
	var health string
	_ = json.Unmarshal(o["health_check"], &health)
	foreign := slices.ContainsFunc(slices.Collect(maps.Keys(o)), func(k string) bool { return !slices.Contains(l.keys, k) })
	return l.key == "services" && (foreign || health != "" && !strings.HasPrefix(health, composeExec))
}

// keep takes over from an entry what is a person's.
func (l list) keep(into, from object) {
	keep(into, from, l.keys)
	for _, key := range l.open {
		if blank(into[key]) && !blank(from[key]) {
			into[key] = from[key]
		}
	}
	if health := from["health_check"]; !blank(health) {
		into["health_check"] = health
	}
}

// keep takes over the keys that a scan does not write.
func keep(into, from object, scanned []string) {
	for key, value := range from {
		if !slices.Contains(scanned, key) {
			into[key] = value
		}
	}
}

func blank(value json.RawMessage) bool {
	return len(value) == 0 || slices.Contains([]string{`""`, "null", "[]"}, string(value))
}

func entries(value json.RawMessage) ([]object, error) {
	var found []object
	if blank(value) {
		return nil, nil
	}
	err := json.Unmarshal(value, &found)
	if err == nil && slices.ContainsFunc(found, func(o object) bool { return o == nil }) {
		err = errors.New("an entry is null")
	}
	return found, err
}

// toObject keeps <, > and & as they are: people read the file.
func toObject(v any) (object, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	var o object
	return o, json.Unmarshal(b.Bytes(), &o)
}

// bytes writes the keys of a scan in their order, then the others, sorted.
func (o object) bytes(first []string) []byte {
	var b bytes.Buffer
	b.WriteByte('{')
	rest := slices.DeleteFunc(slices.Sorted(maps.Keys(o)), func(k string) bool { return slices.Contains(first, k) })
	for _, key := range append(slices.Clone(first), rest...) {
		value, there := o[key]
		if !there {
			continue
		}
		if b.Len() > 1 {
			b.WriteByte(',')
		}
		name, _ := json.Marshal(key) // a string always has one
		b.Write(name)
		b.WriteByte(':')
		b.Write(value)
	}
	b.WriteByte('}')
	return b.Bytes()
}
