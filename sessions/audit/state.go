package audit

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"autopilot/autopilot/machine"
	"autopilot/autopilot/words"
	"autopilot/sessions"
	"autopilot/sessions/format"
)

// marks are the keys whose absence would make a state look better than it is.
var marks = []string{"unverified", "unproven", "overridden", "byHuman", "verification", "leftOut", "acceptedRed", "findings", "gone"}

// maxKeys is how many keys of a difference are named.
const maxKeys = 5

// compareState holds a copy of the state against what the journal leads to at its revision. A program of another version
// may have known fewer keys; what both know has to be the same.
func (a *Report) compareState(c sessions.Copy) {
	d, due := difference{}, *c.Replay
	c.State.StateCRC, due.StateCRC = "", ""
	if c.State.Register == nil { // its program kept none, and the next one fills it from the journal
		due.Register, due.Committed = nil, machine.Committed{}
		if due.Gate != nil && c.State.Gate != nil { // which names findings of the register
			gate := *due.Gate
			gate.Context, due.Gate = c.State.Gate.Context, &gate
		}
	}
	d.of("", documentOf(c.State), documentOf(due))
	if len(d.other) > 0 {
		a.problem(PartState, c.Name, "the journal or this file was written by another hand, with its checksum",
			"it is not what the journal leads to at revision %d: %s", c.State.Revision, named(d.other))
	}
	if len(d.lacking) > 0 && c.Name == sessions.SnapshotName {
		a.say("%s does not have %s, which the journal leads to now: a program of another version wrote it", c.Name, named(d.lacking))
	}
}

// documentOf is a value as a reader of its JSON sees it.
func documentOf(v any) any {
	data, err := json.Marshal(v)
	var doc any
	if err == nil {
		doc, err = format.PlainJSON(data)
	}
	if err != nil {
		return err.Error()
	}
	return doc
}

// difference lists the keys in which two documents differ.
type difference struct {
	other   []string // there are other values
	lacking []string // the first does not have them, and need not
}

func (d *difference) of(at string, a, b any) {
	switch left := a.(type) {
	case map[string]any:
		if right, ok := b.(map[string]any); ok {
			d.ofKeys(at, left, right)
			return
		}
	case []any:
		if right, ok := b.([]any); ok && len(left) == len(right) {
			for i := range left {
				d.of(fmt.Sprintf("%s.%d", at, i), left[i], right[i])
			}
			return
		}
	default:
		if a == b { // neither is a map or a list
			return
		}
	}
	d.other = append(d.other, strings.TrimPrefix(at, "."))
}

func (d *difference) ofKeys(at string, left, right map[string]any) {
	for key := range left {
		if _, both := right[key]; !both {
			d.other = append(d.other, strings.TrimPrefix(at+"."+key, "."))
			continue
		}
		d.of(at+"."+key, left[key], right[key])
	}
	for key := range right {
		if _, both := left[key]; both {
			continue
		}
		name := strings.TrimPrefix(at+"."+key, ".")
		if slices.Contains(marks, key) {
			d.other = append(d.other, name)
		} else {
			d.lacking = append(d.lacking, name)
		}
	}
}

// named lists the first of some keys.
func named(keys []string) string {
	slices.Sort(keys)
	return strings.Join(words.FirstFew(keys, maxKeys), ", ")
}
