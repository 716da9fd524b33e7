package refs

import (
	"maps"
	"slices"
	"strings"
)

// Moved is a ref that changed. Before or After is "" where it did not exist.
type Moved struct{ Name, Before, After string }

// Words say what happened to it, as a sentence goes on: "moved refs/tags/v1".
func (m Moved) Words() string {
	what := "moved"
	switch {
	case m.Before == "":
		what = "created"
	case m.After == "":
		what = "deleted"
	}
	if m.Name == "refs/stash" {
		return "used the stash"
	}
	return what + " " + m.Name
}

// refTable holds a value for each ref: an object's id, or "ref:" and a name where it is symbolic.
type refTable map[string]string

// elsewhere is the value of a branch that another working tree has checked out.
const elsewhere = "elsewhere"

// moved lists by name what is another in a later table.
func (t refTable) moved(now refTable) []Moved {
	var moved []Moved
	for _, name := range slices.Compact(slices.Sorted(slices.Values(slices.AppendSeq(slices.Collect(maps.Keys(t)), maps.Keys(now))))) {
		m := Moved{Name: name, Before: t[name], After: now[name]}
		if m.Before != m.After && m.Before != elsewhere && m.After != elsewhere {
			moved = append(moved, m)
		}
	}
	return moved
}

// take makes the table what it is after these moves.
func (t refTable) take(moves []Moved) {
	for _, m := range moves {
		switch {
		case t[m.Name] == elsewhere:
		case m.After == "":
			delete(t, m.Name)
		default:
			t[m.Name] = m.After
		}
	}
}

func (t refTable) bytes() []byte {
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(t)) {
		b.WriteString(name + " " + t[name] + "\n")
	}
	return []byte(b.String())
}

func parseRefTable(data []byte) refTable {
	t := refTable{}
	for line := range strings.Lines(string(data)) {
		name, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		t[name] = value
	}
	return t
}
