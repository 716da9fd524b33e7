package toolbox

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"autopilot/autopilot/jsonedit"
	"autopilot/personas"
)

// Read gives a call as the model meant it, whatever names and forms it has learned from other tools, and notes what was
// read in another way than it is written. Each thing is noted once.
func (b *Box) Read(call personas.Call) personas.Call {
	at := b.find(call.Name)
	if at < 0 || call.Problem != "" {
		return call
	}
	r, tool := reading{mask: b.Mask}, b.List[at]
	if call.Note != "" {
		r.note("%s", call.Note)
	}
	if call.Name != tool.Name {
		r.as(call.Name, tool.Name)
		call.Name = tool.Name
	}
	call.Arguments = r.arguments(tool, call.Arguments)
	notes := slices.DeleteFunc(r.notes, func(note string) bool { return b.told[note] })
	for _, note := range notes {
		b.told[note] = true
	}
	if call.Note = ""; len(notes) > 0 {
		call.Note = "(" + strings.Join(notes, "; ") + ")"
	}
	return call
}

// find is the place in the list of the tool that a name means; -1: none.
func (b *Box) find(name string) int {
	at := slices.IndexFunc(b.List, func(t Tool) bool { return t.Name == name })
	if at < 0 {
		at = slices.IndexFunc(b.List, func(t Tool) bool { return bare(t.Name) == bare(name) })
	}
	return at
}

// reading is what is read of one call.
type reading struct {
	mask  *personas.Mask
	notes []string
}

func (r *reading) note(format string, args ...any) {
	if note := fmt.Sprintf(format, args...); !slices.Contains(r.notes, note) {
		r.notes = append(r.notes, note)
	}
}

func (r *reading) as(written, name string) {
	r.note("read %q as %s", Cut(r.mask, written, maxKey), name)
}

// maxKey bounds what a note shows of a name, in bytes.
const maxKey = 60

// arguments is the JSON object that a tool decodes: as it is written, unless it was read in another way.
func (r *reading) arguments(t Tool, written string) string {
	text := r.object(written)
	var object map[string]json.RawMessage
	if json.Unmarshal([]byte(text), &object) != nil || jsonedit.UniqueKeys([]byte(text)) != nil {
		return text
	}
	wanted := propertyOf(t.Parameters)
	before := len(r.notes)
	if t.closed {
		object = r.named(t, object, wanted)
	}
	for _, name := range slices.Sorted(maps.Keys(object)) {
		object[name] = r.value(name, object[name], wanted.Properties[name])
	}
	if len(r.notes) == before {
		return text
	}
	return string(jsonedit.Compact(object))
}

// object takes the arguments out of what a model or its server wraps them in.
func (r *reading) object(text string) string {
	text = strings.TrimSpace(strings.TrimPrefix(text, "\ufeff"))
	var inner string
	for strings.HasPrefix(text, `"`) && json.Unmarshal([]byte(text), &inner) == nil {
		r.note("read the arguments out of a string")
		text = strings.TrimSpace(inner)
	}
	if text == "" || text == "null" {
		return "{}"
	}
	if strict := strictJSON(text); strict != text && json.Valid([]byte(strict)) {
		r.note("read as JSON what is none")
		return strict
	}
	return text
}
