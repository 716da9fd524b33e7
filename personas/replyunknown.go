package personas

import (
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strings"

	"autopilot/autopilot/words"
)

// unknownFields names the fields of a reply that the schema does not have, each once: "notes", "findings.why". A field that is
// null says nothing.
func unknownFields(data []byte) []string {
	var v any
	if json.Unmarshal(data, &v) != nil {
		return nil
	}
	names := unknownIn(v, reflect.TypeFor[Reply](), "")
	slices.Sort(names)
	return slices.Compact(names)
}

// unknownIn looks into what was decoded into a type already, so that lists and objects are where the type has them.
func unknownIn(v any, t reflect.Type, place string) (names []string) {
	switch v := v.(type) {
	case []any:
		for _, entry := range v {
			names = append(names, unknownIn(entry, t.Elem(), place)...)
		}
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(v)) {
			field, known := fieldOf(t, key)
			switch {
			case known:
				names = append(names, unknownIn(v[key], field, place+key+".")...)
			case v[key] != nil:
				names = append(names, clipped(place+key))
			}
		}
	}
	return names
}

// fieldOf finds a field of a struct as encoding/json does.
func fieldOf(t reflect.Type, key string) (reflect.Type, bool) {
	for field := range t.Fields() {
		if name, _, _ := strings.Cut(field.Tag.Get("json"), ","); name != "-" && strings.EqualFold(name, key) {
			return field.Type, true
		}
	}
	return nil, false
}

// UnknownFields says which fields of a reply nobody reads, a line each.
func (r Reply) UnknownFields() []string {
	var lines []string
	for _, name := range r.Unknown {
		lines = append(lines, name+" is not a field of the reply, and is dropped: move what it says into a field that the reply has")
	}
	return words.FirstFew(lines, maxProblems)
}
