package project

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"

	"autopilot/autopilot/jsonedit"
)

// list is one of the profile's lists of objects.
type list struct {
	key      string
	identity []string // the keys that tell its entries apart
	scanned  string   // what only a scan writes: an entry without it is a person's
	keys     []string // those of a scan, which decides on them all but those in open
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

// Merge writes a fresh scan over what an earlier profile says, old, which may be empty. What people added stays: keys
// that a scan does not write, entries without a source, and every health_check that is not empty. A service that is not
// found any more stays while it has something of a person's. An old profile that cannot be read, or is of another
// version, is an error: it is for a person to mend or to remove.
func Merge(old []byte, now Profile) ([]byte, error) {
	var before jsonedit.Node
	if len(bytes.TrimSpace(old)) > 0 {
		if _, err := Parse(old); err != nil {
			return nil, err
		}
		var err error
		if before, err = jsonedit.Parse(old); err != nil {
			return nil, err
		}
	}
	now.Version = Version
	after := jsonedit.Of(now)
	for _, l := range lists {
		if after.Member(l.key).Kind() != '[' {
			after.Set(l.key, []any{})
		}
		if err := l.merge(before.Member(l.key), after.Member(l.key)); err != nil {
			return nil, fmt.Errorf("%s: %w", l.key, err)
		}
	}
	for key, value := range before.Members() {
		if after.Member(key).Kind() == 0 {
			after.Set(key, value.Raw())
		}
	}
	return append(jsonedit.Indented(after.Raw()), '\n'), nil
}

func (l list) merge(old, now jsonedit.Node) error {
	var was []jsonedit.Node
	for _, o := range old.Elements() {
		if o.Kind() != '{' {
			return errors.New("an entry is null")
		}
		was = append(was, o)
	}
	known := map[string]bool{}
	for _, e := range now.Elements() {
		id := l.id(e)
		known[id] = true
		for _, o := range slices.Backward(was) { // where it stands there twice, the first has the last word
			if l.id(o) == id {
				l.keep(e, o)
			}
		}
	}
	for _, o := range was {
		if !known[l.id(o)] && l.personal(o) {
			now.Append(o.Raw())
		}
	}
	return nil
}

func (l list) id(o jsonedit.Node) string {
	var parts []string
	for _, key := range l.identity {
		if blank(o.Member(key)) {
			parts = append(parts, "")
		} else {
			parts = append(parts, o.Member(key).Text())
		}
	}
	return strings.Join(parts, "\x00")
}

// personal says whether an entry that a scan does not find (any more) is or holds something of a person's.
func (l list) personal(o jsonedit.Node) bool {
	if blank(o.Member(l.scanned)) {
		return true
	}
	if l.key != "services" {
		return false
	}
	for key := range o.Members() {
		if !slices.Contains(l.keys, key) {
			return true
		}
	}
	health := o.Member("health_check")
	return !blank(health) && !strings.HasPrefix(health.Text(), composeExec)
}

// keep takes over from an entry what is a person's.
func (l list) keep(into, from jsonedit.Node) {
	for key, value := range from.Members() {
		foreign := !slices.Contains(l.keys, key)
		open := key == "health_check" || slices.Contains(l.open, key) && blank(into.Member(key))
		if foreign || open && !blank(value) {
			into.Set(key, value.Raw())
		}
	}
}

func blank(n jsonedit.Node) bool {
	return n.Kind() == 0 || slices.Contains([]string{`""`, "null", "[]"}, string(n.Raw()))
}
