package format

import (
	"bytes"
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"autopilot/autopilot/machine"
)

// Kept is the part of a document that machine.State does not know: keys that another program, or a later version,
// put there. It is laid over every snapshot, so that they survive: objects by key, phases by number, decisions and
// history by index. Keys that State leaves out while they are empty belong to it too: an older file may have them.
type Kept struct {
	Keys   map[string]json.RawMessage // unknown keys of this object
	Within map[string]*Kept           // by known key, or by the identity of a list's item
	by     string                     // of a list: the key that its items are found again by
	idKey  string                     // of an object: the key that names it
	id     json.RawMessage            // and what stands there: nothing must pass to another object of the same place
}

// StateType is the type of the document in a snapshot.
var StateType = reflect.TypeFor[machine.State]()

// itemKey says how the items of a list are found again in a later one: by a key's value, or by index ("").
// Lists of other types are replaced as a whole.
var itemKey = map[reflect.Type]string{
	reflect.TypeFor[machine.Phase]():        "number",
	reflect.TypeFor[machine.Decision]():     "",
	reflect.TypeFor[machine.HistoryEntry](): "",
	reflect.TypeFor[machine.Finding]():      "",
	reflect.TypeFor[machine.Criterion]():    "",
	reflect.TypeFor[machine.Check]():        "",
}

// nameKey is the key that names an object of a type, where that is not "id".
var nameKey = map[reflect.Type]string{
	reflect.TypeFor[machine.Finding]():   "title",
	reflect.TypeFor[machine.Criterion](): "text",
	reflect.TypeFor[machine.Check]():     "command",
}

// UnknownBeside collects what State does not know of a snapshot that s was read from. One that this program writes just so
// has nothing of that kind, and need not be taken apart.
func UnknownBeside(s machine.State, file []byte) *Kept {
	if own, err := Encode(s, nil); err == nil && bytes.Equal(own, file) {
		return nil
	}
	return UnknownIn(file, StateType)
}

// UnknownIn collects what t does not know of a document; nil when it knows everything.
func UnknownIn(raw []byte, t reflect.Type) *Kept {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	k := &Kept{Within: map[string]*Kept{}}
	switch {
	case t.Kind() == reflect.Struct && !hasOwnJSON(t):
		k.fromObject(raw, t)
	case t.Kind() == reflect.Slice:
		k.fromList(raw, t.Elem())
	}
	if len(k.Keys) == 0 && len(k.Within) == 0 {
		return nil
	}
	return k
}

func hasOwnJSON(t reflect.Type) bool {
	return reflect.PointerTo(t).Implements(reflect.TypeFor[json.Unmarshaler]())
}

func (k *Kept) fromObject(raw []byte, t reflect.Type) {
	var doc map[string]json.RawMessage
	if json.Unmarshal(raw, &doc) != nil {
		return
	}
	known := FieldsOf(t)
	if k.idKey = nameKey[t]; k.idKey == "" {
		k.idKey = "id"
	}
	if k.id = compacted(doc[k.idKey]); string(k.id) == "null" {
		k.id = nil
	}
	for _, key := range slices.Sorted(maps.Keys(doc)) {
		field, ok := known[strings.ToLower(key)] // encoding/json takes keys in any case
		if !ok || (field.leftOut && IsEmpty(doc[key])) {
			if k.Keys == nil {
				k.Keys = map[string]json.RawMessage{}
			}
			k.Keys[key] = compacted(doc[key])
		} else if inner := UnknownIn(doc[key], field.Of); inner != nil {
			k.Within[key] = inner
		}
	}
}

// compacted is a valid JSON value as the encoder writes it, so that two of them can be compared.
func compacted(value json.RawMessage) json.RawMessage {
	var text string
	if json.Unmarshal(value, &text) == nil && len(value) > 0 && value[0] == '"' {
		value, _ = Compact(text)
		return value
	}
	var b bytes.Buffer
	if json.Compact(&b, value) != nil {
		return nil
	}
	return b.Bytes()
}

// IsEmpty says whether a value is one that a field with omitempty leaves out.
func IsEmpty(value json.RawMessage) bool {
	switch strings.TrimSpace(string(value)) {
	case "null", `""`, "0", "false", "[]", "{}":
		return true
	}
	return false
}

func (k *Kept) fromList(raw []byte, item reflect.Type) {
	by, ok := itemKey[item]
	var docs []json.RawMessage
	if !ok || json.Unmarshal(raw, &docs) != nil {
		return
	}
	k.by = by
	for i, doc := range docs {
		if inner := UnknownIn(doc, item); inner != nil {
			k.Within[identity(doc, i, by)] = inner
		}
	}
}

// identity is what an item of a list is found again by.
func identity(doc []byte, index int, by string) string {
	var keys map[string]json.RawMessage
	if by != "" && json.Unmarshal(doc, &keys) == nil {
		return string(keys[by])
	}
	return strconv.Itoa(index)
}

// KnownField is a field of a struct as JSON has it.
type KnownField struct {
	Name    string
	Of      reflect.Type
	leftOut bool // while it is empty
}

// FieldsOf finds the fields of a struct by their JSON keys in lower case.
func FieldsOf(t reflect.Type) map[string]KnownField {
	fields := map[string]KnownField{}
	for f := range t.Fields() {
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		if !f.IsExported() || f.Tag.Get("json") == "-" {
			continue
		}
		if name == "" {
			name = f.Name
		}
		fields[strings.ToLower(name)] = KnownField{name, f.Type, strings.HasPrefix(options, "omit")}
	}
	return fields
}

// Overlay puts the unknown keys back into a document of the same type, behind the known ones.
func (k *Kept) Overlay(doc []byte) ([]byte, error) {
	switch {
	case k == nil || len(doc) == 0:
		return doc, nil
	case doc[0] == '[':
		return k.overlayList(doc)
	case doc[0] == '{':
		return k.overlayObject(doc)
	}
	return doc, nil
}

func (k *Kept) overlayObject(doc []byte) ([]byte, error) {
	members, err := membersOf(doc)
	if err != nil {
		return nil, err
	}
	there := map[string]bool{}
	for _, m := range members {
		there[m.Key] = true
		if m.Key == k.idKey && k.id != nil && !bytes.Equal(m.value, k.id) {
			return doc, nil
		}
	}
	for i, m := range members {
		if members[i].value, err = k.Within[m.Key].Overlay(m.value); err != nil {
			return nil, err
		}
	}
	for _, key := range slices.Sorted(maps.Keys(k.Keys)) {
		if !there[key] {
			members = append(members, member{key, k.Keys[key]})
		}
	}
	return joinMembers(members)
}

func (k *Kept) overlayList(doc []byte) ([]byte, error) {
	var items []json.RawMessage
	if err := json.Unmarshal(doc, &items); err != nil {
		return nil, err
	}
	for i, item := range items {
		var err error
		if items[i], err = k.Within[identity(item, i, k.by)].Overlay(item); err != nil {
			return nil, err
		}
	}
	return Compact(items)
}

// member is one key of an object with its value.
type member struct {
	Key   string
	value json.RawMessage
}

// membersOf takes an object apart and keeps its order, which a map would lose.
func membersOf(doc []byte) ([]member, error) {
	dec := json.NewDecoder(bytes.NewReader(doc))
	if _, err := dec.Token(); err != nil {
		return nil, err
	}
	var members []member
	for dec.More() {
		key, err := dec.Token()
		if err != nil {
			return nil, err
		}
		m := member{Key: key.(string)} // the decoder allows nothing else in an object
		if err := dec.Decode(&m.value); err != nil {
			return nil, err
		}
		members = append(members, m)
	}
	return members, nil
}

func joinMembers(members []member) ([]byte, error) {
	b := []byte{'{'}
	for i, m := range members {
		if i > 0 {
			b = append(b, ',')
		}
		key, err := Compact(m.Key)
		if err != nil {
			return nil, err
		}
		b = append(append(append(b, key...), ':'), m.value...)
	}
	return append(b, '}'), nil
}
